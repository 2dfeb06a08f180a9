//! How long firm levels hold, and how long an input counts in the budget of its client.

use std::sync::Arc;

use firmquote_desk::{FirmLevelsState, LevelPublication, LevelState, LevelsRefusal, LevelsRequest};
use firmquote_domain::{Client, GoodUntilKind, SwapAmount, SwapOutcome, Timestamp, U256};
use firmquote_market::{Snapshot, Trusted};

use super::{acme_request, at_levels, eth, firm_bench, promised, published, refused};
use crate::{
    levels::state_since,
    pool::{chain, terms},
    settlement::{at_block, block},
};

#[tokio::test]
async fn an_input_counts_until_the_quote_expires_or_the_swap_closes() {
    let bench = firm_bench(GoodUntilKind::Verified);
    let (book, _) = published(&bench, "ETH-USDC").await;
    let request = acme_request(SwapAmount::ExactInput(eth(200)));
    let used = async |id| {
        let budget = book.firm_budget.unwrap().base_units();
        let firm = bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactInput(eth(1))), id)).await.unwrap();
        budget - promised(&firm).budget_left - eth(1).base_units()
    };
    let quote = bench.desk.quote(&at_levels(&request, book.id)).await.unwrap();
    assert_eq!(used(book.id).await, eth(200).base_units());
    bench.clock.set(quote.must_accept_by);
    let (next, _) = published(&bench, "ETH-USDC").await;
    assert_eq!(next.firm_budget, book.firm_budget);
    assert_eq!(used(next.id).await, U256::ZERO, "given back");
    let signed = bench.desk.quote_and_sign(&at_levels(&request, next.id), terms(1)).await.unwrap();
    assert_eq!(promised(&signed.quote).id, next.id);
    bench.clock.advance_micros(30_000_000);
    let (later, _) = published(&bench, "ETH-USDC").await;
    let refusal = acme_request(SwapAmount::ExactInput(later.firm_budget.unwrap()));
    assert_eq!(refused(&bench, &refusal, later.id).await, LevelsRefusal::BudgetUsed, "outstanding");
    // Lapsed: it no longer counts.
    bench.clock.advance_micros(120_000_000);
    let pool = &bench.desk.pools[0];
    bench.desk.refresh_book(pool).await.unwrap();
    bench.desk.store_lapses(pool).await.unwrap();
    let status = bench.desk.status(signed.quote.id, &signed.quote.client).await.unwrap();
    assert_eq!(status.record.outcome, Some(SwapOutcome::Lapsed));
    let (last, _) = published(&bench, "ETH-USDC").await;
    let whole = acme_request(SwapAmount::ExactInput(last.firm_budget.unwrap()));
    bench.desk.quote(&at_levels(&whole, last.id)).await.unwrap();
}

#[tokio::test]
async fn a_firm_promise_is_not_shortened() {
    let bench = firm_bench(GoodUntilKind::Verified);
    let start = bench.desk.clock.now();
    let publish = |micros: u64| {
        let mut state = state_since("2080.527", start);
        for asset in &mut state.assets {
            asset.price = asset.price.clone().map(|price| Trusted { until: start.plus_micros(micros), ..price });
        }
        bench.market.replace(Snapshot::default().with(bench.desk.pools[0].id(), state));
    };
    publish(60_000_000);
    let pairs = ["ETH-USDC".to_owned()];
    let request = LevelsRequest {
        client: &Client::Anonymous,
        chain_id: chain(),
        pool_address: None,
        pairs: &pairs,
        time_in_seconds: None,
        max_knots: None,
    };
    let mut publication = LevelPublication::new(bench.desk.level_books(&request).unwrap().remove(0));
    assert!(publication.refresh(&bench.desk, start).await);
    let Some(LevelState::Live(book, validity)) = publication.state().cloned() else { panic!("it is published") };
    assert_eq!(validity.valid_until, start.plus_micros(3_000_000));
    // The prices are trusted for less than the promise, as after a reload.
    publish(2_000_000);
    bench.clock.advance_micros(500_000);
    assert!(!publication.refresh(&bench.desk, bench.desk.clock.now()).await);
    publish(60_000_000);
    bench.clock.set(start.plus_micros(2_999_999));
    let quote = bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactInput(eth(1))), book.id)).await;
    quote.unwrap();
}

#[tokio::test]
async fn an_executed_input_counts_as_long_as_levels_of_an_earlier_process_hold() {
    for (started_before, seconds) in [(60, 3), (0, 30), (20, 30)] {
        let mut bench = firm_bench(GoodUntilKind::Verified);
        let started_at = Timestamp::from_seconds(bench.desk.clock.now().seconds().get() - started_before);
        let state = FirmLevelsState::new(started_at);
        state.set_client_count(3);
        bench.desk.firm_levels = Arc::new(state);
        let pool = bench.desk.pools[0].id();
        bench.market.replace(Snapshot::default().with(pool, at_block(100)));
        let (book, _) = published(&bench, "ETH-USDC").await;
        let request = acme_request(SwapAmount::ExactInput(eth(200)));
        let signed = bench.desk.quote_and_sign(&at_levels(&request, book.id), terms(1)).await.unwrap();
        bench.desk.observe(pool, &block(101, 1, &[(101, &signed)])).await.unwrap();
        let used = async || {
            let (book, _) = published(&bench, "ETH-USDC").await;
            let firm = acme_request(SwapAmount::ExactInput(eth(1)));
            let firm = bench.desk.quote(&at_levels(&firm, book.id)).await.unwrap();
            book.firm_budget.unwrap().base_units() - promised(&firm).budget_left
        };
        bench.clock.advance_micros(seconds * 1_000_000 - 1);
        assert_eq!(used().await, eth(201).base_units(), "{started_before}");
        bench.clock.advance_micros(1);
        assert_eq!(used().await, eth(2).base_units(), "{started_before}: two quotes");
    }
}
