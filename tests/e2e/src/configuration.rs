//! Server configurations for pools opened by tests.

use firmquote_domain::{Address, GoodUntilKind, SigningDomain};

use crate::{demo, endpoint::API_KEY_SHA256, evm::CHAIN_ID, exchange::Listing, replicas::SharedStore};

/// Symbols of the tokens in [`demo`], in its order.
pub const SYMBOLS: [&str; 3] = ["ETH", "USDC", "DAI"];

/// `[pool.signing]` without limits, for tests of other features.
pub const NO_LIMITS: &str = r#"[pool.signing]
max_trade_usd = "none"
max_usd_per_minute = "none"
max_usd_per_minute_per_client = "none"
max_usd_per_minute_anonymous = "none"
max_outstanding_bps = "none"
max_outstanding_bps_per_client = "none"
max_outstanding_bps_anonymous = "none"
max_outstanding_swaps_per_client = "none"
max_outstanding_impact_bps = "none"
max_outstanding_bps_per_address = "none"
max_outstanding_impact_bps_anonymous = "none"
"#;

/// TOML that a test adds to the configuration.
#[derive(Clone, Debug, Default)]
pub struct ExtraConfig {
    /// Keys for the chain.
    pub chain: String,
    /// Keys for each verified pool.
    pub verified_pool: String,
    /// Keys for each pool.
    pub pool: String,
    /// Tables appended at the end.
    pub tables: String,
}

/// Builds the configuration for `pools`, each given by its address and its kind of `good_until`. All pools list the
/// same `assets`, the first of which is wrapped native, and trade every pair of them.
pub fn render(
    domain: &SigningDomain,
    assets: &[(Address, Listing)],
    pools: &[(Address, &str)],
    more: &ExtraConfig,
) -> String {
    let wrapped = assets.first().map(|(token, _)| *token).unwrap_or_default();
    let ExtraConfig { chain, verified_pool, pool: keys, tables } = more;
    let mut file = format!(
        r#"
[[credential]]
client = "partner"
api_key_sha256 = "{API_KEY_SHA256}"

[[chain]]
id = {CHAIN_ID}
name = "Test"
native_symbol = "ETH"
wrapped_native = "{wrapped}"
{chain}
[[signer]]
name = "hot"
key_env = "FIRMQUOTE_SIGNER_KEY"
"#
    );
    for (address, kind) in pools {
        file.push_str(&pool(*address, kind, domain));
        if *kind == "verified" {
            file.push_str(verified_pool);
        }
        file.push_str(keys);
        for ((token, listing), symbol) in assets.iter().zip(SYMBOLS) {
            file.push_str(&asset(symbol, *token, listing));
        }
        for (position, first) in SYMBOLS.iter().enumerate() {
            for second in SYMBOLS.iter().skip(position + 1) {
                file.push_str(&pair(first, second));
            }
        }
    }
    file.push_str(tables);
    file
}

/// Builds the configuration for replicas that store the quotes of one plain pool in Redis. The pool exists on no chain.
/// Its quotes can be signed for ten minutes and are valid for ten more, so that they outlive slow tests. The server
/// does not close idle keep-alive connections within a test, since closing one could race with a request.
pub fn over_redis(store: &SharedStore) -> String {
    let listings = demo::opening(GoodUntilKind::Plain).listings;
    let assets: Vec<_> = (1..).map(Address::repeat_byte).zip(listings).collect();
    let domain = SigningDomain { name: "Firmquote Test".into(), version: "7".into() };
    let life = "acceptance_window_seconds = 600\ndefault_time_in_seconds = 600\n";
    let more = ExtraConfig { pool: [life, NO_LIMITS].concat(), ..ExtraConfig::default() };
    let file = render(&domain, &assets, &[(Address::repeat_byte(0xff), "plain")], &more);
    file + &shared(store)
}

/// The tables of a replica that stores its quotes in Redis.
pub fn shared(store: &SharedStore) -> String {
    let SharedStore { urls, sentinel_master, timeout_ms, wait_replicas } = store;
    let mut file = format!(
        r#"
[server]
head_timeout_seconds = 300
keep_alive_seconds = 3600

[store]
kind = "redis"
timeout_ms = {timeout_ms}
wait_replicas = {wait_replicas}
"#
    );
    match urls.as_slice() {
        [url] => file.push_str(&format!("url = {url:?}\n")),
        urls => file.push_str(&format!("url = {urls:?}\n")),
    }
    if let Some(master) = sentinel_master {
        file.push_str(&format!("sentinel_master = {master:?}\n"));
    }
    file
}

fn pool(address: Address, kind: &str, SigningDomain { name, version }: &SigningDomain) -> String {
    format!(
        r#"
[[pool]]
chain_id = {CHAIN_ID}
address = "{address}"
signer = "hot"
domain = {{ name = "{name}", version = "{version}" }}
good_until = "{kind}"
k = 0.06
max_time_in_seconds = 600
"#
    )
}

fn asset(symbol: &str, token: Address, Listing { decimals, weight, price, reserve }: &Listing) -> String {
    let (decimals, weight) = (decimals.get(), weight.get());
    format!(
        r#"
[[pool.asset]]
symbol = "{symbol}"
address = "{token}"
decimals = {decimals}
weight = {weight}
reserve = "{reserve}"
price_usd = {price}
"#
    )
}

fn pair(first: &str, second: &str) -> String {
    format!(
        r#"
[[pool.pair]]
assets = ["{first}", "{second}"]
base_fee_bps = 5
annual_volatility = 0.60
"#
    )
}
