//! Prices, reserves and volatilities in the snapshots that quotes read.

use std::sync::Arc;

use firmquote_domain::{Amount, U256, Volatility};
use firmquote_market::{Market, MarketWriter, PriceInput, Rejection, Trusted, VolatilityParameters};

use super::{START, composite_price, eth, observation, pool, pool_id, reserves, state, symbol, writer};

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
    assert_eq!(eth(&market, START.plus_seconds(10)), Err(old), "without another evaluation");
    writer.receive([(&symbol("WBTC"), 0, observation("60000", START))], START);
    writer.receive([(&symbol("USDC"), 0, observation("2", START))], START);
    assert_eq!(state(&market, 1).assets[1].at(START).unwrap().0.to_string(), "1", "a fixed price has no source");
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
    let pool = state(&market, 1);
    assert_eq!(pool.assets[0].at(START).unwrap().1, Amount::new(U256::from(300)).unwrap());
    assert_eq!(pool.pool_tokens, U256::from(7));
    let none = Rejection::Reserves("the reserve is zero".to_owned());
    assert_eq!(pool.assets[1].at(START), Err(none));
    assert_eq!(pool.assets[0].at(until), Err(Rejection::OldReserves { age_ms: 5_000, max_age_ms: 5_000 }));
    let reason = Rejection::Reserves("no node answers".to_owned());
    writer.set_reserves(pool_id(1), Err(reason.clone()), START);
    assert_eq!(eth(&market, START), Err(reason));
    writer.set_reserves(pool_id(9), Ok(Trusted::without_expiry(reserves([1, 1]))), START);
    assert!(market.snapshot().pool(pool_id(9)).is_none(), "a pool that is not kept");
}

#[test]
fn the_snapshot_includes_the_estimated_volatility() {
    let volatility = |text: &str| text.parse::<Volatility>().unwrap();
    let parameters =
        VolatilityParameters { half_life_seconds: 60, floor: volatility("0.05"), ceiling: volatility("2") };
    let (market, writer) = writer(Some(parameters));
    for second in 0..=120 {
        let now = START.plus_seconds(second);
        let price = if second % 2 == 0 { "2000" } else { "2000.2" };
        writer.receive([(&symbol("ETH"), 0, observation(price, now))], now);
        let volatilities = state(&market, 1).volatilities.clone();
        match second {
            0..60 => assert_eq!(volatilities, [None], "{second}: the configured one holds"),
            _ => {
                let is_high = volatilities[0]
                    .is_some_and(|volatility_estimate| volatility_estimate.estimate > volatility("0.56"));
                assert!(is_high, "{second}: {volatilities:?}");
            }
        }
    }
}

#[test]
fn prices_that_arrive_together_apply_together() {
    let market = Arc::new(Market::default());
    let live = ["ETH", "WBTC"].map(|name| (symbol(name), composite_price(1)));
    let both = vec![pool(1, ["ETH", "WBTC"].map(|name| PriceInput::Live(symbol(name))), None)];
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
