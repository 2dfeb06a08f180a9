//! Pools and fixed prices that are replaced on reload.

use std::sync::Arc;

use firmquote_domain::{Amount, Price, U256, Volatility};
use firmquote_market::{
    FeedInput, LivePrice, Market, MarketWriter, PoolInputs, Rejection, ReserveInput, Trusted, VolatilityParameters,
};

use super::{START, TOKENS, eth, fixed, live, observation, pool, pool_id, reserves, rules, state, symbol, writer};

/// The price of ETH from these feeds.
fn eth_price(feeds: &[FeedInput]) -> LivePrice {
    let feeds = feeds.iter().map(|feed| ("a source".into(), *feed)).collect();
    LivePrice { symbol: symbol("ETH"), rules: rules(), feeds }
}

/// Replaces the pools and returns the new market.
fn replace_pools(writer: &MarketWriter, pools: Vec<PoolInputs>) -> Arc<Market> {
    let market = Arc::new(Market::default());
    writer.replace(Arc::clone(&market), &[eth_price(&[FeedInput::Existing(0), FeedInput::Existing(1)])], pools, START);
    market
}

#[test]
fn redefined_pools_keep_their_state() {
    let (before, writer) = writer(None);
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    let before_replacement = state(&before, 1);
    let reordered =
        PoolInputs { assets: vec![(TOKENS[1], fixed()), (TOKENS[0], live())], ..pool(1, [fixed(), fixed()], None) };
    let after = replace_pools(&writer, vec![reordered, pool(3, [fixed(), fixed()], None)]);
    let [usdc, eth] = [0, 1].map(|position: usize| state(&after, 1).assets[position].at(START).unwrap());
    assert_eq!([usdc.0, eth.0].map(|price| price.to_string()), ["1", "2000"]);
    let amounts = [200, 100].map(|amount| Amount::new(U256::from(amount)).unwrap());
    assert_eq!([usdc.1, eth.1], amounts, "reserves follow their tokens");
    let unknown = Rejection::Reserves("no reserves received yet".to_owned());
    assert_eq!(state(&after, 3).assets[0].at(START), Err(unknown), "a new pool has no data");
    assert!(after.snapshot().pool(pool_id(2)).is_none());
    writer.receive([(&symbol("ETH"), 0, observation("2001", START))], START);
    assert!(Arc::ptr_eq(&before_replacement, &state(&before, 1)), "the market with the old positions stays as it is");
    assert_eq!(state(&after, 1).assets[1].at(START).unwrap().0.to_string(), "2001");
}

#[test]
fn fixed_reserves_ignore_reports() {
    let (_, writer) = writer(None);
    let fixed_reserves =
        PoolInputs { reserves: ReserveInput::Fixed(reserves([7, 8])), ..pool(1, [fixed(), fixed()], None) };
    let market = replace_pools(&writer, vec![fixed_reserves]);
    writer.set_reserves(pool_id(1), Ok(Trusted::without_expiry(reserves([9, 9]))), START);
    assert_eq!(eth(&market, START).unwrap().1, Amount::new(U256::from(7)).unwrap());
    let market = replace_pools(&writer, vec![pool(1, [fixed(), fixed()], None)]);
    assert!(eth(&market, START).is_err(), "what the file said is not what the chain says");
}

#[test]
fn an_estimate_continues_while_prices_and_rule_are_unchanged() {
    let volatility = |text: &str| text.parse::<Volatility>().unwrap();
    let parameters =
        VolatilityParameters { half_life_seconds: 60, floor: volatility("0.05"), ceiling: volatility("2") };
    let other = VolatilityParameters { half_life_seconds: 61, ..parameters };
    let (_, writer) = writer(Some(parameters));
    for second in 0..=120 {
        let now = START.plus_seconds(second);
        writer.receive([(&symbol("ETH"), 0, observation(if second % 2 == 0 { "2000" } else { "2000.2" }, now))], now);
    }
    let estimated = |pool| state(&replace_pools(&writer, vec![pool]), 1).volatilities[0].is_some();
    assert!(estimated(pool(1, [live(), fixed()], Some(parameters))));
    assert!(!estimated(pool(1, [live(), fixed()], Some(other))), "another rule");
    assert!(!estimated(pool(1, [live(), fixed()], Some(parameters))), "what was given up is not known again");
}

#[test]
fn a_fixed_price_can_change_on_reload() {
    let market = Arc::new(Market::default());
    let pools = || vec![pool(1, [live(), fixed()], None)];
    let writer = MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), START);
    for price in ["3", "4"] {
        let fixed_only = eth_price(&[FeedInput::Fixed(price.parse::<Price>().unwrap())]);
        writer.replace(Arc::clone(&market), &[fixed_only], pools(), START);
        writer.set_reserves(pool_id(1), Ok(Trusted::without_expiry(reserves([100, 200]))), START);
        assert_eq!(eth(&market, START).unwrap().0, price);
    }
}

#[test]
fn sources_can_be_added_removed_and_reordered_while_others_keep_their_prices() {
    let (market, writer) = writer(None);
    let replace = |feeds: &[FeedInput]| {
        writer.replace(Arc::clone(&market), &[eth_price(feeds)], vec![pool(1, [live(), fixed()], None)], START);
        eth(&market, START).map(|(price, _)| price)
    };
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    writer.receive([(&symbol("ETH"), 1, observation("2001", START))], START);
    let (new, kept) = (FeedInput::New, FeedInput::Existing);
    assert_eq!(replace(&[new, kept(1), kept(0)]).unwrap(), "2001");
    writer.receive([(&symbol("ETH"), 0, observation("2002", START))], START);
    assert_eq!(eth(&market, START).unwrap().0, "2002", "the new source takes precedence");
    assert_eq!(replace(&[kept(2)]).unwrap(), "2000");
    // The rules still compare with the last price.
    writer.receive([(&symbol("ETH"), 0, observation("4000", START))], START);
    assert!(matches!(replace(&[kept(0)]), Err(Rejection::Jump { .. })));
    assert_eq!(replace(&[new]), Err(Rejection::Silent));
    writer.replace(Arc::clone(&market), &[], vec![pool(1, [live(), fixed()], None)], START);
    assert_eq!(eth(&market, START), Err(Rejection::Silent), "an asset without a price");
}
