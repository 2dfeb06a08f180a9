//! A node that hangs, and a chain that stops producing blocks.

use std::time::Duration;

use firmquote_e2e::{configuration::ExtraConfig, world::TestEnvironment};
use tokio::time::sleep;

use crate::live::setup::{STABLE, nodes, request_quote, until, until_refused, web_socket};

const ON_CHAIN: &str = "reserves = \"chain\"\n";

/// Mines blocks at intervals, as a chain does, until the server quotes.
async fn mine_until_quoted(world: &TestEnvironment) {
    until("a quote succeeds", async || {
        world.node.mine(1).await;
        let mut answer = request_quote(world, STABLE).await;
        for _ in 0..150 {
            if answer.status == 200 {
                return Ok(());
            }
            sleep(Duration::from_millis(10)).await;
            answer = request_quote(world, STABLE).await;
        }
        Err(answer.text)
    })
    .await;
}

#[tokio::test]
async fn stale_reserves_are_not_quoted() {
    for is_web_socket in [true, false] {
        let mut world = TestEnvironment::start_with(async |node| {
            let url = if is_web_socket { web_socket(node) } else { node.url().to_owned() };
            let chain = nodes(&[&url]).replace("= 3600", "= 3") + "rpc_timeout_ms = 500\n";
            ExtraConfig { chain, pool: ON_CHAIN.to_owned(), ..ExtraConfig::default() }
        })
        .await;
        // The node mines nothing by itself: the chain stands still.
        until_refused(&world, STABLE, "is currently not quoted: its reserves are ").await;
        mine_until_quoted(&world).await;

        // Suspends the node; its connections stay open.
        world.node.mine(1).await;
        world.node.set_suspended(true);
        until_refused(&world, STABLE, " ms old, at most 3000 ms is allowed").await;
        world.node.set_suspended(false);
        mine_until_quoted(&world).await;
    }
}
