//! `[[price_source]]` of the kinds that stream prices over the internet: Pyth and exchanges.

use std::time::Duration;

use firmquote_domain::{B256, Symbol};
use firmquote_market::{
    exchange::{Exchange, ExchangeConfig},
    pyth::PythConfig,
};
use firmquote_outbound::Endpoint;
use serde::Deserialize;

use super::{
    kind::Kind,
    source_config::{PriceSourceConfig, assets},
};
use crate::document::{
    deserializer::Tables,
    error::KeyError,
    field::Field,
    secret_refs::{Secret, Variable},
    values::{
        integer::{Millis, Seconds},
        setting::{Form, OptionalSetting as _, Setting, Syntax},
        text::{FilePath, Label, Text},
    },
};

#[derive(Deserialize)]
struct PythTable {
    #[serde(rename = "kind")]
    _kind: Text<Kind>,
    url: Option<Setting<String, HermesUrl>>,
    api_key_env: Option<Variable<ApiKey>>,
    ca_file: Option<Text<FilePath>>,
    connect_timeout_ms: Option<ConnectTimeout>,
    idle_timeout_ms: Option<IdleTimeout>,
    lifetime_seconds: Option<Lifetime>,
    asset: Tables<FeedTable>,
}

#[derive(Deserialize)]
struct FeedTable {
    symbol: Text<Symbol>,
    id: Text<B256>,
}

#[derive(Deserialize)]
struct ExchangeTable {
    #[serde(rename = "kind")]
    _kind: Text<Kind>,
    url: Option<Setting<String, ExchangeUrl>>,
    ca_file: Option<Text<FilePath>>,
    connect_timeout_ms: Option<ConnectTimeout>,
    idle_timeout_ms: Option<IdleTimeout>,
    lifetime_seconds: Option<Lifetime>,
    asset: Tables<ProductTable>,
}

#[derive(Deserialize)]
struct ProductTable {
    symbol: Text<Symbol>,
    id: Label<64>,
}

type ConnectTimeout = Millis<100, 60_000>;
type IdleTimeout = Millis<100, 600_000>;
type Lifetime = Seconds<60, 86_400>;

const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const DEFAULT_IDLE_TIMEOUT: Duration = Duration::from_secs(10);
const DEFAULT_LIFETIME: Duration = Duration::from_secs(23 * 3_600);

/// The public Hermes, for holders of an API key.
const HERMES: &str = "https://pyth.dourolabs.app/hermes";

/// The API key of Pyth.
enum ApiKey {}

impl Secret for ApiKey {
    const WHAT: &'static str = "an API key";
}

/// The URL of a Hermes.
enum HermesUrl {}

impl Form<String> for HermesUrl {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<String, String> {
        let url = Endpoint::parse(text).ok().filter(|url| !url.is_web_socket() && !url.has_query());
        url.map(|_| text.to_owned()).ok_or_else(|| {
            "http:// or https://, a host, optionally a port and a path, without credentials and query".to_owned()
        })
    }
}

/// The URL of an exchange.
enum ExchangeUrl {}

impl Form<String> for ExchangeUrl {
    const SYNTAX: Syntax = Syntax::String;

    fn parse(text: &str) -> Result<String, String> {
        let url = Endpoint::parse(text).ok();
        let url = url.filter(|url| url.is_web_socket() && !url.has_query() && url.path() == "/");
        url.map(|_| text.to_owned())
            .ok_or_else(|| "ws:// or wss://, a host, optionally a port, without credentials, path and query".to_owned())
    }
}

/// Reads the table of a Hermes at `field`.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn pyth(field: &Field<'_>, pool_symbols: &[Symbol]) -> Result<PriceSourceConfig, KeyError> {
    let table: PythTable = field.read()?;
    let key = field.key("api_key_env");
    Ok(PriceSourceConfig::Independent(Box::new(PythConfig {
        base_url: table.url.value_or(HERMES.to_owned()),
        api_key: table.api_key_env.value().map(|name| key.read_variable::<ApiKey>(&name)).transpose()?,
        authorities: authorities(table.ca_file, field)?,
        feeds: assets(table.asset, field, pool_symbols, |feed| (feed.id.0, feed.symbol.0))?,
        connect_timeout: table.connect_timeout_ms.value_or(DEFAULT_CONNECT_TIMEOUT),
        idle_timeout: table.idle_timeout_ms.value_or(DEFAULT_IDLE_TIMEOUT),
        lifetime: table.lifetime_seconds.value_or(DEFAULT_LIFETIME),
    })))
}

/// Reads the table of an exchange at `field`.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn exchange(
    exchange: Exchange,
    field: &Field<'_>,
    pool_symbols: &[Symbol],
) -> Result<PriceSourceConfig, KeyError> {
    let table: ExchangeTable = field.read()?;
    Ok(PriceSourceConfig::Independent(Box::new(ExchangeConfig {
        exchange,
        url: table.url.value_or(exchange.public_url().to_owned()),
        authorities: authorities(table.ca_file, field)?,
        products: assets(table.asset, field, pool_symbols, |product| (product.id.0, product.symbol.0))?,
        connect_timeout: table.connect_timeout_ms.value_or(DEFAULT_CONNECT_TIMEOUT),
        idle_timeout: table.idle_timeout_ms.value_or(DEFAULT_IDLE_TIMEOUT),
        lifetime: table.lifetime_seconds.value_or(DEFAULT_LIFETIME),
    })))
}

fn authorities(file: Option<Text<FilePath>>, field: &Field<'_>) -> Result<Option<Vec<u8>>, KeyError> {
    file.value().map(|file| field.key("ca_file").read_certificates(&file)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Documented;

    #[test]
    fn the_documentation_describes_the_keys() {
        Documented::in_sections(&["`[[price_source]]`"]).has::<PythTable>().has::<ExchangeTable>();
    }
}
