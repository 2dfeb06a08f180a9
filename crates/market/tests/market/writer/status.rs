//! The status for dashboards.

use firmquote_domain::Price;
use firmquote_market::{FeedStatus, Rejection, Rule, Trusted};

use super::{START, observation, pool_id, reserves, symbol, writer};

#[test]
fn the_status_shows_the_last_observation_and_why_it_is_untrusted() {
    let (_, writer) = writer(None);
    let asset_status = |seconds| {
        let mut status = writer.status(START.plus_seconds(seconds));
        assert_eq!((status.assets.len(), status.pools.len()), (1, 2));
        status.assets.remove(0)
    };
    let counts = |feed: &FeedStatus| feed.rejection_counts.map(|(_, count)| count);
    let silent = asset_status(0);
    assert_eq!(
        (silent.symbol.as_str(), silent.rules.max_age_ms, silent.price),
        ("ETH", 10_000, Err(Rejection::Silent))
    );
    assert_eq!(
        silent.feeds[1],
        FeedStatus { last_price: None, rejection: Some(Rejection::Silent), ..silent.feeds[0].clone() }
    );
    assert_eq!(silent.feeds[1].rejection_counts.map(|(rule, _)| rule), Rule::UPDATE_RULES);
    let observation = |price: &str, seconds: u32| {
        writer.receive(
            [(&symbol("ETH"), 0, observation(price, START.plus_seconds(seconds)))],
            START.plus_seconds(seconds),
        );
    };
    observation("2000", 0);
    observation("9000", 1);
    let jumped = asset_status(1);
    let price = "9000".parse::<Price>().unwrap();
    assert_eq!(jumped.feeds[0].last_price, Some((price, Some(START.plus_seconds(1)))), "also what is not trusted");
    assert_eq!(jumped.feeds[0].rejection.as_ref().map(Rejection::rule), Some(Rule::Jump));
    observation("-1", 2);
    observation("-1", 3);
    let invalid = asset_status(3);
    assert_eq!((counts(&invalid.feeds[0]), counts(&invalid.feeds[1])), ([1, 0, 0, 2], [0; 4]));
    observation("2001", 4);
    assert_eq!(asset_status(4).price.map(|trusted| trusted.time()), Ok(Some(START.plus_seconds(4))));
    assert_eq!(asset_status(14).price.map_err(|rejection| rejection.rule()), Err(Rule::Old));
}

#[test]
fn the_status_shows_reserves_with_trust_and_volatilities() {
    let (_, writer) = writer(None);
    let pool = |position: usize| writer.status(START).pools.swap_remove(position);
    assert_eq!((pool(0).id, pool(0).volatilities), (pool_id(1), vec![None]));
    assert_eq!(pool(0).reserves.unwrap().time(), None, "they never get old");
    let until = START.plus_seconds(5);
    writer.set_reserves(pool_id(1), Ok(Trusted { value: reserves([1, 2]), since: START, until }), START);
    assert_eq!(pool(0).reserves, Ok(Trusted { value: (), since: START, until }));
    let reason = Rejection::Reserves("no node answers".to_owned());
    writer.set_reserves(pool_id(1), Err(reason.clone()), START);
    assert_eq!((pool(0).reserves, pool(1).reserves.is_ok()), (Err(reason), true));
}
