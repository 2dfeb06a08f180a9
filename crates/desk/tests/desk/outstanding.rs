//! What is signed and has not landed: it makes quotes worse, signatures sound, and ends with the swap.

use std::sync::Arc;

use firmquote_calldata::SwappedEvent;
use firmquote_desk::{
    ConflictReason, Desk, DeskError, ExecutedSwap, Fixed, ObservedBlock, OutstandingPolicy, QuoteRequest,
    SettlementReport, SignRequest,
};
use firmquote_domain::{
    Amount, B256, BasisPoints, BookEntry, BookedSwap, Client, Execution, GoodUntil, GoodUntilKind, Origin,
    PoolConstant, PoolSpec, Quote, SettlementCheck, SignedQuote, SwapState, Terms, Timestamp, U256, UnixSeconds, Usd,
};
use firmquote_market::{PoolState, Snapshot};
use firmquote_store::BookChange;

use crate::pool::{Bench, NOW, bench, one_eth, sign, spec, state, terms};

/// A pool whose reserves are of block 100.
pub(crate) fn on_chain(spec: PoolSpec) -> Bench {
    let bench = bench(vec![spec.clone()]);
    bench.market.replace(Snapshot::default().with(spec.id, at_block(100)));
    bench
}

pub(crate) fn at_block(block: u64) -> PoolState {
    PoolState { block: Some(block), ..state("2080.527") }
}

fn amount(units: u64) -> Fixed {
    Fixed::Input(Amount::new(U256::from(units)).unwrap())
}

/// Signs `count` quotes of a tenth of an ETH, each for another destination.
async fn sign_some(desk: &Desk, count: u8) -> Vec<SignedQuote> {
    let mut signed = Vec::new();
    for destination in 1..=count {
        let request = QuoteRequest { amount: amount(100_000_000_000_000_000), ..one_eth() };
        signed.push(desk.quote_and_sign(&request, terms(destination)).await.unwrap());
    }
    signed
}

fn event(signed: &SignedQuote) -> SwappedEvent {
    let offer = signed.offer();
    SwappedEvent {
        input_token: offer.input_token,
        output_token: offer.output_token,
        recipient: offer.destination,
        input_amount: offer.input_amount.base_units(),
        output_amount: offer.output_amount.base_units(),
        aux_data: Default::default(),
    }
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
    ObservedBlock { number, time: NOW.plus_seconds(seconds), since: 101, counted_until: number - 1, swaps }
}

fn states(desk: &Desk, signed: &[SignedQuote]) -> Vec<Option<SwapState>> {
    let book = desk.pools.first().unwrap().book();
    signed.iter().map(|signed| book.swap(signed.quote.id).map(|booked| booked.state)).collect()
}

#[tokio::test]
async fn a_quote_is_priced_as_if_what_is_signed_had_landed_where_that_makes_it_worse() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let first = desk.quote(&one_eth()).await.unwrap();
    desk.sign(&sign(first.id, 1)).await.unwrap();
    let view = desk.default_pool(spec().id.chain_id, None, &Client::Anonymous).unwrap();
    let [eth, usdc] = [view.assets[0], view.assets[1]];
    assert_eq!(
        (eth.outstanding_inflow, eth.outstanding_outflow),
        (U256::from(1_005_000_000_000_000_000_u64), U256::ZERO)
    );
    assert_eq!((usdc.outstanding_inflow, usdc.outstanding_outflow), (U256::ZERO, U256::from(2_088_932_111_u64)));
    let second = desk.quote(&one_eth()).await.unwrap();
    assert_eq!(second.output.amount.to_string(), "2077650719");
    let [gained, left] = [(&second.input, eth.outstanding_inflow), (&second.output, usdc.outstanding_outflow)];
    assert_eq!(gained.0.reserve.base_units(), eth.reserve.unwrap().base_units() + gained.1);
    assert_eq!(left.0.reserve.base_units(), usdc.reserve.unwrap().base_units() - left.1);
    let back = QuoteRequest { input_symbol: "USDC", output_symbol: "ETH", amount: amount(1_000_000_000), ..one_eth() };
    let other_way = desk.quote(&back).await.unwrap();
    assert_eq!(other_way.input.reserve, usdc.reserve.unwrap(), "what would help may never happen");
}

#[tokio::test]
async fn quotes_that_are_made_at_once_are_signed_as_far_as_half_of_the_fee_allows() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let half = QuoteRequest { amount: amount(500_000_000_000_000_000), ..one_eth() };
    let mut quotes: Vec<Quote> = Vec::new();
    for _ in 0..8 {
        quotes.push(desk.quote(&half).await.unwrap());
    }
    let mut outcomes = Vec::new();
    for (quote, destination) in quotes.iter().zip(1..) {
        outcomes.push(match desk.sign(&sign(quote.id, destination)).await {
            Ok(_) => None,
            Err(DeskError::Conflict(conflict)) => Some(conflict),
            Err(error) => panic!("{error}"),
        });
    }
    let signed = outcomes.iter().take_while(|refused| refused.is_none()).count();
    // About 2,100 US dollars beside each other: two of 1,040, and what the first finds nothing beside.
    assert_eq!(signed, 3, "{outcomes:?}");
    for refused in outcomes.split_off(signed) {
        let conflict = refused.unwrap();
        assert_eq!(conflict.reason, ConflictReason::Outstanding);
        let fresh = conflict.fresh_quote.unwrap();
        assert!(fresh.output.amount < quotes[0].output.amount, "what is signed is in its price");
    }
    let fresh = desk.quote(&half).await.unwrap();
    assert_eq!(desk.sign(&sign(fresh.id, 9)).await.unwrap().quote, fresh);
}

#[tokio::test]
async fn equal_offers_of_a_single_use_pool_are_signed_once() {
    for (single_use, expected) in [(true, false), (false, true)] {
        let Bench { desk, .. } = bench(vec![PoolSpec { single_use, ..spec() }]);
        let small = QuoteRequest { amount: amount(1_000_000_000_000_000), ..one_eth() };
        let [first, second] = [desk.quote(&small).await.unwrap(), desk.quote(&small).await.unwrap()];
        desk.sign(&sign(first.id, 1)).await.unwrap();
        assert_eq!(desk.sign(&sign(second.id, 1)).await.is_ok(), expected, "{single_use}");
        assert!(desk.sign(&sign(first.id, 1)).await.is_ok(), "the same quote again");
    }
}

#[tokio::test]
async fn a_client_that_signs_and_never_settles_is_refused_until_its_swaps_no_longer_count() {
    let Bench { mut desk, clock, .. } = bench(vec![spec()]);
    let bps = |text| Some(BasisPoints::from_decimal(text).unwrap());
    desk.pools[0].policy.outstanding =
        OutstandingPolicy { max_share_of_client: bps("20"), ..OutstandingPolicy::default() };
    let large = QuoteRequest { amount: amount(500_000_000_000_000_000), ..one_eth() };
    desk.quote_and_sign(&large, terms(1)).await.unwrap();
    let small = QuoteRequest { amount: amount(1_000_000_000_000_000), ..one_eth() };
    let refused = desk.quote_and_sign(&small, terms(2)).await.unwrap_err();
    let DeskError::OutstandingLimit { room: None, retry_after_seconds: Some(seconds), .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(seconds, 12 + 60 + 60, "until the swap has lapsed");
    let other = QuoteRequest { client: Client::Named("acme".into()), ..small.clone() };
    assert!(desk.quote_and_sign(&other, terms(2)).await.is_ok(), "clients are counted apart");
    for (later, is_free) in [(132, false), (131, false), (2, true)] {
        clock.advance_micros(later * 1_000_000);
        assert_eq!(desk.quote_and_sign(&small, terms(3)).await.is_ok(), is_free, "an unused one counts as long again");
    }
}

#[tokio::test]
async fn no_address_takes_all_that_requests_without_credentials_may_have_outstanding() {
    let Bench { mut desk, .. } = bench(vec![spec()]);
    // A quarter of an ETH of some 200 ETH of output reserve.
    desk.pools[0].policy.outstanding =
        OutstandingPolicy { max_share_of_origin: BasisPoints::from_decimal("10").ok(), ..OutstandingPolicy::default() };
    let from = |origin: u64| QuoteRequest {
        origin: Some(Origin::new(origin)),
        amount: amount(150_000_000_000_000_000),
        ..one_eth()
    };
    assert!(desk.quote_and_sign(&from(1), terms(1)).await.is_ok());
    let refused = desk.quote_and_sign(&from(1), terms(2)).await.unwrap_err();
    assert!(matches!(refused, DeskError::OutstandingLimit { .. }), "{refused:?}");
    assert!(desk.quote_and_sign(&from(2), terms(3)).await.is_ok(), "another address has its own");
}

#[tokio::test]
async fn what_lapses_by_the_clock_no_longer_makes_quotes_worse() {
    let Bench { desk, clock, .. } = bench(vec![spec()]);
    let first = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap().quote;
    let until = first.good_until.expires_at().get() + 60;
    for (now, is_whole) in [(until - 1, false), (until, true)] {
        clock.set(Timestamp::from_seconds(now));
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        assert_eq!(desk.quote(&one_eth()).await.unwrap().output.amount == first.output.amount, is_whole, "{now}");
    }
}

#[tokio::test]
async fn a_swap_ends_with_the_block_that_executes_it_or_is_too_late_and_comes_back_when_that_is_replaced() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 3).await;
    let [first, second, _] = &signed[..] else { panic!() };
    let outstanding = Some(SwapState::Outstanding);
    let observe = async |block: ObservedBlock| desk.observe(spec().id, &block).await.unwrap();
    let report = SettlementReport::default();
    assert_eq!(observe(block(101, 1, &[])).await, report);
    let settled = observe(block(102, 2, &[(102, first)])).await;
    assert_eq!(settled, SettlementReport { settled: 1, ..report });
    assert_eq!(states(&desk, &signed), [Some(SwapState::Settled(102)), outstanding, outstanding]);
    // Executed once already: nothing that this service signed explains it.
    let again = observe(block(103, 3, &[(102, first), (103, first)])).await;
    assert_eq!(again, SettlementReport { unmatched: 1, ..report });
    let replaced = observe(block(103, 4, &[(103, second)])).await;
    assert_eq!(replaced, SettlementReport { settled: 1, reorganized: 1, ..report });
    assert_eq!(states(&desk, &signed), [outstanding, Some(SwapState::Settled(103)), outstanding]);
    let late = observe(block(110, 73, &[(103, second)])).await;
    assert_eq!(late, SettlementReport { lapsed: 2, ..report });
    let lapsed = Some(SwapState::Lapsed(Some(110)));
    assert_eq!(states(&desk, &signed), [lapsed, Some(SwapState::Settled(103)), lapsed]);
    let earlier = observe(block(110, 72, &[(103, second)])).await;
    assert_eq!(earlier, SettlementReport { reorganized: 2, ..report });
    observe(block(111, 73, &[(103, second)])).await;
    assert_eq!(
        desk.pools[0].events_since(111),
        Some(36),
        "a reorganization may put them below the block of the quotes"
    );
    assert_eq!(desk.pools[0].events_since(200), None, "beyond every reorganization");
    observe(block(300, 300, &[(103, second)])).await;
    assert_eq!(states(&desk, &signed), [None, None, None], "beyond every reorganization and every penalty");
}

#[tokio::test]
async fn a_reorganization_may_execute_a_swap_below_the_block_it_was_judged_on() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 1).await;
    let deep = |number| ObservedBlock { since: 30, ..block(102, 2, &[(number, &signed[0])]) };
    let mut old = deep(90);
    old.swaps[0].block_time = UnixSeconds::new(NOW.seconds().get() - 16);
    for (block, why) in [(deep(35), "deeper than any reorganization"), (old, "older than the signature")] {
        assert_eq!(desk.observe(spec().id, &block).await.unwrap(), SettlementReport::default(), "{why}");
        assert_eq!(states(&desk, &signed), [Some(SwapState::Outstanding)], "{why}");
    }
    desk.observe(spec().id, &deep(90)).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Settled(90))]);
}

#[tokio::test]
async fn a_swap_that_was_no_longer_valid_is_not_taken_for_executed() {
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
async fn what_lapsed_by_the_clock_is_final_once_blocks_are_read_again() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = sign_some(&desk, 1).await;
    let lapsed = BookChange::State(signed[0].quote.id, SwapState::Lapsed(None));
    desk.books.amend(spec().id, &[lapsed], NOW).await.unwrap();
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    assert_eq!(desk.pools[0].events_since(200), Some(36), "it may have been executed while nothing was read");
    desk.observe(spec().id, &block(200, 75, &[])).await.unwrap();
    assert_eq!(states(&desk, &signed), [Some(SwapState::Lapsed(Some(200)))]);
    assert_eq!(desk.pools[0].events_since(265), None);
}

#[tokio::test]
async fn an_event_is_not_taken_for_that_of_a_later_swap() {
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
async fn a_swap_counts_for_quotes_until_the_reserves_have_it() {
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
    assert_eq!(desk.observe(spec().id, &block(101, 1, &executed)).await.unwrap(), SettlementReport::default());
    assert_eq!(states(&desk, &signed), [Some(SwapState::Outstanding)]);
    let late = desk.observe(spec().id, &block(110, 73, &executed)).await.unwrap();
    assert_eq!(late, SettlementReport { settled: 1, ..SettlementReport::default() });
}

#[tokio::test]
async fn an_execution_is_guaranteed_where_the_contract_executes_once_and_checks_no_curve() {
    use SettlementCheck::{Curve, Price};
    for (good_until, settlement, single_use, expected) in [
        (GoodUntilKind::Plain, Curve, true, Execution::Guaranteed),
        (GoodUntilKind::Plain, Curve, false, Execution::BestEffort),
        (GoodUntilKind::Verified, Curve, true, Execution::BestEffort),
        (GoodUntilKind::Verified, Price, true, Execution::Guaranteed),
    ] {
        let Bench { desk, .. } = bench(vec![PoolSpec { good_until, settlement, single_use, ..spec() }]);
        assert_eq!(desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap().execution, expected);
    }
}

/// The terms of a guaranteed swap.
fn guaranteed(destination: u8) -> Terms {
    Terms { guarantee: true, ..terms(destination) }
}

#[tokio::test]
async fn a_guarantee_has_its_conditions() {
    let acme =
        QuoteRequest { client: Client::Named("acme".into()), amount: amount(200_000_000_000_000_000), ..one_eth() };
    let single_use = PoolSpec { single_use: true, ..spec() };
    let Bench { mut desk, .. } = on_chain(single_use.clone());
    desk.pools[0].policy.outstanding.min_guaranteed = Usd::from_decimal("400").unwrap();
    let signed = desk.quote_and_sign(&acme, guaranteed(1)).await.unwrap();
    assert_eq!((signed.execution, signed.guarantee.is_some()), (Execution::Guaranteed, true));
    let small = QuoteRequest { amount: amount(100_000_000_000_000_000), ..acme.clone() };
    let static_reserves = bench(vec![single_use.clone()]).desk;
    let replayable = on_chain(spec()).desk;
    for (desk, request, reason) in [
        (&desk, &one_eth(), "needs the credentials of a client"),
        (&desk, &small, "needs a swap of at least 400 US dollars"),
        (&replayable, &acme, "is not available: the contract of this pool executes signatures repeatedly"),
        (&static_reserves, &acme, "is not available: the reserves of this pool are not read from the chain"),
    ] {
        let refused = desk.quote_and_sign(request, guaranteed(2)).await.unwrap_err();
        let expected = DeskError::NotAllowed { field: "guarantee", reason: reason.to_owned() };
        assert_eq!(refused.to_string(), expected.to_string());
    }
    let by_price = PoolSpec { settlement: SettlementCheck::Price, ..single_use };
    let signed = bench(vec![by_price]).desk.quote_and_sign(&one_eth(), guaranteed(1)).await.unwrap();
    assert_eq!((signed.execution, signed.guarantee), (Execution::Guaranteed, None), "nobody has to be refused for it");
}

#[tokio::test]
async fn a_quote_is_signed_with_or_without_a_guarantee_and_not_both() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let acme =
        QuoteRequest { client: Client::Named("acme".into()), amount: amount(200_000_000_000_000_000), ..one_eth() };
    let quote = desk.quote(&acme).await.unwrap();
    let request = |terms| SignRequest { client: acme.client.clone(), quote_id: quote.id, terms };
    let signed = desk.sign(&request(guaranteed(1))).await.unwrap();
    assert_eq!(desk.sign(&request(guaranteed(1))).await.unwrap(), signed);
    assert!(matches!(desk.sign(&request(terms(1))).await, Err(DeskError::SignedForOtherTerms)));
}

#[tokio::test]
async fn a_client_has_a_quarter_guaranteed_of_what_could_be_and_others_leave_it_its_room() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let acme =
        QuoteRequest { client: Client::Named("acme".into()), amount: amount(200_000_000_000_000_000), ..one_eth() };
    // A quarter of the room of about 3,500 US dollars.
    let mut held = Vec::new();
    let refused = loop {
        match desk.quote_and_sign(&acme, guaranteed(u8::try_from(held.len()).unwrap() + 1)).await {
            Ok(signed) => held.push(signed),
            Err(refused) => break refused,
        }
    };
    let DeskError::OutstandingLimit { limit, retry_after_seconds: Some(132), .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(limit, "the limit on what the client has guaranteed is reached");
    assert_eq!(held.len(), 2);
    // As if they had been guaranteed with nothing to spare.
    let mut least = *held[0].guarantee.clone().unwrap();
    least.max_input = held[0].quote.input.reserve.base_units();
    let swap = desk.pools[0].book().swap(held[0].quote.id).unwrap().swap;
    let tight = BookEntry { guarantee: Some(least), ..BookEntry::clone(&swap) };
    let id = tight.quote_id;
    let entered = BookChange::Entered(BookedSwap { swap: Arc::new(tight), state: SwapState::Outstanding });
    desk.books.amend(spec().id, &[BookChange::Removed(id), entered], NOW).await.unwrap();
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    let refused = desk.quote_and_sign(&one_eth(), terms(99)).await.unwrap_err();
    let DeskError::OutstandingLimit { limit, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(limit, "swaps that are guaranteed to others leave no room for this one");
    let back = QuoteRequest { input_symbol: "USDC", output_symbol: "ETH", amount: amount(1_000_000_000), ..one_eth() };
    assert!(desk.quote_and_sign(&back, terms(98)).await.is_ok(), "the other way they are no obstacle");
}

#[tokio::test]
async fn another_clients_small_swap_in_between_refuses_nothing() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    sign_some(&desk, 3).await;
    let request = SignRequest { client: Client::Anonymous, ..sign(quote.id, 9) };
    assert_eq!(desk.sign(&request).await.unwrap().quote, quote);
}

#[tokio::test]
async fn settlement_by_price_packs_a_bound_on_the_rate_instead_of_the_curve() {
    let verified = PoolSpec { good_until: GoodUntilKind::Verified, single_use: true, ..spec() };
    let Bench { desk, .. } = bench(vec![PoolSpec { settlement: SettlementCheck::Price, ..verified }]);
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    let GoodUntil::Packed(packed) = signed.quote.good_until else { panic!() };
    assert_eq!((packed.k, packed.input_price), (PoolConstant::ZERO, signed.quote.input.price));
    // 2,080.527 US dollars for 2,078.539413: at the price of the output itself there is enough left.
    assert_eq!(packed.output_price, signed.quote.output.price);
    let curve = bench(vec![spec()]).desk.quote(&one_eth()).await.unwrap();
    assert_eq!(signed.quote.output.amount, curve.output.amount, "the price is that of the curve");
}
