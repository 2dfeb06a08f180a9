//! Pools and fixed prices that are replaced on reload.

use std::sync::Arc;

use firmquote_domain::{Amount, Price, U256, Volatility};
use firmquote_market::{
    FixedPrice, Market, MarketWriter, PoolInputs, PriceInput, PriceSettings, Rejection, ReserveInput, Trusted,
    VolatilityParameters,
};

use super::{START, TOKENS, composite_price, eth, fixed, observation, pool, pool_id, reserves, state, symbol, writer};

/// Replaces the pools and returns the new market.
fn replace_pools(writer: &MarketWriter, pools: Vec<PoolInputs>) -> Arc<Market> {
    let market = Arc::new(Market::default());
    writer.replace_pools(Arc::clone(&market), pools, PriceSettings::default(), START);
    market
}

#[test]
fn redefined_pools_keep_their_state() {
    let (before, writer) = writer(None);
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    let before_replacement = state(&before, 1);
    let reordered = PoolInputs {
        assets: vec![(TOKENS[1], fixed()), (TOKENS[0], PriceInput::Live(symbol("ETH")))],
        ..pool(1, [fixed(), fixed()], None)
    };
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
    let volatility = |text| Volatility::from_decimal(text).unwrap();
    let parameters =
        VolatilityParameters { half_life_seconds: 60, floor: volatility("0.05"), ceiling: volatility("2") };
    let other = VolatilityParameters { half_life_seconds: 61, ..parameters };
    let (_, writer) = writer(Some(parameters));
    for second in 0..=120 {
        let now = START.plus_seconds(second);
        writer.receive([(&symbol("ETH"), 0, observation(if second % 2 == 0 { "2000" } else { "2000.2" }, now))], now);
    }
    let live_eth = || PriceInput::Live(symbol("ETH"));
    let estimated = |pool| state(&replace_pools(&writer, vec![pool]), 1).volatilities[0].is_some();
    assert!(estimated(pool(1, [live_eth(), fixed()], Some(parameters))));
    assert!(!estimated(pool(1, [live_eth(), fixed()], Some(other))), "another rule");
    assert!(!estimated(pool(1, [live_eth(), fixed()], Some(parameters))), "what was given up is not known again");
}

#[test]
fn a_fixed_price_can_change_on_reload() {
    let market = Arc::new(Market::default());
    let mut fixed_only = composite_price(1);
    fixed_only.set_fixed_price(0, Price::from_decimal("3").unwrap());
    let pools = || vec![pool(1, [PriceInput::Live(symbol("ETH")), fixed()], None)];
    let writer = MarketWriter::new(Arc::clone(&market), vec![(symbol("ETH"), fixed_only)], pools(), START);
    writer.set_reserves(pool_id(1), Ok(Trusted::without_expiry(reserves([100, 200]))), START);
    assert_eq!(eth(&market, START).unwrap().0, "3");
    let after = Arc::new(Market::default());
    let four = Price::from_decimal("4").unwrap();
    let fixed_prices = &[FixedPrice { symbol: symbol("ETH"), position: 0, price: four }];
    let settings = PriceSettings { fixed_prices, ..PriceSettings::default() };
    writer.replace_pools(Arc::clone(&after), pools(), settings, START);
    assert_eq!(eth(&after, START).unwrap().0, "4");
}
