//! What becomes of signed swaps: settled, lapsed, or outstanding again after a reorganization.

use std::sync::Arc;

use firmquote_calldata::SwappedEvent;
use firmquote_desk::{
    Desk, DeskError, ExecutedSwap, ObservationReport, ObservedBlock, OutstandingLimitKind, OutstandingPolicy,
    QuoteRequest,
};
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, BookEntry, Client, Clock as _, GoodUntil, GoodUntilKind, NativeSide, Offer,
    PoolSpec, QuoteId, SettlementCheck, SignedQuote, SignedSwap, SwapState, U256,
};
use firmquote_market::{PoolState, Snapshot};
use firmquote_store::BookChange;

use crate::{
    outstanding::{amount, sign_some},
    pool::{Bench, NOW, bench, one_eth, replica_of, sign, spec, state, terms},
};

/// A pool whose reserves are of block 100.
pub(crate) fn on_chain(spec: PoolSpec) -> Bench {
    let bench = bench(vec![spec.clone()]);
    bench.market.replace(Snapshot::default().with(spec.id, at_block(100)));
    bench
}

pub(crate) fn at_block(block: u64) -> PoolState {
    PoolState { block: Some(block), ..state("2080.527") }
}

pub(crate) fn event(signed: &SignedQuote) -> SwappedEvent {
    SwappedEvent::from(&signed.offer())
}

pub(crate) fn executed(block: u64, signed: &SignedQuote) -> ExecutedSwap {
    ExecutedSwap {
        transaction_hash: B256::repeat_byte(7),
        log_index: 3,
        block_number: block,
        block_time: NOW.plus_seconds(1).seconds(),
        event: event(signed),
    }
}

/// The block `number`, `seconds` after the quotes, that executed these swaps.
pub(crate) fn block(number: u64, seconds: u32, swaps: &[(u64, &SignedQuote)]) -> ObservedBlock {
    let swaps = swaps.iter().map(|(number, signed)| executed(*number, signed)).collect();
    ObservedBlock {
        max_age_seconds: 60,
        number,
        time: NOW.plus_seconds(seconds),
        since: 0,
        counted_until: number - 1,
        swaps,
        is_confirmed: true,
        is_deeply_reorganized: false,
    }
}

pub(crate) fn states(desk: &Desk, signed: &[SignedQuote]) -> Vec<Option<SwapState>> {
    let book = desk.pools.first().unwrap().book();
    signed.iter().map(|signed| book.swap(signed.quote.id).map(|booked| booked.state)).collect()
}

#[tokio::test]
async fn a_replayed_signature_ends_guarantees_and_pauses_a_pool_whose_contract_checks_no_price() {
    for (good_until, settlement, pause_on_replay, is_paused) in [
        (GoodUntilKind::Plain, SettlementCheck::Curve, true, true),
        (GoodUntilKind::Plain, SettlementCheck::Curve, false, false),
        (GoodUntilKind::Verified, SettlementCheck::Price, true, true),
        (GoodUntilKind::Verified, SettlementCheck::Curve, true, false),
    ] {
        let Bench { mut desk, clock, .. } = on_chain(PoolSpec { single_use: true, good_until, settlement, ..spec() });
        desk.pools[0].policy.pause_on_replay = pause_on_replay;
        let signed = sign_some(&desk, 1).await;
        let has_guarantees = || desk.pools[0].book().has_guarantees(clock.now().plus_seconds(86_400));
        let report = desk.observe(spec().id, &block(102, 2, &[(102, &signed[0])])).await.unwrap();
        assert_eq!((report.settled, report.replayed, report.is_paused, has_guarantees()), (1, 0, false, true));
        let twice = block(103, 3, &[(102, &signed[0]), (103, &signed[0])]);
        let report = desk.observe(spec().id, &twice).await.unwrap();
        assert_eq!((report.replayed, report.unmatched.len(), report.is_paused), (1, 0, is_paused));
        assert_eq!(
            (has_guarantees(), desk.pauses.check(spec().id, Address::ZERO, clock.now()).is_err()),
            (false, is_paused)
        );
    }
}

#[tokio::test]
async fn an_unproved_contract_gets_one_signature_at_a_time_until_it_has_executed_one() {
    let Bench { mut desk, market, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    desk.pools[0].policy.is_unproved = true;
    let mut replica = replica_of(&desk, &market);
    replica.pools[0].policy.is_unproved = true;
    let signed = sign_some(&desk, 1).await;
    let other = desk.quote(&one_eth()).await.unwrap();
    // The other replica does not know of it yet.
    for desk in [&replica, &desk] {
        let refusal = desk.sign(&sign(other.id, 2)).await.unwrap_err();
        let DeskError::OutstandingLimit { limit: OutstandingLimitKind::Unproved, retry_after_seconds: Some(_), .. } =
            refusal
        else {
            panic!("{refusal:?}")
        };
    }
    assert!(desk.sign(&sign(signed[0].quote.id, 1)).await.is_ok(), "the same terms again");
    // It was not executed: one more.
    desk.observe(spec().id, &block(120, 400, &[])).await.unwrap();
    market.replace(Snapshot::default().with(spec().id, at_block(120)));
    let second = desk.quote_and_sign(&one_eth(), terms(2)).await.unwrap();
    desk.quote_and_sign(&one_eth(), terms(3)).await.unwrap_err();
    desk.observe(spec().id, &block(121, 401, &[(121, &second)])).await.unwrap();
    for destination in 4..8 {
        desk.quote_and_sign(&one_eth(), terms(destination)).await.unwrap();
    }
}

#[tokio::test]
async fn a_swap_closes_at_its_execution_or_expiry_block_and_reopens_on_a_reorganization() {
    let Bench { desk, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 3).await;
    let [first, second, _] = &signed[..] else { panic!() };
    let outstanding = Some(SwapState::Outstanding);
    let observe = async |block: ObservedBlock| desk.observe(spec().id, &block).await.unwrap();
    let report = ObservationReport::default;
    assert_eq!(observe(block(101, 1, &[])).await, report());
    let settled = observe(block(102, 2, &[(102, first)])).await;
    assert_eq!(settled, ObservationReport { settled: 1, ..report() });
    assert_eq!(states(&desk, &signed), [Some(SwapState::Settled(102)), outstanding, outstanding]);
    let again = observe(block(103, 3, &[(102, first), (103, first)])).await;
    assert_eq!(again, ObservationReport { replayed: 1, ..report() }, "executed again");
    assert!(!desk.needs_updated_book(spec().id, &block(103, 3, &[(102, first)])));
    let replacement = block(103, 4, &[(103, second)]);
    assert!(desk.needs_updated_book(spec().id, &replacement), "the reserves of this block lack the first swap");
    let replaced = observe(replacement.clone()).await;
    assert!(!desk.needs_updated_book(spec().id, &replacement), "the book counts it again");
    assert_eq!(replaced, ObservationReport { settled: 1, reorganized: 1, ..report() });
    assert_eq!(states(&desk, &signed), [outstanding, Some(SwapState::Settled(103)), outstanding]);
    let late = observe(block(110, 73, &[(103, second)])).await;
    assert_eq!(late, ObservationReport { lapsed: 2, ..report() });
    let lapsed = Some(SwapState::Lapsed(Some(110)));
    assert_eq!(states(&desk, &signed), [lapsed, Some(SwapState::Settled(103)), lapsed]);
    let earlier = observe(block(110, 72, &[(103, second)])).await;
    assert_eq!(earlier, ObservationReport { reorganized: 2, ..report() });
    observe(block(111, 73, &[(103, second)])).await;
    assert_eq!(
        desk.pools[0].events_since(Some(111)),
        Some(36),
        "a reorganization may put them below the block of the quotes"
    );
    assert_eq!(desk.pools[0].events_since(Some(200)), None, "beyond every reorganization");
    clock.advance_micros(300_000_000);
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    observe(block(299, 132, &[(103, second)])).await;
    assert!(states(&desk, &signed).iter().all(Option::is_some), "others may still sign with a block that is 60 s old");
    observe(block(300, 300, &[(103, second)])).await;
    assert_eq!(states(&desk, &signed), [None, None, None], "beyond every reorganization and every penalty");
}

#[tokio::test]
async fn a_swap_pushed_with_a_part_of_its_input_counts_for_its_client_like_a_lapsed_one() {
    for (percent, is_partial) in [(1_u64, true), (49, true), (50, false), (100, false)] {
        let Bench { mut desk, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
        let max_impact = "4.8".parse::<BasisPoints>().ok();
        desk.pools[0].policy.outstanding = OutstandingPolicy { max_impact, ..OutstandingPolicy::default() };
        let large = QuoteRequest { amount: amount(900_000_000_000_000_000), ..one_eth() };
        let signed = desk.quote_and_sign(&large, terms(1)).await.unwrap();
        let share = |amount: U256| amount * U256::from(percent) / U256::from(100);
        let event = event(&signed);
        let [input_amount, output_amount] = [event.input_amount, event.output_amount].map(share);
        let pushed =
            ExecutedSwap { event: SwappedEvent { input_amount, output_amount, ..event }, ..executed(102, &signed) };
        let observe = async |number, seconds| {
            let block = ObservedBlock { swaps: vec![pushed.clone()], ..block(number, seconds, &[]) };
            desk.observe(spec().id, &block).await.unwrap()
        };
        assert_eq!(
            observe(102, 2).await,
            ObservationReport { settled: 1, ..ObservationReport::default() },
            "{percent} %"
        );
        let partial = if is_partial { SwapState::PartlySettled(102) } else { SwapState::Settled(102) };
        assert_eq!(states(&desk, std::slice::from_ref(&signed)), [Some(partial)], "{percent} %");
        assert_eq!(desk.pools[0].book().outstanding(), 0);
        let again = desk.quote_and_sign(&large, terms(2)).await;
        assert_eq!(matches!(again, Err(DeskError::OutstandingLimit { .. })), is_partial, "{percent} %: {again:?}");
        // As long again as it could have been outstanding.
        clock.advance_micros(2 * 72 * 1_000_000);
        observe(103, 144).await;
        assert_eq!(states(&desk, &[signed]), [Some(SwapState::Settled(102))], "{percent} %");
        desk.quote_and_sign(&large, terms(3)).await.unwrap();
    }
}

#[tokio::test]
async fn an_expired_swap_is_not_considered_executed() {
    let Bench { desk, market, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let small = QuoteRequest { amount: amount(100_000_000_000_000), ..one_eth() };
    let lapsed = desk.quote_and_sign(&small, terms(1)).await.unwrap();
    clock.advance_micros(100_000_000);
    desk.observe(spec().id, &block(120, 100, &[])).await.unwrap();
    market.replace(Snapshot::default().with(spec().id, at_block(120)));
    let repeated = desk.quote_and_sign(&small, terms(1)).await.unwrap();
    assert_eq!(lapsed.quote.output.amount, repeated.quote.output.amount);
    let mut executing = block(122, 110, &[(122, &repeated)]);
    executing.swaps[0].block_time = NOW.plus_seconds(110).seconds();
    desk.observe(spec().id, &executing).await.unwrap();
    let expected = [Some(SwapState::Lapsed(Some(120))), Some(SwapState::Settled(122))];
    assert_eq!(states(&desk, &[lapsed, repeated]), expected);
}

#[tokio::test]
async fn swaps_lapsed_by_the_clock_become_final_once_blocks_are_read_again() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 1).await;
    let lapsed = BookChange::State(signed[0].quote.id, SwapState::Lapsed(None));
    desk.store.apply_changes(spec().id, &[lapsed], NOW).await.unwrap();
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    assert_eq!(desk.pools[0].events_since(Some(200)), Some(36), "it may have been executed while nothing was read");
    desk.observe(spec().id, &block(200, 75, &[])).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Lapsed(Some(200)))]);
    assert_eq!(desk.pools[0].events_since(Some(265)), None);
}

#[tokio::test]
async fn a_lapsed_swap_counts_for_its_client_for_as_long_again() {
    let Bench { mut desk, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    desk.pools[0].policy.outstanding =
        OutstandingPolicy { max_impact: "0.1".parse::<BasisPoints>().ok(), ..OutstandingPolicy::default() };
    let signed = sign_some(&desk, 1).await;
    let lifetime = signed[0].quote.good_until.expires_at().get() - NOW.seconds().get();
    clock.advance_micros(u64::from(lifetime + 1) * 1_000_000);
    desk.observe(spec().id, &block(120, lifetime + 1, &[])).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Lapsed(Some(120)))]);
    let another = QuoteRequest { amount: amount(100_000_000_000_000_000), ..one_eth() };
    let refused = desk.quote_and_sign(&another, terms(2)).await.unwrap_err();
    let DeskError::OutstandingLimit { retry_after_seconds: Some(seconds), .. } = refused else { panic!("{refused:?}") };
    assert_eq!(seconds, lifetime - 1);
    clock.advance_micros(u64::from(seconds) * 1_000_000);
    desk.quote_and_sign(&another, terms(2)).await.unwrap();
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    for number in [121, 248] {
        desk.observe(spec().id, &block(number, 2 * lifetime, &[])).await.unwrap();
        assert_eq!(states(&desk, &signed), [Some(SwapState::Released(Some(120)))], "a reorganization may undo it");
    }
    desk.observe(spec().id, &block(249, 2 * lifetime, &[])).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Released(Some(120)))], "its event may be read again");
    for number in [250, 320] {
        desk.observe(spec().id, &block(number, 4 * lifetime, &[])).await.unwrap();
    }
    assert_eq!(states(&desk, &signed), [None], "no block is read again that may have executed it");
}

#[tokio::test]
async fn an_event_is_not_attributed_to_a_later_swap() {
    let Bench { desk, market, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let long = QuoteRequest { time_in_seconds: Some(600), ..one_eth() };
    desk.quote_and_sign(&long, terms(9)).await.unwrap();
    // Stated alike, one after the other: only the later one is still outstanding.
    let mut alike = Vec::new();
    for (number, seconds, later) in [(100, 0, 181), (200, 300, 281)] {
        clock.advance_micros(seconds * 1_000_000);
        market.replace(Snapshot::default().with(spec().id, at_block(number)));
        let quote = desk.quote(&QuoteRequest { amount: amount(100_000_000_000_000), ..one_eth() }).await.unwrap();
        alike.push(desk.sign(&sign(quote.id, 1)).await.unwrap());
        let executed = [(101, &alike[0])];
        desk.observe(spec().id, &block(number + 80, later, &executed)).await.unwrap();
    }
    assert_eq!(alike[0].quote.output.amount, alike[1].quote.output.amount);
    assert_eq!(states(&desk, &alike), [Some(SwapState::Settled(101)), Some(SwapState::Outstanding)]);
}

#[tokio::test]
async fn a_swap_affects_quotes_until_the_reserves_include_it() {
    let Bench { desk, market, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    desk.observe(spec().id, &block(101, 1, &[(101, &signed)])).await.unwrap();
    let before = desk.quote(&one_eth()).await.unwrap();
    assert_eq!(before.output.amount.to_string(), "2077650719", "the reserves are still those of block 100");
    market.replace(Snapshot::default().with(spec().id, at_block(101)));
    let after = desk.quote(&one_eth()).await.unwrap();
    assert_eq!(after.output.amount, signed.quote.output.amount, "and here do not change");
}

#[tokio::test]
async fn a_swap_that_can_be_executed_again_counts_until_it_lapses() {
    let Bench { desk, .. } = on_chain(spec());
    let signed = sign_some(&desk, 1).await;
    let executed = [(101, &signed[0])];
    assert_eq!(desk.observe(spec().id, &block(101, 1, &executed)).await.unwrap(), ObservationReport::default());
    assert_eq!(states(&desk, &signed), [Some(SwapState::Outstanding)]);
    let late = desk.observe(spec().id, &block(110, 73, &executed)).await.unwrap();
    assert_eq!(late, ObservationReport { settled: 1, ..ObservationReport::default() });
}

/// Enters a swap of `input` units of ETH for `output` units of USDC into the book.
async fn enter(desk: &Desk, number: u8, [input, output]: [u64; 2], seconds: u32) -> SignedSwap {
    let amount = |units| Amount::new(U256::from(units)).unwrap();
    let swap = SignedSwap {
        quote_id: QuoteId::from_bytes([number; 16]),
        client: Client::Anonymous,
        source_network: None,
        offer: Offer {
            pool: spec().id,
            input_token: spec().chain.wrapped_native,
            output_token: spec().assets.last().unwrap().address,
            input_amount: amount(input),
            output_amount: amount(output),
            good_until: GoodUntil::Plain(NOW.plus_seconds(seconds).seconds()),
            destination: Address::repeat_byte(1),
        },
        native: NativeSide::Neither,
        signed_at: NOW,
        block: Some(100),
        guarantee: None,
    };
    let entered = BookEntry { swap: Arc::new(swap.clone()), state: SwapState::Outstanding };
    desk.store.apply_changes(spec().id, &[BookChange::Entered(entered)], NOW).await.unwrap();
    desk.refresh_book(desk.pools.first().unwrap()).await.unwrap();
    swap
}

#[tokio::test]
async fn an_event_that_may_belong_to_a_long_lapsed_swap_closes_no_outstanding_one() {
    let Bench { desk, clock, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let short = enter(&desk, 1, [1_000, 3_000], 5).await;
    let long = enter(&desk, 2, [1_001, 3_000], 3_000).await;
    // The short one with native coin in excess, or the long one.
    let executed = ExecutedSwap {
        transaction_hash: B256::repeat_byte(7),
        log_index: 0,
        block_number: 102,
        block_time: NOW.plus_seconds(1).seconds(),
        event: SwappedEvent::from(&long.offer),
    };
    let state = |swap: &SignedSwap| desk.pools[0].book().swap(swap.quote_id).map(|booked| booked.state);
    for (number, seconds) in [(103, 2), (110, 6), (111, 20), (300, 400), (301, 401), (900, 2_999)] {
        clock.advance_micros(2_000_000);
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        let swaps = vec![executed.clone()];
        desk.observe(spec().id, &ObservedBlock { swaps, ..block(number, seconds, &[]) }).await.unwrap();
        assert_eq!(state(&long), Some(SwapState::Outstanding), "in block {number}");
    }
    assert_eq!(state(&short), Some(SwapState::Released(Some(110))));
    let late = ObservedBlock { swaps: vec![executed], ..block(901, 3_001, &[]) };
    desk.observe(spec().id, &late).await.unwrap();
    assert_eq!(state(&long), Some(SwapState::Settled(102)));
    desk.observe(spec().id, &block(1_100, 4_000, &[])).await.unwrap();
    assert_eq!([state(&short), state(&long)], [None, None]);
}

#[tokio::test]
async fn a_swap_lapses_only_once_the_absence_of_its_execution_is_confirmed() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 1).await;
    let pool = &desk.pools[0];
    assert_eq!(pool.lapsing_blocks(NOW.plus_seconds(72)), None, "still valid");
    let expires_at = NOW.plus_seconds(72).seconds();
    assert_eq!(pool.lapsing_blocks(NOW.plus_seconds(73)), Some((101, expires_at)));
    let unconfirmed = ObservedBlock { is_confirmed: false, ..block(110, 73, &[]) };
    for _ in 0..2 {
        assert_eq!(desk.observe(spec().id, &unconfirmed).await.unwrap(), ObservationReport::default());
        assert_eq!(states(&desk, &signed), [Some(SwapState::Outstanding)]);
    }
    // The node returns it after all.
    let found = ObservedBlock { swaps: vec![executed(105, &signed[0])], ..unconfirmed };
    desk.observe(spec().id, &found).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Settled(105))]);
    assert_eq!(pool.execution_blocks(), [(105, 1)].into());
}
