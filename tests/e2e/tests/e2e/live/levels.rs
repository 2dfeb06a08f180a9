//! Price levels of a pool on a real node, from the perspective of a compliant consumer.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use firmquote_client::{LevelBook, Levels, LevelsChange, LevelsRequest, Symbol};
use firmquote_domain::{Address, Amount};
use firmquote_e2e::{
    configuration::{ExtraConfig, SYMBOLS},
    evm::{CHAIN_ID, chain_id},
    feed::RoundData,
    world::{SwapRoute, TestEnvironment},
};
use firmquote_test_servers::patience::PATIENCE;
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    client::setup::{api_key, client},
    live::setup::{PRICE, SELL, STABLE, amount, live_world, nodes, until, until_quoted, until_refused, web_socket},
};

/// Follows the levels of one direction at the verified pool, for the validity of the environment's quotes.
fn follow(world: &TestEnvironment, route: SwapRoute) -> Levels {
    let pair = [route.tokens.0, route.tokens.1].map(|position| Symbol::new(SYMBOLS[position]).unwrap());
    let request = LevelsRequest {
        pairs: vec![pair],
        pool_address: Some(world.verified),
        time_in_seconds: Some(600),
        ..LevelsRequest::new(chain_id())
    };
    client(&world.service, api_key()).follow_levels(request)
}

/// Waits until there is a single book that fulfills the condition.
async fn until_book(levels: &mut Levels, what: &str, condition: impl Fn(&LevelBook) -> bool) -> LevelBook {
    let book = async {
        loop {
            if let Some(book) = levels.books().find(|book| condition(book)) {
                return book.clone();
            }
            let change = levels.changed().await.unwrap();
            assert!(matches!(change, LevelsChange::Books), "{change:?}");
        }
    };
    timeout(PATIENCE, book).await.unwrap_or_else(|_| panic!("timed out waiting until {what}"))
}

/// Requests quotes of sizes between the knots, and checks that each pays at least the line's output.
async fn check_against_quotes(world: &TestEnvironment, route: SwapRoute, levels: &mut Levels) {
    until("levels and quotes are of the same state", async || {
        let book = until_book(levels, "there is a book", |_| true).await;
        for ends in book.knots().windows(2) {
            let middle = (ends[0][0].base_units() + ends[1][0].base_units()) >> 1;
            let quote = world.quote(world.verified, route, &format!("input_amount={middle}")).await;
            if quote["state_id"] != book.state_id.to_string() {
                // The next state may be about to arrive.
                _ = timeout(std::time::Duration::from_millis(50), levels.changed()).await;
                return Err(quote.to_string());
            }
            let line = book.output_for(Amount::new(middle).unwrap()).unwrap();
            assert!(quote["output_amount"].as_str().unwrap().parse::<Amount>().unwrap() >= line, "{quote} {line}");
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
async fn swaps_and_prices_update_the_levels_at_once() {
    let (world, feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let mut levels = follow(&world, SELL);
    let first = until_book(&mut levels, "there is a book", |_| true).await;
    check_against_quotes(&world, SELL, &mut levels).await;

    // The signature counts at once. Its execution leaves the reserves as already priced in.
    let signed = world.sign(world.verified, SELL, amount(SELL), Address::repeat_byte(0xd3)).await;
    let after_signature =
        until_book(&mut levels, "the signature counts", |book| book.levels_id != first.levels_id).await;
    let at = first.knots()[first.knots().len() / 2][0];
    assert!(after_signature.output_for(at) < first.output_for(at));
    world.provide(world.token(SELL.tokens.0), world.wallet, signed.input).await;
    world.prepare(SELL, &signed).await;
    world.execute(&world.transaction(SELL, &signed)).await;
    until_book(&mut levels, "the swap is in the reserves", |book| book.state_id != after_signature.state_id).await;
    check_against_quotes(&world, SELL, &mut levels).await;

    let (_, now) = world.node.newest().await;
    feed.set_round(&world.node, RoundData::new(2, PRICE * 101 / 100, now)).await;
    let has_higher_output = |book: &LevelBook| book.output_for(at) > first.output_for(at);
    until_book(&mut levels, "the price has risen", has_higher_output).await;
    check_against_quotes(&world, SELL, &mut levels).await;
}

#[tokio::test]
async fn levels_expire_at_the_consumer_while_the_node_hangs() {
    let mut world = TestEnvironment::start_with(async |node| {
        let chain = nodes(&[&web_socket(node)]).replace("= 3600", "= 3") + "rpc_timeout_ms = 500\n";
        ExtraConfig { chain, pool: "reserves = \"chain\"\n".to_owned(), ..ExtraConfig::default() }
    })
    .await;
    let mut levels = follow(&world, STABLE);
    let path = format!("/rfq/v2/levels/{CHAIN_ID}");
    let query = format!("pool_address={}", world.verified);
    // A chain that mines a block now and then has books, which are valid as long as its newest block.
    let book = until("there is a book", async || {
        world.node.mine(1).await;
        match timeout(std::time::Duration::from_secs(1), levels.changed()).await {
            Ok(change) => assert!(matches!(change.unwrap(), LevelsChange::Books)),
            Err(_) => return Err("no change".to_owned()),
        }
        levels.books().next().cloned().ok_or_else(|| "no book".to_owned())
    })
    .await;
    assert!(book.valid_until_ms <= book.as_of_ms + 3_000, "{book:?}");

    world.node.set_suspended(true);
    let expired = async {
        while levels.books().next().is_some() {
            let change = levels.changed().await.unwrap();
            assert!(matches!(change, LevelsChange::Books), "{change:?}");
        }
    };
    timeout(PATIENCE, expired).await.expect("the book expires");
    until_refused(&world, STABLE, " ms old, at most 3000 ms is allowed").await;
    let snapshot = world.service.get(&path, &query).await.ok();
    assert_eq!(snapshot["books"], Value::Array(Vec::new()));
    assert!(
        snapshot["withdrawn"].as_array().unwrap().iter().any(|entry| entry["reason"] == "stale_reserves"),
        "{snapshot}"
    );
    world.node.set_suspended(false);
}
