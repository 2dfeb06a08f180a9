//! Invalid answers of a price feed: the asset is not quoted until the feed has a valid price.

use firmquote_e2e::feed::RoundData;

use crate::live::setup::{PRICE, SELL, STABLE, live_world, request_quote, until_quoted, until_refused};

#[tokio::test]
async fn an_asset_without_a_feed_price_is_not_quoted_until_it_has_one() {
    let (world, feed) = live_world().await;
    until_quoted(&world, SELL).await;
    let (_, now) = world.node.newest().await;
    let good = RoundData::new(2, PRICE, now);
    let mut round = 2;
    for (answer, reason) in [
        (RoundData { price: 0, ..good }, "an answer above zero"),
        (RoundData { price: -PRICE, ..good }, "an answer above zero"),
        (RoundData { updated_at: 0, ..good }, "a round that is complete"),
        (RoundData { updated_at: now + 7_200, ..good }, "an update that is not in the future"),
        (RoundData { updated_at: now - 7_200, ..good }, "an update within the heartbeat of the feed"),
        (RoundData { answered_in: 1, ..good }, "an answer of its own round"),
    ] {
        round += 1;
        let answered_in = if answer.answered_in == 1 { 1 } else { round };
        feed.set_round(&world.node, RoundData { round, answered_in, ..answer }).await;
        until_refused(&world, SELL, "ETH is currently not quoted: the last update is not a valid price: ").await;
        let text = request_quote(&world, SELL).await.text;
        assert!(text.contains(reason), "{text}");
        assert_eq!(request_quote(&world, STABLE).await.status, 200, "other assets are still quoted");
        round += 1;
        feed.set_round(&world.node, RoundData { round, answered_in: round, ..good }).await;
        until_quoted(&world, SELL).await;
    }
}
