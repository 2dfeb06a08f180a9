//! `[[price_source]]`: who tells live prices, and of which assets.

use std::time::Duration;

use firmquote_domain::{B256, Symbol};
use firmquote_market::{
    exchange::{Exchange, ExchangeFeed},
    pyth::PythFeed,
};

use super::push;
use crate::config::{
    elsewhere::Readers,
    error::Mistake,
    reader::{Field, Keys, Table},
};

/// A `[[price_source]]`.
pub(crate) enum PriceSourceConfig {
    /// `kind = "pyth"`.
    Pyth(PythFeed),
    /// `kind = "binance"` or `"coinbase"`.
    Exchange(ExchangeFeed),
    /// `kind = "push"`.
    Push(Vec<Symbol>),
}

pub(in crate::config) const KEYS: Keys = Keys::new(&[
    "kind",
    "url",
    "api_key_env",
    "ca_file",
    "connect_timeout_ms",
    "idle_timeout_ms",
    "lifetime_seconds",
    "asset",
]);
const ASSET_KEYS: Keys = Keys::new(&["symbol", "id"]);
/// Where the public Hermes answers holders of a key.
const HERMES: &str = "https://pyth.dourolabs.app/hermes";
/// More than any bundle of certificates.
const LONGEST_PEM: usize = 4 << 20;

#[derive(Clone, Copy)]
enum Kind {
    Pyth,
    Exchange(Exchange),
    Push,
}

impl PriceSourceConfig {
    /// The assets it tells prices of.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        let (pyth, exchange, pushed) = match self {
            Self::Pyth(feed) => (feed.feeds.as_slice(), [].as_slice(), [].as_slice()),
            Self::Exchange(feed) => ([].as_slice(), feed.products.as_slice(), [].as_slice()),
            Self::Push(symbols) => ([].as_slice(), [].as_slice(), symbols.as_slice()),
        };
        let named = pyth.iter().map(|(_, symbol)| symbol).chain(exchange.iter().map(|(_, symbol)| symbol));
        named.chain(pushed)
    }
}

/// Reads a table: `kind`, `pyth`, `binance`, `coinbase`, or `push`, which [`push::read`] reads; `url`, default the public
/// one of the kind; `api_key_env` of Pyth; `ca_file`, PEM, default whom the system trusts; `connect_timeout_ms` 5000 (100 to 60000), `idle_timeout_ms` 10000
/// (100 to 600000), `lifetime_seconds` 82800 (60 to 86400); one `asset` or more, each with the `symbol` of a pool's asset
/// and the `id` that the source knows it by.
///
/// # Errors
/// [`Mistake`] for the first key that is wrong.
pub(super) fn read(table: &Table<'_>, is_listed: impl Fn(&Symbol) -> bool) -> Result<PriceSourceConfig, Mistake> {
    let kinds = [
        ("pyth", Kind::Pyth),
        ("binance", Kind::Exchange(Exchange::Binance)),
        ("coinbase", Kind::Exchange(Exchange::Coinbase)),
        ("push", Kind::Push),
    ];
    let millis = |key, default, most| -> Result<Duration, Mistake> {
        table.field(key).or(default, |field| field.integer(100..=most, " ms")).map(Duration::from_millis)
    };
    let (connect_timeout, idle_timeout) =
        (millis("connect_timeout_ms", 5_000, 60_000)?, millis("idle_timeout_ms", 10_000, 600_000)?);
    let lifetime = table.field("lifetime_seconds").or(82_800, |field| field.integer(60..=86_400, " seconds"))?;
    let lifetime = Duration::from_secs(lifetime);
    let authorities = table
        .field("ca_file")
        .optional(|field| Ok(field.of_file("certificates in PEM", LONGEST_PEM, Readers::All)?.to_vec()))?;
    let key = table.field("api_key_env");
    let url = |public: &str| table.field("url").secret().or(public.to_owned(), |field| field.label(1_000));
    match table.field("kind").word(&kinds)? {
        Kind::Push => push::read(table, is_listed).map(PriceSourceConfig::Push),
        Kind::Pyth => Ok(PriceSourceConfig::Pyth(PythFeed {
            base_url: url(HERMES)?,
            api_key: key.optional(|field| field.of_variable("an API key"))?,
            authorities,
            feeds: assets(table, is_listed, |field| {
                field.text("a feed's id: 0x and 64 hex digits", str::parse::<B256>)
            })?,
            connect_timeout,
            idle_timeout,
            lifetime,
        })),
        Kind::Exchange(_) if key.is_there() => Err(key.not_allowed("only with kind = \"pyth\"")),
        Kind::Exchange(exchange) => Ok(PriceSourceConfig::Exchange(ExchangeFeed {
            exchange,
            url: url(exchange.public_url())?,
            authorities,
            products: assets(table, is_listed, |field| field.label(64))?,
            connect_timeout,
            idle_timeout,
            lifetime,
        })),
    }
}

/// What the source calls each asset, and what we call it.
fn assets<T>(
    table: &Table<'_>,
    is_listed: impl Fn(&Symbol) -> bool,
    id: impl Fn(&Field<'_>) -> Result<T, Mistake>,
) -> Result<Vec<(T, Symbol)>, Mistake> {
    let field = table.field("asset");
    let none = field.not_allowed("one [[price_source.asset]] or more");
    let mut found: Vec<(T, Symbol)> = Vec::new();
    for table in field.tables(&ASSET_KEYS)? {
        let (symbol, field) = (table.field("symbol").value(Symbol::new)?, table.field("symbol"));
        if !is_listed(&symbol) {
            return Err(field.not_allowed("the symbol of a [[pool.asset]]"));
        }
        if found.iter().any(|(_, known)| *known == symbol) {
            return Err(field.not_allowed("a symbol that no other asset of this source has"));
        }
        found.push((id(&table.field("id"))?, symbol));
    }
    if found.is_empty() { Err(none) } else { Ok(found) }
}
