//! An environment whose reserves are read from the chain, with the price of ETH from a feed on it.

use std::time::{Duration, Instant};

use firmquote_domain::{NativeSide, U256};
use firmquote_e2e::{
    configuration::{ExtraConfig, NO_LIMITS},
    demo::{DAI, ETH, USDC},
    endpoint::Response,
    evm::CHAIN_ID,
    feed::{Feed, RoundData},
    node::Node,
    service::LEDGER,
    world::{SwapRoute, TestEnvironment},
};
use firmquote_test_servers::patience::PATIENCE;
use serde_json::Value;
use tokio::time::sleep;

/// The initial price of the feed, equal to that in the configuration file.
pub(crate) const PRICE: i64 = 208_052_700_000;
/// Wrapped native for the stablecoin with 6 decimals.
pub(crate) const SELL: SwapRoute = SwapRoute { tokens: (ETH, USDC), native: NativeSide::Neither, transmit: true };
/// The opposite direction.
pub(crate) const BUY: SwapRoute = SwapRoute { tokens: (USDC, ETH), native: NativeSide::Neither, transmit: true };
/// Between the stablecoins, whose prices come from the configuration file.
pub(crate) const STABLE: SwapRoute = SwapRoute { tokens: (USDC, DAI), native: NativeSide::Neither, transmit: true };

/// Returns the amount to swap: one ETH, or 100 of the stablecoin.
pub(crate) fn amount(route: SwapRoute) -> &'static str {
    if route.tokens.0 == ETH { "input_amount=1000000000000000000" } else { "input_amount=100000000" }
}

/// Returns the keys of the chain: the node is polled so often that no test waits for it, and its data is trusted for an
/// hour.
pub(crate) fn nodes(urls: &[&str]) -> String {
    format!("rpc_urls = {urls:?}\nrpc_poll_ms = 50\nrpc_pause_seconds = 1\nmax_block_age_seconds = 3600\n")
}

/// Starts an environment with reserves from the chain and a feed for ETH, read over a WebSocket.
pub(crate) async fn live_world() -> (TestEnvironment, Feed) {
    live_world_with("").await
}

/// Starts the same with these keys for the verified pool.
pub(crate) async fn live_world_with(verified_pool: &str) -> (TestEnvironment, Feed) {
    live_world_with_tables(verified_pool, "").await
}

/// Starts the same with these tables at the end.
pub(crate) async fn live_world_with_tables(verified_pool: &str, tables: &str) -> (TestEnvironment, Feed) {
    let mut feed = None;
    let world = TestEnvironment::start_with(async |node| {
        let new_feed = open_feed(node).await;
        feed = Some(new_feed);
        ExtraConfig {
            chain: nodes(&[&web_socket(node)]),
            verified_pool: verified_pool.to_owned(),
            pool: format!("reserves = \"chain\"\nsingle_use = true\n{NO_LIMITS}"),
            tables: format!("{}\n[store]\nledger_file = \"{LEDGER}\"\n{tables}", price_source(&new_feed)),
        }
    })
    .await;
    (world, feed.unwrap())
}

pub(crate) fn web_socket(node: &Node) -> String {
    node.url().replace("http://", "ws://")
}

/// Creates a feed that reports [`PRICE`].
pub(crate) async fn open_feed(node: &Node) -> Feed {
    let feed = Feed::create(node).await;
    let (_, now) = node.newest().await;
    feed.set_round(node, RoundData::new(1, PRICE, now)).await;
    feed
}

/// Returns the feed as the price source of ETH. Any price change is accepted at once.
pub(crate) fn price_source(feed: &Feed) -> String {
    format!(
        r#"
[[price_source]]
kind = "chainlink"
chain_id = {CHAIN_ID}

[[price_source.asset]]
symbol = "ETH"
id = "{}"

[[price_rule]]
symbol = "ETH"
max_age_ms = 3600000
max_jump_bps_per_second = 9999
"#,
        feed.address
    )
}

/// Retries `attempt` until it succeeds.
pub(crate) async fn until<T>(what: &str, mut attempt: impl AsyncFnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match attempt().await {
            Ok(value) => return value,
            Err(reason) => assert!(start.elapsed() < PATIENCE, "timed out waiting until {what}: {reason}"),
        }
        sleep(Duration::from_millis(10)).await;
    }
}

/// Requests a quote of `route` from the packed pool.
pub(crate) async fn request_quote(world: &TestEnvironment, route: SwapRoute) -> Response {
    let symbols = firmquote_e2e::world::symbols(route);
    let query = format!("{symbols}&{}&pool_address={}", amount(route), world.verified);
    world.service.get(&format!("/rfq/v2/quote/{CHAIN_ID}"), &query).await
}

/// Waits until such a quote succeeds, and returns it.
pub(crate) async fn until_quoted(world: &TestEnvironment, route: SwapRoute) -> Value {
    let quoted = async || match request_quote(world, route).await {
        answer if answer.status == 200 => Ok(answer.body),
        answer => Err(answer.text),
    };
    until("a quote succeeds", quoted).await
}

/// Waits until such a quote is refused with 503 and a message that contains `reason`.
pub(crate) async fn until_refused(world: &TestEnvironment, route: SwapRoute, reason: &str) {
    let refused = async || match request_quote(world, route).await {
        answer if answer.is_retryable() && answer.text.contains(reason) => Ok(answer.body),
        answer => Err(answer.text),
    };
    let body = until(&format!("it is refused because {reason}"), refused).await;
    assert_eq!(body["errorType"], "ExternalServiceError");
}

/// Returns the published balances of the packed pool, in the order of its assets.
pub(crate) async fn published(world: &TestEnvironment) -> Vec<U256> {
    let path = format!("/rfq/v2/pool/{CHAIN_ID}");
    let body = world.service.get(&path, &format!("pool_address={}", world.verified)).await.ok();
    let assets = body["pools"][0]["assets"].as_array().unwrap().clone();
    assets.iter().map(|asset| asset["balance"].as_str().unwrap().parse().unwrap()).collect()
}
