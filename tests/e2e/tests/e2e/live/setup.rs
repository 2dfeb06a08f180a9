//! A world whose reserves are read from the chain, and whose price of ETH is that of a feed on it.

use std::time::{Duration, Instant};

use firmquote_domain::{NativeSide, U256};
use firmquote_e2e::{
    configuration::{ExtraConfig, NO_LIMITS},
    demo::{DAI, ETH, USDC},
    endpoint::Response as Answered,
    evm::CHAIN_ID,
    feed::{Feed, RoundData},
    node::Node,
    service::LEDGER,
    world::{SwapRoute, TestEnvironment},
};
use firmquote_test_servers::patience::PATIENCE;
use serde_json::Value;
use tokio::time::sleep;

/// The price of the feed in the beginning: that of the file.
pub(crate) const PRICE: i64 = 208_052_700_000;
/// Wrapped native for the stable coin with 6 decimals.
pub(crate) const SELL: SwapRoute = SwapRoute { tokens: (ETH, USDC), native: NativeSide::Neither, transmit: true };
/// The other way round.
pub(crate) const BUY: SwapRoute = SwapRoute { tokens: (USDC, ETH), native: NativeSide::Neither, transmit: true };
/// Between the stable coins, whose prices are those of the file.
pub(crate) const STABLE: SwapRoute = SwapRoute { tokens: (USDC, DAI), native: NativeSide::Neither, transmit: true };

/// What is swapped: one ETH, or 100 of the stable coin.
pub(crate) fn amount(form: SwapRoute) -> &'static str {
    if form.tokens.0 == ETH { "input_amount=1000000000000000000" } else { "input_amount=100000000" }
}

/// Keys of the chain: the node is asked so often that nobody waits for it, and trusted for an hour.
pub(crate) fn nodes(urls: &[&str]) -> String {
    format!("rpc_urls = {urls:?}\nrpc_poll_ms = 50\nrpc_pause_seconds = 1\nmax_block_age_seconds = 3600\n")
}

/// Reserves of the chain and a feed for ETH, read over a WebSocket.
pub(crate) async fn live_world() -> (TestEnvironment, Feed) {
    live_world_with("").await
}

/// The same with these keys for the verified pool.
pub(crate) async fn live_world_with(verified_pool: &str) -> (TestEnvironment, Feed) {
    let mut feed = None;
    let world = TestEnvironment::start_with(async |node| {
        let opened = open_feed(node).await;
        feed = Some(opened);
        ExtraConfig {
            chain: nodes(&[&web_socket(node)]),
            verified_pool: verified_pool.to_owned(),
            pool: format!("reserves = \"chain\"\nsingle_use = true\n{NO_LIMITS}"),
            tables: format!("{}\n[store]\nledger_file = \"{LEDGER}\"\n", price_source(&opened)),
        }
    })
    .await;
    (world, feed.unwrap())
}

pub(crate) fn web_socket(node: &Node) -> String {
    node.url().replace("http://", "ws://")
}

/// A feed that tells [`PRICE`].
pub(crate) async fn open_feed(node: &Node) -> Feed {
    let feed = Feed::create(node).await;
    let (_, now) = node.newest().await;
    feed.set_round(node, RoundData::of(1, PRICE, now)).await;
    feed
}

/// The feed as the source of the price of ETH. Any change is believed at once.
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

/// Asks again and again until the answer is the one that is waited for.
pub(crate) async fn until<T>(what: &str, mut attempt: impl AsyncFnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match attempt().await {
            Ok(done) => return done,
            Err(reason) => assert!(start.elapsed() < PATIENCE, "waited in vain until {what}: {reason}"),
        }
        sleep(Duration::from_millis(10)).await;
    }
}

/// What the server answers to a quote of `form` at the packed pool.
pub(crate) async fn ask(world: &TestEnvironment, form: SwapRoute) -> Answered {
    let symbols = firmquote_e2e::world::symbols(form);
    let query = format!("{symbols}&{}&pool_address={}", amount(form), world.verified);
    world.service.get(&format!("/rfq/v2/quote/{CHAIN_ID}"), &query).await
}

/// Waits until such a quote is answered.
pub(crate) async fn until_quoted(world: &TestEnvironment, form: SwapRoute) -> Value {
    let quoted = async || match ask(world, form).await {
        answer if answer.status == 200 => Ok(answer.body),
        answer => Err(answer.text),
    };
    until("it is quoted", quoted).await
}

/// Waits until such a quote is refused with 503 and a message that holds `reason`.
pub(crate) async fn until_refused(world: &TestEnvironment, form: SwapRoute, reason: &str) {
    let refused = async || match ask(world, form).await {
        answer if answer.is_try_later() && answer.text.contains(reason) => Ok(answer.body),
        answer => Err(answer.text),
    };
    let body = until(&format!("it is refused because {reason}"), refused).await;
    assert_eq!(body["errorType"], "ExternalServiceError");
}

/// What the packed pool holds, as the server publishes it, in the order of its assets.
pub(crate) async fn published(world: &TestEnvironment) -> Vec<U256> {
    let path = format!("/rfq/v2/pool/{CHAIN_ID}");
    let body = world.service.get(&path, &format!("pool_address={}", world.verified)).await.ok();
    let assets = body["pools"][0]["assets"].as_array().unwrap().clone();
    assets.iter().map(|asset| asset["balance"].as_str().unwrap().parse().unwrap()).collect()
}
