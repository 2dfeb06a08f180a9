//! Published levels are never more than a quote in the same state, and live no longer than what they are made of.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::sync::Arc;

use firmquote_desk::{
    DeskError, LevelBook, LevelBookKey, LevelPublication, LevelState, LevelsRequest, Limit, QuoteRequest,
    SigningPolicy, UnsupportedInput, Validity, WithdrawalReason,
};
use firmquote_domain::{Amount, BasisPoints, Client, GoodUntilKind, PoolSpec, Price, SwapAmount, Timestamp, U256};
use firmquote_market::{PoolState, Rejection, Snapshot, Trusted};

use crate::pool::{Bench, bench, chain, one_eth, sign, spec, state};

fn request(pairs: &[String]) -> LevelsRequest<'_> {
    LevelsRequest {
        client: &Client::Anonymous,
        chain_id: chain(),
        pool_address: None,
        pairs,
        time_in_seconds: None,
        max_knots: None,
    }
}

/// The key of the only book that is called so.
fn key(bench: &Bench, pair: &str) -> LevelBookKey {
    let [key] = <[_; 1]>::try_from(bench.desk.level_books(&request(&[pair.to_owned()])).unwrap()).unwrap();
    key
}

fn live(publication: &LevelPublication) -> (Arc<LevelBook>, Validity) {
    match publication.state() {
        Some(LevelState::Live(book, validity)) => (Arc::clone(book), *validity),
        other => panic!("{other:?}"),
    }
}

/// The state of the pool with prices and reserves of `since`, trusted for a few seconds.
pub(crate) fn state_since(eth_price: &str, since: Timestamp) -> PoolState {
    let mut state = state(eth_price);
    for asset in &mut state.assets {
        let until = since.plus_seconds(3);
        asset.price = asset.price.clone().map(|price| Trusted { since, until, ..price });
        asset.reserve = asset.reserve.clone().map(|reserve| Trusted { since, until: until.plus_seconds(9), ..reserve });
    }
    state
}

#[tokio::test]
async fn quotes_pay_at_least_the_interpolated_book_at_every_size() {
    for kind in [GoodUntilKind::Plain, GoodUntilKind::Verified] {
        let mut bench = bench(vec![PoolSpec { good_until: kind, ..spec() }]);
        let tenth = Limit::Share("1000".parse::<BasisPoints>().unwrap());
        bench.desk.pools[0].policy = SigningPolicy { max_trade: tenth, ..SigningPolicy::default() };
        // Something is outstanding, so that it counts here as there.
        let first = bench.desk.quote(&one_eth()).await.unwrap();
        bench.desk.sign(&sign(first.id, 1)).await.unwrap();
        for key in bench.desk.level_books(&request(&[])).unwrap() {
            let mut publication = LevelPublication::new(key.clone());
            assert!(publication.refresh(&bench.desk, bench.desk.clock.now()).await);
            let (book, _) = live(&publication);
            assert!(book.levels.is_certain && (3..=16).contains(&book.levels.knots.len()), "{book:?}");
            assert!(book.levels.max_shortfall.hundredths() <= 300, "{book:?}");
            let (mut least_worse, last) = (0, book.levels.knots.last().unwrap().input.base_units());
            for step in 0..=40_u64 {
                let start = book.levels.knots[0].input.base_units();
                let input = Amount::new(start + (last - start) * U256::from(step * step) / U256::from(1_600)).unwrap();
                let line = book.levels.output_for(input).unwrap();
                let wanted = QuoteRequest {
                    client: Client::Named("acme".into()),
                    input: key.input.as_str().into(),
                    output: key.output.as_str().into(),
                    ..one_eth()
                };
                let quote = bench
                    .desk
                    .quote(&QuoteRequest { amount: SwapAmount::ExactInput(input), ..wanted.clone() })
                    .await
                    .unwrap();
                assert!(quote.output.amount >= line, "{input} {}", key.input);
                assert_eq!(
                    (quote.state_id, quote.fee, quote.time_in_seconds),
                    (book.state_id, book.fee, key.time_in_seconds)
                );
                least_worse += u32::from(quote.output.amount > line);
                let quote =
                    bench.desk.quote(&QuoteRequest { amount: SwapAmount::ExactOutput(line), ..wanted }).await.unwrap();
                assert!(quote.input.amount <= input, "{line} {}", key.output);
            }
            assert!(least_worse > 20, "lines lie below the curve: {least_worse}");
        }
    }
}

#[tokio::test]
async fn unchanged_markets_cause_no_computation_and_no_publication() {
    let bench = bench(vec![spec()]);
    let start = bench.desk.clock.now();
    bench.market.replace(Snapshot::default().with(spec().id, state_since("2080.527", start)));
    let mut publication = LevelPublication::new(key(&bench, "ETH-USDC"));
    assert!(publication.state().is_none() && publication.refresh(&bench.desk, start).await);
    let (first, validity) = live(&publication);
    assert_eq!(validity, Validity { as_of: start, published_at: start, valid_until: start.plus_seconds(3) });
    assert!(!publication.refresh(&bench.desk, start.plus_seconds(2)).await, "the price is as old as before");

    // The same price, newer: the same levels for longer.
    let later = start.plus_seconds(2);
    bench.market.replace(Snapshot::default().with(spec().id, state_since("2080.527", later)));
    assert!(publication.refresh(&bench.desk, later).await);
    let (renewed, validity) = live(&publication);
    assert!(Arc::ptr_eq(&first, &renewed));
    assert_eq!(validity, Validity { as_of: later, published_at: later, valid_until: later.plus_seconds(3) });

    // Another price: other levels at once.
    bench.market.replace(Snapshot::default().with(spec().id, state_since("2081", later)));
    assert!(publication.refresh(&bench.desk, later).await);
    let (second, _) = live(&publication);
    assert!(second.id != first.id && second.sequence == first.sequence + 1 && second.state_id != first.state_id);
    assert!(second.levels.knots[3].output > first.levels.knots[3].output);
}

#[tokio::test]
async fn validity_is_extended_before_it_ends_and_shortened_at_once() {
    let bench = bench(vec![spec()]);
    let start = bench.desk.clock.now();
    let publish = |since: Timestamp, micros: u64| {
        let mut state = state_since("2080.527", since);
        for asset in &mut state.assets {
            asset.price = asset.price.clone().map(|price| Trusted { until: since.plus_micros(micros), ..price });
        }
        bench.market.replace(Snapshot::default().with(spec().id, state));
    };
    let mut publication = LevelPublication::new(key(&bench, "ETH-USDC"));
    publish(start, 400_000);
    assert!(publication.refresh(&bench.desk, start).await);
    let early = start.plus_micros(100_000);
    publish(early, 400_000);
    assert!(!publication.refresh(&bench.desk, early).await, "less than half of the period is over");
    let half = start.plus_micros(200_000);
    publish(half, 400_000);
    assert!(publication.refresh(&bench.desk, half).await);
    assert_eq!(live(&publication).1.valid_until, half.plus_micros(400_000));
    let later = half.plus_micros(10_000);
    publish(later, 300_000);
    assert!(publication.refresh(&bench.desk, later).await, "it ends earlier than was said");
    assert_eq!(live(&publication).1.valid_until, later.plus_micros(300_000));
}

#[tokio::test]
async fn a_book_is_replaced_before_its_state_expires() {
    let bench = bench(vec![spec()]);
    let start = bench.desk.clock.now();
    let mut publication = LevelPublication::new(key(&bench, "ETH-USDC"));
    let mut book_at = async |seconds: u32, dai: &str| {
        let now = start.plus_seconds(seconds);
        let mut state = state_since("2080.527", now);
        let price = dai.parse::<Price>().unwrap();
        let other = state.assets.last_mut().unwrap();
        other.price = other.price.clone().map(|known| Trusted { value: price, ..known });
        bench.market.replace(Snapshot::default().with(spec().id, state));
        assert!(publication.refresh(&bench.desk, now).await);
        live(&publication).0
    };
    let first = book_at(0, "1").await;
    assert_eq!(book_at(28, "0.999").await.id, first.id, "the price of another pair");
    let second = book_at(30, "0.999").await;
    assert!(second.id != first.id && second.state_id != first.state_id);
    assert_eq!(second.sequence, 2);
}

#[tokio::test]
async fn a_signature_changes_the_levels() {
    let bench = bench(vec![spec()]);
    let now = bench.desk.clock.now();
    let [mut same, mut opposite] = ["ETH-USDC", "USDC-ETH"].map(|pair| LevelPublication::new(key(&bench, pair)));
    assert!(same.refresh(&bench.desk, now).await && opposite.refresh(&bench.desk, now).await);
    let (before, _) = live(&same);
    let quote = bench.desk.quote(&one_eth()).await.unwrap();
    bench.desk.sign(&sign(quote.id, 1)).await.unwrap();
    assert!(same.refresh(&bench.desk, now).await);
    let (after, _) = live(&same);
    let input = before.levels.knots[4].input;
    assert!(after.levels.output_for(input).unwrap() < before.levels.knots[4].output, "as if it had been executed");
    opposite.refresh(&bench.desk, now).await;
    assert_eq!(live(&opposite).0.sequence, 1, "what may lapse improves no price");
}

#[tokio::test]
async fn a_withdrawn_book_carries_the_reason() {
    let bench = bench(vec![spec()]);
    let now = bench.desk.clock.now();
    let mut publication = LevelPublication::new(key(&bench, "ETH-USDC"));
    let mut reason = async |state: PoolState, at: Timestamp| {
        bench.market.replace(Snapshot::default().with(spec().id, state));
        publication.refresh(&bench.desk, at).await;
        match publication.state() {
            Some(LevelState::Withdrawn(reason)) => Some(*reason),
            Some(LevelState::Live(..)) => None,
            None => panic!("nothing"),
        }
    };
    assert_eq!(reason(state_since("2080.527", now), now).await, None);
    assert_eq!(reason(state_since("2080.527", now), now.plus_seconds(3)).await, Some(WithdrawalReason::StalePrices));
    let mut without_reserves = state_since("2080.527", now);
    without_reserves.assets[0].reserve = Err(Rejection::Reserves("no node".to_owned()));
    assert_eq!(reason(without_reserves, now).await, Some(WithdrawalReason::StaleReserves));
    assert_eq!(reason(state_since("2080.527", now), now).await, None);
    bench.desk.pauses.invalidate();
    assert_eq!(reason(state_since("2080.527", now), now).await, Some(WithdrawalReason::StoreUnreachable));
    assert!(!publication.refresh(&bench.desk, now).await, "it is reported once");
    assert_eq!(WithdrawalReason::StoreUnreachable.name(), "store_unreachable");
}

#[tokio::test]
async fn unsupported_requests_are_rejected_by_name() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let pairs = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let refused = desk.level_books(&request(&pairs(&["ETH-USDC", "ETH-XYZ"]))).unwrap_err();
    assert!(
        matches!(&refused, DeskError::Unsupported { input: UnsupportedInput::Pairs, value } if value == "ETH-XYZ"),
        "{refused:?}"
    );
    let late = LevelsRequest { time_in_seconds: Some(601), ..request(&[]) };
    assert!(matches!(desk.level_books(&late), Err(DeskError::NotAllowed { field: "time_in_seconds", .. })));
    let both = desk.level_books(&request(&pairs(&["USDC-ETH", "ETH-USDC", "ETH-USDC"]))).unwrap();
    assert_eq!(both.len(), 2, "in the order of the pool, each once");
    assert_eq!(desk.level_books(&request(&[])).unwrap().len(), 2 * spec().pairs.len());
}
