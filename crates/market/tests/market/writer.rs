//! The next reader of the market finds the prices and reserves that were written.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic outside its test functions too")]

use std::sync::Arc;

use firmquote_domain::{Address, Amount, BasisPoints, ChainId, PoolId, Price, Symbol, Timestamp, U256, Volatility};
use firmquote_market::{
    Aggregation, CompositePrice, Deviation, FeedStatus, FixedPrice, Market, MarketWriter, Observation, PoolOrigins,
    PoolState, PriceOrigin, PriceRules, PriceSettings, Rejection, ReserveOrigin, Reserves, Rule, Trusted,
    VolatilityParameters,
};

const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

fn symbol(text: &str) -> Symbol {
    Symbol::new(text).unwrap()
}

fn pool_id(byte: u8) -> PoolId {
    PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(byte) }
}

fn composite_price(sources: usize) -> CompositePrice {
    let wide = BasisPoints::from_decimal("9999").unwrap();
    let rules = PriceRules {
        max_age_ms: 10_000,
        max_jump_per_second: wide,
        max_move_per_minute: wide,
        max_deviation: Deviation::from_basis_points(wide),
        max_confidence: Deviation::from_basis_points(wide),
        aggregation: Aggregation::Priority,
    };
    CompositePrice::new(rules, sources)
}

/// The tokens of every pool, in its order.
const TOKENS: [Address; 2] = [Address::repeat_byte(0xa1), Address::repeat_byte(0xa2)];

fn reserves(amounts: [u64; 2]) -> Reserves {
    let balances = TOKENS.into_iter().zip(amounts.map(U256::from)).collect();
    Reserves { balances, block: Some(3), pool_tokens: U256::from(7) }
}

fn fixed() -> PriceOrigin {
    PriceOrigin::Fixed(Price::from_decimal("1").unwrap())
}

fn pool(byte: u8, prices: [PriceOrigin; 2], rule: Option<VolatilityParameters>) -> PoolOrigins {
    PoolOrigins {
        id: pool_id(byte),
        assets: TOKENS.into_iter().zip(prices).collect(),
        reserves: ReserveOrigin::Live,
        pairs: vec![([0, 1], rule)],
    }
}

/// ETH live from two sources, USDC and DAI fixed; a pool of ETH and USDC, and one of USDC and DAI.
fn writer(rule: Option<VolatilityParameters>) -> (Arc<Market>, MarketWriter) {
    let market = Arc::new(Market::default());
    let pools = vec![pool(1, [PriceOrigin::Live(symbol("ETH")), fixed()], rule), pool(2, [fixed(), fixed()], None)];
    let writer = MarketWriter::new(Arc::clone(&market), vec![(symbol("ETH"), composite_price(2))], pools, START);
    for byte in [1, 2] {
        writer.set_reserves(pool_id(byte), Ok(Trusted::without_expiry(reserves([100, 200]))), START);
    }
    (market, writer)
}

fn state(market: &Market, byte: u8) -> Arc<PoolState> {
    Arc::clone(market.snapshot().pool(pool_id(byte)).unwrap())
}

/// Price and reserve of the first asset of the first pool.
fn eth(market: &Market, now: Timestamp) -> Result<(String, Amount), Rejection> {
    state(market, 1).assets[0].at(now).map(|(price, reserve)| (price.to_string(), reserve))
}

fn observation(price: &str, at: Timestamp) -> Result<Observation, firmquote_domain::InvalidValue> {
    Observation::from_decimal(price, at)
}

#[test]
fn prices_are_available_on_arrival_and_until_their_trust_expires() {
    let (market, writer) = writer(None);
    assert_eq!(eth(&market, START), Err(Rejection::Silent));
    assert!(state(&market, 2).assets[0].at(START).is_ok(), "the other pool has fixed prices");
    let before = state(&market, 2);
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    let hundred = Amount::new(U256::from(100)).unwrap();
    assert_eq!(eth(&market, START), Ok(("2000".to_owned(), hundred)));
    assert!(Arc::ptr_eq(&before, &state(&market, 2)), "a pool without the asset stays as it is");
    let old = Rejection::Old { age_ms: 10_000, max_age_ms: 10_000 };
    assert_eq!(eth(&market, START.plus_seconds(10)), Err(old), "nobody had to look again");
    writer.receive([(&symbol("WBTC"), 0, observation("60000", START))], START);
    writer.receive([(&symbol("USDC"), 0, observation("2", START))], START);
    assert_eq!(state(&market, 1).assets[1].at(START).unwrap().0.to_string(), "1", "a fixed price hears nobody");
}

#[test]
fn a_second_source_takes_over_on_refresh() {
    let (market, writer) = writer(None);
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    let later = START.plus_seconds(9);
    writer.receive([(&symbol("ETH"), 1, observation("2001", later))], later);
    assert_eq!(eth(&market, later).unwrap().0, "2000");
    let silent = START.plus_seconds(10);
    assert!(eth(&market, silent).is_err());
    writer.refresh(silent);
    assert_eq!(eth(&market, silent).unwrap().0, "2001");
}

#[test]
fn reserves_are_replaced_and_distrusted_as_a_whole() {
    let (market, writer) = writer(None);
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    let until = START.plus_seconds(5);
    writer.set_reserves(pool_id(1), Ok(Trusted { value: reserves([300, 0]), since: START, until }), START);
    let known = state(&market, 1);
    assert_eq!(known.assets[0].at(START).unwrap().1, Amount::new(U256::from(300)).unwrap());
    assert_eq!(known.pool_tokens, U256::from(7));
    let none = Rejection::Reserves("the pool holds none of it".to_owned());
    assert_eq!(known.assets[1].at(START), Err(none));
    assert_eq!(known.assets[0].at(until), Err(Rejection::OldReserves { age_ms: 5_000, max_age_ms: 5_000 }));
    let reason = Rejection::Reserves("no node answers".to_owned());
    writer.set_reserves(pool_id(1), Err(reason.clone()), START);
    assert_eq!(eth(&market, START), Err(reason));
    writer.set_reserves(pool_id(9), Ok(Trusted::without_expiry(reserves([1, 1]))), START);
    assert!(market.snapshot().pool(pool_id(9)).is_none(), "a pool that is not kept");
}

#[test]
fn the_snapshot_includes_the_estimated_volatility() {
    let volatility = |text| Volatility::from_decimal(text).unwrap();
    let rule = VolatilityParameters { half_life_seconds: 60, floor: volatility("0.05"), ceiling: volatility("2") };
    let (market, writer) = writer(Some(rule));
    for second in 0..=120 {
        let now = START.plus_seconds(second);
        let price = if second % 2 == 0 { "2000" } else { "2000.2" };
        writer.receive([(&symbol("ETH"), 0, observation(price, now))], now);
        let known = state(&market, 1).volatilities.clone();
        match second {
            0..60 => assert_eq!(known, [None], "{second}: the configured one holds"),
            _ => assert!(known[0].is_some_and(|known| known.estimate > volatility("0.56")), "{second}: {known:?}"),
        }
    }
}

#[test]
fn the_status_shows_the_last_observation_and_why_it_is_untrusted() {
    let (_, writer) = writer(None);
    let shown = |seconds| {
        let mut status = writer.status(START.plus_seconds(seconds));
        assert_eq!((status.assets.len(), status.pools.len()), (1, 2));
        status.assets.remove(0)
    };
    let counts = |feed: &FeedStatus| feed.rejection_counts.map(|(_, count)| count);
    let silent = shown(0);
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
    let jumped = shown(1);
    let said = Price::from_decimal("9000").unwrap();
    assert_eq!(jumped.feeds[0].last_price, Some((said, Some(START.plus_seconds(1)))), "also what is not trusted");
    assert_eq!(jumped.feeds[0].rejection.as_ref().map(Rejection::rule), Some(Rule::Jump));
    observation("-1", 2);
    observation("-1", 3);
    let invalid = shown(3);
    assert_eq!((counts(&invalid.feeds[0]), counts(&invalid.feeds[1])), ([1, 0, 0, 2], [0; 4]));
    observation("2001", 4);
    assert_eq!(shown(4).price.map(|trusted| trusted.time()), Ok(Some(START.plus_seconds(4))));
    assert_eq!(shown(14).price.map_err(|rejection| rejection.rule()), Err(Rule::Old));
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

/// The market after the pools were described anew, as `pools`.
fn replaced(writer: &MarketWriter, pools: Vec<PoolOrigins>) -> Arc<Market> {
    let market = Arc::new(Market::default());
    writer.replace_pools(Arc::clone(&market), pools, PriceSettings::default(), START);
    market
}

#[test]
fn redefined_pools_keep_their_state() {
    let (before, writer) = writer(None);
    writer.receive([(&symbol("ETH"), 0, observation("2000", START))], START);
    let frozen = state(&before, 1);
    let turned = PoolOrigins {
        assets: vec![(TOKENS[1], fixed()), (TOKENS[0], PriceOrigin::Live(symbol("ETH")))],
        ..pool(1, [fixed(), fixed()], None)
    };
    let after = replaced(&writer, vec![turned, pool(3, [fixed(), fixed()], None)]);
    let [usdc, eth] = [0, 1].map(|position: usize| state(&after, 1).assets[position].at(START).unwrap());
    assert_eq!([usdc.0, eth.0].map(|price| price.to_string()), ["1", "2000"]);
    let amounts = [200, 100].map(|amount| Amount::new(U256::from(amount)).unwrap());
    assert_eq!([usdc.1, eth.1], amounts, "reserves follow their tokens");
    let unknown = Rejection::Reserves("its reserves are not known yet".to_owned());
    assert_eq!(state(&after, 3).assets[0].at(START), Err(unknown), "a new pool has no data");
    assert!(after.snapshot().pool(pool_id(2)).is_none());
    writer.receive([(&symbol("ETH"), 0, observation("2001", START))], START);
    assert!(Arc::ptr_eq(&frozen, &state(&before, 1)), "the market with the old positions stays as it is");
    assert_eq!(state(&after, 1).assets[1].at(START).unwrap().0.to_string(), "2001");
}

#[test]
fn fixed_reserves_ignore_reports() {
    let (_, writer) = writer(None);
    let written = PoolOrigins { reserves: ReserveOrigin::Fixed(reserves([7, 8])), ..pool(1, [fixed(), fixed()], None) };
    let market = replaced(&writer, vec![written]);
    writer.set_reserves(pool_id(1), Ok(Trusted::without_expiry(reserves([9, 9]))), START);
    assert_eq!(eth(&market, START).unwrap().1, Amount::new(U256::from(7)).unwrap());
    let market = replaced(&writer, vec![pool(1, [fixed(), fixed()], None)]);
    assert!(eth(&market, START).is_err(), "what the file said is not what the chain says");
}

#[test]
fn an_estimate_continues_while_prices_and_rule_are_unchanged() {
    let volatility = |text| Volatility::from_decimal(text).unwrap();
    let rule = VolatilityParameters { half_life_seconds: 60, floor: volatility("0.05"), ceiling: volatility("2") };
    let other = VolatilityParameters { half_life_seconds: 61, ..rule };
    let (_, writer) = writer(Some(rule));
    for second in 0..=120 {
        let now = START.plus_seconds(second);
        writer.receive([(&symbol("ETH"), 0, observation(if second % 2 == 0 { "2000" } else { "2000.2" }, now))], now);
    }
    let live_eth = || PriceOrigin::Live(symbol("ETH"));
    let estimated = |pool| state(&replaced(&writer, vec![pool]), 1).volatilities[0].is_some();
    assert!(estimated(pool(1, [live_eth(), fixed()], Some(rule))));
    assert!(!estimated(pool(1, [live_eth(), fixed()], Some(other))), "another rule");
    assert!(!estimated(pool(1, [live_eth(), fixed()], Some(rule))), "what was given up is not known again");
}

#[test]
fn a_fixed_price_can_change_on_reload() {
    let market = Arc::new(Market::default());
    let mut fixed_only = composite_price(1);
    fixed_only.set_fixed_price(0, Price::from_decimal("3").unwrap());
    let pools = || vec![pool(1, [PriceOrigin::Live(symbol("ETH")), fixed()], None)];
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

#[test]
fn prices_that_arrive_together_apply_together() {
    let market = Arc::new(Market::default());
    let live = ["ETH", "WBTC"].map(|name| (symbol(name), composite_price(1)));
    let both = vec![pool(1, ["ETH", "WBTC"].map(|name| PriceOrigin::Live(symbol(name))), None)];
    let writer = Arc::new(MarketWriter::new(Arc::clone(&market), live.into(), both, START));
    writer.set_reserves(pool_id(1), Ok(Trusted::without_expiry(reserves([100, 200]))), START);
    let prices = || {
        let state = state(&market, 1);
        [0, 1].map(|asset: usize| state.assets[asset].at(START).map(|(price, _)| price.to_string()).ok())
    };
    let (eth, wbtc) = (symbol("ETH"), symbol("WBTC"));
    let writing = std::thread::spawn({
        let writer = Arc::clone(&writer);
        move || {
            for number in 1..=2_000 {
                let price = observation(&format!("2000.{number:04}"), START);
                writer.receive([(&eth, 0, price), (&wbtc, 0, price)], START);
            }
        }
    });
    while !writing.is_finished() {
        let [eth, wbtc] = prices();
        assert_eq!(eth, wbtc);
    }
    writing.join().unwrap();
    assert_eq!(prices(), [(); 2].map(|()| Some("2000.2".to_owned())));
}
