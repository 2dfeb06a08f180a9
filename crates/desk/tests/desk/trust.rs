//! What a desk does while something is not known or not trusted.

use firmquote_desk::{Condition, DeskError, PartState};
use firmquote_domain::{Address, Client, Timestamp};
use firmquote_market::{PoolState, Rejection, Snapshot, Trusted};

use crate::pool::{bench, chain, one_eth, spec, state, terms};

/// The live state, with so many assets that are not trusted.
fn distrusted(count: usize) -> PoolState {
    let mut state = state("2080.527");
    state.assets.iter_mut().take(count).for_each(|asset| asset.price = Err(Rejection::Silent));
    state
}

#[tokio::test]
async fn an_unquotable_pool_does_not_affect_others() {
    let mut other = spec();
    other.id.address = Address::repeat_byte(7);
    let ids = [spec().id, other.id];
    let bench = bench(vec![spec(), other]);
    let set = |states: [Option<PoolState>; 2]| {
        let known = ids.into_iter().zip(states).filter_map(|(id, state)| Some((id, state?)));
        bench.market.replace(known.fold(Snapshot::default(), |all, (id, state)| all.with(id, state)));
    };
    let shown = || bench.desk.pools(chain(), None, None, &Client::Anonymous).map(|views| views.len());
    let good = || Some(state("2080.527"));
    for (states, is_ready, count) in [
        ([good(), good()], true, Some(2)),
        ([Some(distrusted(1)), good()], true, Some(2)),
        ([Some(distrusted(3)), good()], true, Some(1)),
        ([None, good()], true, Some(1)),
        ([Some(distrusted(2)), None], false, None),
        ([Some(distrusted(3)), None], false, None),
        ([None, None], false, None),
    ] {
        set(states.clone());
        let is_unready = bench.desk.market_conditions().iter().any(|part| part.state == PartState::Unready);
        assert_eq!(is_unready, !is_ready, "{states:?}");
        assert_eq!(shown().ok(), count, "{states:?}");
        let named = bench.desk.pools(chain(), Some(ids[0].address), None, &Client::Anonymous);
        let untrusted = |state: &PoolState| state.assets.iter().filter(|asset| asset.price.is_err()).count();
        let is_quoted = states[0].as_ref().is_some_and(|state| untrusted(state) < 2);
        assert_eq!(named.is_ok(), is_quoted, "the one that is named is not left out: {states:?}");
    }
    assert!(matches!(shown(), Err(DeskError::Market(id)) if id == ids[0]), "the first pool's reason");
}

#[tokio::test]
async fn an_untrusted_asset_disables_only_its_own_pairs() {
    let bench = bench(vec![spec()]);
    bench.market.replace(Snapshot::default().with(spec().id, distrusted(1)));
    let view = bench.desk.default_pool(chain(), None, &Client::Anonymous).unwrap();
    let [eth, usdc] = [view.assets[0], view.assets[1]];
    assert_eq!((eth.price, eth.value_in_usd, view.value_in_usd), (None, None, None));
    assert!(eth.reserve.is_some() && usdc.price.is_some() && usdc.value_in_usd.is_some());
    assert!(view.assets.iter().all(|asset| asset.target_value_in_usd.is_none()), "it follows from all of them");
    assert_eq!(view.fees.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
}

#[tokio::test]
async fn missing_data_is_reported_by_component_and_unready_only_if_nothing_is_quotable() {
    let bench = bench(vec![spec()]);
    let set = |state| bench.market.replace(Snapshot::default().with(spec().id, state));
    assert_eq!(bench.desk.market_conditions(), [Condition::ready(), Condition::ready()]);
    set(distrusted(1));
    let [prices, reserves] = bench.desk.market_conditions();
    let symbol = &spec().assets[0].symbol;
    let expected =
        Condition { state: PartState::Degraded, reasons: vec![format!("{symbol}: no update was received yet")] };
    assert_eq!((prices, reserves), (expected, Condition::ready()));
    let mut unknown = state("2080.527");
    unknown
        .assets
        .iter_mut()
        .for_each(|asset| asset.reserve = Err(Rejection::Reserves("its reserves are gone".into())));
    set(unknown);
    let [prices, reserves] = bench.desk.market_conditions();
    assert_eq!((prices, reserves.state), (Condition::ready(), PartState::Unready));
    assert_eq!(reserves.reasons[0], format!("{symbol} of pool {}: its reserves are gone", spec().id));
    bench.market.replace(Snapshot::default());
    let [prices, reserves] = bench.desk.market_conditions();
    assert_eq!((prices.state, reserves.state), (PartState::Unready, PartState::Ready));
    assert_eq!(prices.reasons, [format!("no data for pool {}", spec().id)], "said once");
}

#[tokio::test]
async fn two_trusted_assets_without_a_pair_are_not_quotable() {
    let bench = bench(vec![spec()]);
    let knowing = |positions: [usize; 2]| {
        let mut known = distrusted(4);
        positions.into_iter().for_each(|one| known.assets[one] = state("2080.527").assets[one].clone());
        bench.market.replace(Snapshot::default().with(spec().id, known));
        bench.desk.market_conditions()[0].state
    };
    let [eth, usdt] = [0, 2].map(|position| spec().assets[position].symbol.clone());
    assert_eq!((eth.as_str(), usdt.as_str()), ("ETH", "USDT"), "which is no pair of the pool");
    assert_eq!(knowing([0, 2]), PartState::Unready);
    assert_eq!(knowing([0, 1]), PartState::Degraded);
}

/// Where reserves follow a chain they are as old as its newest block: no clock that is wrong by more than a block may
/// be old quotes or signs, with whatever store.
#[tokio::test]
async fn a_clock_far_from_the_latest_block_time_prevents_signing() {
    const MINUTE_MICROS: u64 = 60_000_000;
    let signed_at = async |ahead_micros: i64| {
        let bench = bench(vec![spec()]);
        let block = bench.desk.clock.now();
        let mut followed = state("2080.527");
        for asset in &mut followed.assets {
            let value = asset.reserve.as_ref().unwrap().value;
            let until = Timestamp::from_micros(block.as_micros() + MINUTE_MICROS);
            asset.reserve = Ok(Trusted { value, since: block, until });
        }
        bench.market.replace(Snapshot::default().with(spec().id, followed));
        bench.clock.set(Timestamp::from_micros(block.as_micros().checked_add_signed(ahead_micros).unwrap()));
        let signed = bench.desk.quote_and_sign(&one_eth(), terms(1)).await;
        let [_, reserves] = bench.desk.market_conditions();
        assert_eq!(signed.is_ok(), reserves.state == PartState::Ready, "{signed:?}");
        signed
    };
    assert!(signed_at(30_000_000).await.is_ok());
    for ahead_micros in [365 * 24 * 60 * 60_000_000, 61_000_000, -3_600_000_000] {
        let refused = signed_at(ahead_micros).await;
        assert!(matches!(refused, Err(DeskError::Untrusted { .. })), "{ahead_micros}: {refused:?}");
    }
}
