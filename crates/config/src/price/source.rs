//! `[[price_source]]`: a source of live prices and its assets.

use std::time::Duration;

use firmquote_domain::{B256, Symbol};
use firmquote_market::{
    exchange::{Exchange, ExchangeConfig},
    pyth::PythConfig,
};
use firmquote_outbound::Endpoint;

use super::{
    chainlink, host, push,
    source_config::{KEYS, PriceSourceConfig, assets},
};
use crate::{
    ChainConfig,
    document::{
        error::KeyError,
        reader::{Keys, Table, refuse_present},
    },
};

const ASSET_KEYS: Keys = Keys::new(&["symbol", "id"]);
/// The public Hermes, for holders of an API key.
const HERMES: &str = "https://pyth.dourolabs.app/hermes";

const HERMES_URL: &str = "http:// or https://, a host, optionally a port and a path, without credentials and query";
const EXCHANGE_URL: &str = "ws:// or wss://, a host, optionally a port, without credentials, path and query";

fn is_hermes(url: &Endpoint) -> bool {
    !url.is_web_socket() && !url.has_query()
}

fn is_exchange(url: &Endpoint) -> bool {
    url.is_web_socket() && !url.has_query() && url.path() == "/"
}

#[derive(Clone, Copy)]
enum Kind {
    Pyth,
    Chainlink,
    Exchange(Exchange),
    Push,
    Static,
    Host,
}

/// Reads a table: `kind`, `pyth` or the name of an exchange, or `chainlink`, `push` or `static`, which have their own
/// keys; `url`, default the public one of the kind; `api_key_env` of Pyth; `ca_file`, PEM, default the system's
/// certificate authorities; `connect_timeout_ms` 5000 (100 to 60000), `idle_timeout_ms` 10000 (100 to 600000),
/// `lifetime_seconds` 82800 (60 to 86400); one `asset` or more, each with the `symbol` of a pool's asset and its `id`
/// at the source. `static`, the configured `price_usd`, has `asset` with `symbol` and no other key; `host` also has the
/// `name` of its source.
///
/// # Errors
/// [`KeyError`] for the first invalid key.
pub(super) fn read(
    table: &Table<'_>,
    chains: &[ChainConfig],
    pool_symbols: &[Symbol],
) -> Result<PriceSourceConfig, KeyError> {
    let exchanges = Exchange::ALL.map(|exchange| (exchange.name(), Kind::Exchange(exchange)));
    let kinds = [
        &[("pyth", Kind::Pyth), ("chainlink", Kind::Chainlink)],
        exchanges.as_slice(),
        &[("push", Kind::Push), ("static", Kind::Static), ("host", Kind::Host)],
    ]
    .concat();
    let millis = |key, default, max| -> Result<Duration, KeyError> {
        table.field(key).or(default, |field| field.integer(100..=max, " ms")).map(Duration::from_millis)
    };
    let (connect_timeout, idle_timeout) =
        (millis("connect_timeout_ms", 5_000, 60_000)?, millis("idle_timeout_ms", 10_000, 600_000)?);
    let lifetime = table.field("lifetime_seconds").or(82_800, |field| field.integer(60..=86_400, " seconds"))?;
    let lifetime = Duration::from_secs(lifetime);
    let authorities = table.field("ca_file").optional(|field| field.pem_certificates())?;
    let key = table.field("api_key_env");
    let url = table.field("url");
    let kind = table.field("kind").word(&kinds)?;
    let chain = table.field("chain_id");
    let name = table.field("name");
    if name.is_present() && !matches!(kind, Kind::Host) {
        return Err(name.not_allowed("only with kind = \"host\""));
    }
    if chain.is_present() && !matches!(kind, Kind::Chainlink | Kind::Push | Kind::Static | Kind::Host) {
        return Err(chain.not_allowed("only with kind = \"chainlink\""));
    }
    match kind {
        Kind::Chainlink => chainlink::read(table, chains, pool_symbols),
        Kind::Static => read_static(table, pool_symbols),
        Kind::Push => push::read(table, pool_symbols).map(PriceSourceConfig::Push),
        Kind::Host => host::read(table, pool_symbols),
        Kind::Pyth => Ok(PriceSourceConfig::Pyth(PythConfig {
            base_url: url.or(HERMES.to_owned(), |field| field.url(HERMES_URL, is_hermes))?,
            api_key: key.optional(|field| field.read_variable("an API key"))?,
            authorities,
            feeds: assets(table, &ASSET_KEYS, pool_symbols, |asset| {
                asset.field("id").text("a feed's id: 0x and 64 hex digits", str::parse::<B256>)
            })?,
            connect_timeout,
            idle_timeout,
            lifetime,
        })),
        Kind::Exchange(_) if key.is_present() => Err(key.secret().not_allowed("only with kind = \"pyth\"")),
        Kind::Exchange(exchange) => Ok(PriceSourceConfig::Exchange(ExchangeConfig {
            exchange,
            url: url.or(exchange.public_url().to_owned(), |field| field.url(EXCHANGE_URL, is_exchange))?,
            authorities,
            products: assets(table, &ASSET_KEYS, pool_symbols, |asset| asset.field("id").label(64))?,
            connect_timeout,
            idle_timeout,
            lifetime,
        })),
    }
}

fn read_static(table: &Table<'_>, pool_symbols: &[Symbol]) -> Result<PriceSourceConfig, KeyError> {
    const NOTHING: &str = "nothing with kind = \"static\", which is price_usd of this file";
    refuse_present(["url", "api_key_env"].map(|key| table.field(key).secret()), NOTHING)?;
    let others = KEYS.names.iter().filter(|key| !["kind", "asset"].contains(key));
    refuse_present(others.map(|key| table.field(key)), NOTHING)?;
    let symbols = assets(table, &ASSET_KEYS, pool_symbols, |asset| refuse_present([asset.field("id")], NOTHING))?;
    Ok(PriceSourceConfig::Static(symbols.into_iter().map(|((), symbol)| symbol).collect()))
}
