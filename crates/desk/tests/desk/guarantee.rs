//! Which signatures are guaranteed to execute, and whom a guarantee refuses.

use std::sync::Arc;

use firmquote_desk::{DeskError, OutstandingLimitKind, QuoteRequest, SignRequest};
use firmquote_domain::{
    BookEntry, Client, Execution, GoodUntil, GoodUntilKind, PoolConstant, PoolSpec, SettlementCheck, SignedSwap,
    SwapState, Terms, Usd,
};
use firmquote_market::Snapshot;
use firmquote_store::BookChange;

use crate::{
    outstanding::amount,
    pool::{Bench, NOW, bench, one_eth, spec, terms},
    settlement::{at_block, on_chain},
};

#[tokio::test]
async fn guarantees_require_a_single_use_contract_without_a_curve_check_and_reserves_from_the_chain() {
    use SettlementCheck::{Curve, Price};
    for (good_until, settlement, single_use, expected) in [
        (GoodUntilKind::Plain, Curve, true, Execution::Guaranteed),
        (GoodUntilKind::Plain, Curve, false, Execution::BestEffort),
        (GoodUntilKind::Verified, Curve, true, Execution::BestEffort),
        (GoodUntilKind::Verified, Price, true, Execution::Guaranteed),
    ] {
        let spec = PoolSpec { good_until, settlement, single_use, ..spec() };
        for (Bench { desk, .. }, expected) in [
            (on_chain(spec.clone()), expected),
            // What the contract still holds is not known.
            (bench(vec![spec]), Execution::BestEffort),
        ] {
            assert_eq!(desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap().execution, expected);
        }
    }
}

/// The terms of a guaranteed swap.
fn guaranteed(destination: u8) -> Terms {
    Terms { guarantee: true, ..terms(destination) }
}

#[tokio::test]
async fn guarantees_are_subject_to_conditions() {
    let acme =
        QuoteRequest { client: Client::Named("acme".into()), amount: amount(200_000_000_000_000_000), ..one_eth() };
    let single_use = PoolSpec { single_use: true, ..spec() };
    let Bench { mut desk, .. } = on_chain(single_use.clone());
    desk.pools[0].policy.outstanding.min_guaranteed = "400".parse::<Usd>().unwrap();
    let signed = desk.quote_and_sign(&acme, guaranteed(1)).await.unwrap();
    assert_eq!((signed.execution, signed.guarantee.is_some()), (Execution::Guaranteed, true));
    let small = QuoteRequest { amount: amount(100_000_000_000_000_000), ..acme.clone() };
    let static_reserves = bench(vec![single_use.clone()]).desk;
    let replayable = on_chain(spec()).desk;
    for (desk, request, reason) in [
        (&desk, &one_eth(), "requires client credentials"),
        (&desk, &small, "requires a swap worth at least 400 US dollars"),
        (&replayable, &acme, "is not available: this pool's contract may execute a signature more than once"),
        (&static_reserves, &acme, "is not available: the reserves of this pool are not read from the chain"),
    ] {
        let refused = desk.quote_and_sign(request, guaranteed(2)).await.unwrap_err();
        let expected = DeskError::NotAllowed { field: "guarantee", reason: reason.to_owned() };
        assert_eq!(refused.to_string(), expected.to_string());
    }
    let by_price = PoolSpec { settlement: SettlementCheck::Price, ..single_use };
    let signed = on_chain(by_price).desk.quote_and_sign(&one_eth(), guaranteed(1)).await.unwrap();
    assert_eq!((signed.execution, signed.guarantee), (Execution::Guaranteed, None), "nobody has to be refused for it");
}

#[tokio::test]
async fn a_quote_is_signed_either_with_or_without_a_guarantee() {
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
async fn a_client_gets_at_most_a_quarter_of_the_guarantee_capacity() {
    let Bench { desk, market, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
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
    let DeskError::OutstandingLimit { limit, retry_after_seconds: Some(144), .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(limit, OutstandingLimitKind::ClientGuaranteed);
    assert_eq!(held.len(), 2);
    // The guarantees were a free option: they count as long again.
    market.replace(Snapshot::default().with(spec().id, at_block(102)));
    for (state, is_admitted) in [(SwapState::Lapsed(Some(101)), false), (SwapState::Released(Some(101)), true)] {
        let changes = [0, 1].map(|position: usize| BookChange::State(held[position].quote.id, state));
        desk.store.apply_changes(spec().id, &changes, NOW).await.unwrap();
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        let quote = desk.quote(&acme).await.unwrap();
        let request = SignRequest { client: acme.client.clone(), quote_id: quote.id, terms: guaranteed(90) };
        assert_eq!(desk.sign(&request).await.is_ok(), is_admitted, "{state:?}");
    }
    let changes = [0, 1].map(|position: usize| BookChange::State(held[position].quote.id, SwapState::Outstanding));
    desk.store.apply_changes(spec().id, &changes, NOW).await.unwrap();
    // As if they had been guaranteed with nothing to spare.
    let mut tight_bounds = *held[0].guarantee.clone().unwrap();
    tight_bounds.max_input = held[0].quote.input.reserve.base_units();
    let swap = desk.pools[0].book().swap(held[0].quote.id).unwrap().swap;
    let tight = SignedSwap { guarantee: Some(tight_bounds), ..SignedSwap::clone(&swap) };
    let id = tight.quote_id;
    let entered = BookChange::Entered(BookEntry { swap: Arc::new(tight), state: SwapState::Outstanding });
    desk.store.apply_changes(spec().id, &[BookChange::Removed(id), entered], NOW).await.unwrap();
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    let refused = desk.quote_and_sign(&one_eth(), terms(99)).await.unwrap_err();
    let DeskError::OutstandingLimit { limit, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(limit, OutstandingLimitKind::OthersGuaranteed);
    let back = QuoteRequest { input: "USDC".into(), output: "ETH".into(), amount: amount(1_000_000_000), ..one_eth() };
    assert!(desk.quote_and_sign(&back, terms(98)).await.is_ok(), "the other way they are no obstacle");
}

#[tokio::test]
async fn settlement_by_price_packs_a_rate_bound_instead_of_the_curve() {
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
