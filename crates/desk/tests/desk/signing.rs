//! Signing: once, for the first terms, and only what still holds.
use std::sync::Arc;

use crate::pool::{Bench, bench, one_eth, replica_of, sign, spec, state, terms};
use firmquote_desk::{Conflict, ConflictReason, Desk, DeskError, QuoteRequest, SignRequest, calldata};
use firmquote_domain::{
    Address, Amount, BasisPoints, Client, Clock as _, NativeSide, PoolId, PoolSpec, Quote, SwapAmount, Terms,
    Volatility,
};
use firmquote_market::{EstimatedVolatility, PoolState, Snapshot, Trusted};
use firmquote_signer::{DomainSeparator, digest, recover};
use firmquote_store::{BookChange, LayeredStore, MemoryStore, StoreCall};

#[tokio::test]
async fn the_pools_signer_signs_the_quoted_terms() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let signed = desk.sign(&sign(quote.id, 1)).await.unwrap();
    assert_eq!(signed.quote, quote);
    let separator = DomainSeparator::from_pool(desk.pools[0].signer().pool());
    assert_eq!(recover(digest(&separator, &signed.offer()), &signed.signature), Some(desk.pools[0].signer().address()));
}

#[tokio::test]
async fn equal_terms_return_the_same_signature_until_good_until_and_others_never() {
    let Bench { desk, clock, market } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let first = desk.sign(&sign(quote.id, 1)).await.unwrap();
    market.replace(Snapshot::default().with(spec().id, state("1")));
    for seconds_later in [0, 12, 59] {
        clock.advance_micros(seconds_later * 1_000_000);
        let again = desk.sign(&sign(quote.id, 1)).await.unwrap();
        assert_eq!((calldata(&again), &again), (calldata(&first), &first));
        assert!(matches!(desk.sign(&sign(quote.id, 2)).await, Err(DeskError::SignedForOtherTerms)));
    }
    clock.advance_micros(2_000_000);
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::UnknownQuote(id)) if id == quote.id));
}

#[tokio::test]
async fn a_recorded_signature_is_returned_once_its_swap_is_in_the_book() {
    let Bench { desk, market, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let signed = desk.sign(&sign(quote.id, 1)).await.unwrap();
    // Another replica, and a book that has lost the swap.
    desk.store.apply_changes(spec().id, &[BookChange::Removed(quote.id)], desk.clock.now()).await.unwrap();
    let second = replica_of(&desk, &market);
    assert_eq!(second.sign(&sign(quote.id, 1)).await.unwrap(), signed);
    let swap = second.pools[0].book().swap(quote.id).expect("it was entered again");
    assert_eq!(swap.swap.offer, signed.offer());
    let third = replica_of(&desk, &market);
    third.refresh_book(&third.pools[0]).await.unwrap();
    assert!(third.pools[0].book().swap(quote.id).is_some(), "for all replicas");
}

#[tokio::test]
async fn expired_quotes_and_quotes_of_other_clients_are_not_signed() {
    let Bench { desk, clock, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let stranger = SignRequest { client: Client::Named("acme".into()), ..sign(quote.id, 1) };
    assert!(matches!(desk.sign(&stranger).await, Err(DeskError::OtherClient)));
    clock.set(quote.must_accept_by);
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::UnknownQuote(_))));
}

/// The live state with the output's reserve cut to `reserve`.
fn usdc_reserve(reserve: &str) -> PoolState {
    let mut state = state("2080.527");
    let usdc = state.assets.get_mut(1).unwrap();
    usdc.reserve = Ok(Trusted::without_expiry(reserve.parse::<Amount>().unwrap()));
    state
}

#[tokio::test]
async fn last_look_signs_only_executable_quotes() {
    for (newest, tolerance, is_signed) in [
        (state("2080.527"), "0", true),
        (state("2090"), "0", true),
        (state("2080.52"), "0", false),
        (state("2080.52"), "0.04", true),
        (state("2079"), "6", false),
        (state("2079"), "7", true),
        (usdc_reserve("417751200000"), "0", true),
        (usdc_reserve("410000000000"), "0", false),
        (usdc_reserve("417751254143"), "0", true),
        (usdc_reserve("2000000000"), "9999", false),
    ] {
        let last_look_tolerance = tolerance.parse::<BasisPoints>().unwrap();
        let min_fee_share = BasisPoints::default();
        let Bench { desk, market, .. } = bench(vec![PoolSpec { last_look_tolerance, min_fee_share, ..spec() }]);
        let quote = desk.quote(&one_eth()).await.unwrap();
        market.replace(Snapshot::default().with(spec().id, newest.clone()));
        match desk.sign(&sign(quote.id, 1)).await {
            Ok(_) => assert!(is_signed, "{newest:?} within {tolerance}"),
            Err(error) => {
                assert!(!is_signed, "{newest:?} within {tolerance}: {error}");
                assert_eq!(error.to_string(), "Quote conflicts with latest prices. Please request a new quote.");
            }
        }
    }
}

/// The live state with a volatility of ETH/USDC that is estimated to be `estimate`, and quoted as `quoted`.
fn estimated(quoted: &str, estimate: &str) -> PoolState {
    let [quoted, estimate] = [quoted, estimate].map(|text| text.parse::<Volatility>().unwrap());
    PoolState { volatilities: vec![Some(EstimatedVolatility { quoted, estimate })], ..state("2080.527") }
}

/// The conflict that a quote of one ETH ends in after the market became `newest`, under `spec`'s terms.
#[expect(clippy::panic, reason = "a test fails by panicking")]
async fn refused_for(newest: PoolState, request: &QuoteRequest<'_>) -> (Quote, Conflict, Bench) {
    let bench = bench(vec![spec()]);
    let quote = bench.desk.quote(request).await.unwrap();
    bench.market.replace(Snapshot::default().with(spec().id, newest));
    let refused = bench.desk.sign(&sign(quote.id, 1)).await;
    let Err(DeskError::Conflict(conflict)) = refused else { panic!("{refused:?}") };
    (quote, *conflict, bench)
}

#[tokio::test]
async fn a_conflict_reports_what_moved_and_by_how_much() {
    let volatile = || estimated("0.70", "0.70");
    for (newest, reason, shortfall) in [
        (state("2079"), ConflictReason::Price, Some("6.9")),
        (state("1040.2635"), ConflictReason::Price, Some("4787.3")),
        (usdc_reserve("410000000000"), ConflictReason::Reserve, Some("11.26")),
        (usdc_reserve("2000000000"), ConflictReason::Reserve, None),
        (usdc_reserve("1"), ConflictReason::Reserve, None),
        (volatile(), ConflictReason::Fee, Some("0.62")),
    ] {
        let (_, conflict, _) = refused_for(newest.clone(), &one_eth()).await;
        assert_eq!(conflict.reason, reason, "{newest:?}");
        if let Some(shortfall) = shortfall {
            assert_eq!(
                conflict.shortfall.map(|shortfall| shortfall.to_string()).as_deref(),
                Some(shortfall),
                "{newest:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_fee_that_covers_the_estimated_volatility_holds_and_does_not_worsen() {
    let dearer = |price| PoolState { assets: state(price).assets, ..estimated("0.70", "0.59") };
    for (newest, reason) in [
        (estimated("0.60", "0.60"), None),
        (estimated("0.70", "0.59"), None),
        (estimated("0.70", "0.60"), None),
        (estimated("0.70", "0.61"), Some(ConflictReason::Fee)),
        (estimated("0.50", "0.40"), None),
        (dearer("2080.528"), None),
        (dearer("2080.52"), Some(ConflictReason::Price)),
    ] {
        let Bench { desk, market, .. } = bench(vec![spec()]);
        market.replace(Snapshot::default().with(spec().id, estimated("0.60", "0.55")));
        let quote = desk.quote(&one_eth()).await.unwrap();
        market.replace(Snapshot::default().with(spec().id, newest.clone()));
        let refused = match desk.sign(&sign(quote.id, 1)).await {
            Err(DeskError::Conflict(conflict)) => Some(conflict.reason),
            signed => signed.map(|_| None).unwrap(),
        };
        assert_eq!(refused, reason, "{newest:?}");
    }
}

#[tokio::test]
async fn a_conflict_includes_a_signable_quote_for_the_same_amount() {
    let exact_output = QuoteRequest { amount: SwapAmount::ExactOutput("2000000000".parse().unwrap()), ..one_eth() };
    for request in [one_eth(), exact_output] {
        let (quote, conflict, Bench { desk, .. }) = refused_for(state("2000"), &request).await;
        let fresh = conflict.fresh_quote.unwrap();
        assert_ne!(fresh.id, quote.id);
        assert_eq!((fresh.fixed, &fresh.client, fresh.pool), (quote.fixed, &quote.client, quote.pool));
        assert_eq!(fresh.fixed_amount(), request.amount);
        assert_eq!(desk.sign(&sign(fresh.id, 1)).await.unwrap().quote, fresh);
        assert!(matches!(desk.sign(&sign(quote.id, 2)).await, Err(DeskError::Conflict(_))), "a refusal binds nothing");
    }
}

#[tokio::test]
async fn a_disabled_pool_offers_no_replacement_quote() {
    let Bench { desk, clock, market } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let off = bench(vec![PoolSpec { swaps_enabled: false, ..spec() }]).desk;
    let desk = Desk { pools: off.pools, market, clock, ..desk };
    let refused = desk.sign(&sign(quote.id, 1)).await;
    let Err(DeskError::Conflict(conflict)) = refused else { panic!("{refused:?}") };
    assert_eq!(*conflict, Conflict { reason: ConflictReason::Disabled, shortfall: None, fresh_quote: None });
}

#[tokio::test]
async fn untrusted_state_is_neither_quoted_nor_signed_and_the_reason_is_given() {
    let Bench { desk, clock, market } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let mut stale = state("2080.527");
    let eth = stale.assets.first_mut().unwrap();
    let until = clock.now().plus_seconds(5);
    eth.price = eth.price.clone().map(|trusted| Trusted { since: clock.now(), until, ..trusted });
    market.replace(Snapshot::default().with(spec().id, stale));
    desk.quote(&one_eth()).await.unwrap();
    clock.set(until);
    let reason = "ETH is currently not quoted: the last update is 5000 ms old, at most 5000 ms is allowed";
    for refused in [desk.quote(&one_eth()).await.err(), desk.sign(&sign(quote.id, 1)).await.err()] {
        assert_eq!(refused.map(|error| error.to_string()).as_deref(), Some(reason));
    }
    market.replace(Snapshot::default().with(spec().id, state("2080.527")));
    desk.sign(&sign(quote.id, 1)).await.unwrap();
}

#[tokio::test]
async fn unsignable_terms_do_not_claim_the_quote() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let to = |destination| Terms { destination, sender: destination, ..terms(1) };
    for (terms, field) in [
        (to(Address::ZERO), "destination_address"),
        (to(spec().id.address), "destination_address"),
        (to(spec().assets[1].address), "destination_address"),
        (Terms { native: NativeSide::Output, ..terms(1) }, "native_output"),
    ] {
        let request = SignRequest { terms, ..sign(quote.id, 1) };
        let error = desk.sign(&request).await.unwrap_err();
        assert!(matches!(&error, DeskError::NotAllowed { field: named, .. } if *named == field), "{error}");
    }
    let native = SignRequest { terms: Terms { native: NativeSide::Input, ..terms(1) }, ..sign(quote.id, 1) };
    desk.sign(&native).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_destinations_exactly_one_is_signed() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let desk = Arc::new(desk);
    for _ in 0..50 {
        let quote = desk.quote(&one_eth()).await.unwrap();
        let race = (1..=32).map(|destination| {
            let desk = Arc::clone(&desk);
            tokio::spawn(async move { desk.sign(&sign(quote.id, destination)).await })
        });
        let mut signed = 0;
        for racer in race.collect::<Vec<_>>() {
            match racer.await.unwrap() {
                Ok(_) => signed += 1,
                Err(error) => assert!(matches!(error, DeskError::SignedForOtherTerms), "{error}"),
            }
        }
        assert_eq!(signed, 1);
    }
}

#[tokio::test]
async fn quotes_signed_in_one_step_are_stored_like_any_other() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let wanted = QuoteRequest { amount: SwapAmount::ExactOutput("2000000000".parse().unwrap()), ..one_eth() };
    let signed = desk.quote_and_sign(&wanted, terms(1)).await.unwrap();
    assert_eq!(desk.sign(&sign(signed.quote.id, 1)).await.unwrap(), signed);
    assert!(matches!(desk.sign(&sign(signed.quote.id, 2)).await, Err(DeskError::SignedForOtherTerms)));
    let lost = Terms { destination: Address::ZERO, ..terms(1) };
    assert!(matches!(desk.quote_and_sign(&wanted, lost).await, Err(DeskError::NotAllowed { .. })));
}

#[tokio::test]
async fn a_quote_can_be_recomputed_from_the_pool_view() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let view = desk.pools(crate::pool::chain(), None, Some(60), &Client::Anonymous).unwrap().remove(0);
    assert_eq!(view.fees[0].unwrap(), desk.quote(&one_eth()).await.unwrap().fee);
    assert!((view.value_in_usd.unwrap() - 1_978_682.496_424_432).abs() < 1e-6);
    assert!((view.assets[0].target_value_in_usd.unwrap() - 991_706.885_949_575_2).abs() < 1e-6);
    assert!(desk.pools(crate::pool::chain(), Some(Address::ZERO), None, &Client::Anonymous).is_err());
    assert!(desk.pools(crate::pool::chain(), None, Some(601), &Client::Anonymous).is_err());
}

#[tokio::test]
async fn pools_that_do_not_allow_the_time_are_omitted_from_the_list() {
    let slow = PoolSpec {
        id: PoolId { address: Address::repeat_byte(0x22), ..spec().id },
        max_time_in_seconds: 900,
        ..spec()
    };
    let Bench { desk, .. } = bench(vec![spec(), slow.clone()]);
    let ids = |time| {
        desk.pools(crate::pool::chain(), None, time, &Client::Anonymous)
            .unwrap()
            .iter()
            .map(|view| view.pool.spec().id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(None), [spec().id, slow.id]);
    assert_eq!(ids(Some(900)), [slow.id]);
    assert_eq!(desk.default_pool(crate::pool::chain(), None, &Client::Anonymous).unwrap().pool.spec().id, spec().id);
    assert!(desk.default_pool(crate::pool::chain(), Some(900), &Client::Anonymous).is_err());
}

#[tokio::test]
async fn a_quote_that_expires_during_the_store_call_is_not_signed() {
    let Bench { desk, clock, .. } = bench(vec![spec()]);
    // Each opening takes as long as a quote may be accepted.
    let layer = move |call| {
        if call == StoreCall::Open {
            clock.advance_micros(12_000_000);
        }
        Ok(())
    };
    let store = LayeredStore { layer, store: Arc::new(MemoryStore::new(10)) };
    let desk = Desk { store: Arc::new(store), ..desk };
    let quote = desk.quote(&one_eth()).await.unwrap();
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::UnknownQuote(id)) if id == quote.id));
}
