//! Firm levels are honored exactly once, regardless of prices.
#![expect(clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod adversary;
mod budget;
mod lifetime;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use firmquote_desk::{
    DeskError, FirmLevelsPolicy, LevelBook, LevelPublication, LevelState, LevelsRefusal, LevelsRequest, Limit,
    QuoteRequest, SignRequest, SigningPolicy, Validity,
};
use firmquote_domain::{
    Amount, BasisPoints, Client, GoodUntilKind, LevelsId, PoolSpec, Quote, QuotedLevels, SwapAmount, Timestamp, U256,
    Usd,
};
use firmquote_market::{Rejection, Snapshot};
use firmquote_store::{LayeredStore, StoreCall, StoreError, StoreLayer};
use futures_util::FutureExt as _;

use crate::{
    policy::with_slow_signer,
    pool::{Bench, bench, chain, one_eth, spec, state, terms},
};

/// Three seconds, half a basis point, 20,000 USD for each client.
fn policy() -> FirmLevelsPolicy {
    let margin = BasisPoints::from_hundredths(50).unwrap();
    FirmLevelsPolicy { firm_ms: 3_000, margin, budget: Usd::new(2_000_000_000_000) }
}

fn tenth() -> Limit {
    Limit::Share(BasisPoints::from_hundredths(100_000).unwrap())
}

/// A desk whose only pool promises the levels of its only pair to three clients.
pub(crate) fn firm_bench(kind: GoodUntilKind) -> Bench {
    let mut spec = spec();
    spec.pairs.truncate(1);
    firm_bench_of(spec, kind)
}

fn firm_bench_of(spec: PoolSpec, kind: GoodUntilKind) -> Bench {
    let spec = PoolSpec { good_until: kind, single_use: true, max_time_in_seconds: 60, ..spec };
    let mut bench = bench(vec![spec]);
    bench.desk.pools[0].policy =
        SigningPolicy { max_trade: tenth(), firm_levels: Some(policy()), ..Default::default() };
    bench.desk.firm_levels.set_client_count(3);
    bench
}

/// Publishes a book and returns it.
async fn published(bench: &Bench, pair: &str) -> (Arc<LevelBook>, Validity) {
    let pairs = [pair.to_owned()];
    let request = LevelsRequest {
        client: &Client::Anonymous,
        chain_id: chain(),
        pool_address: None,
        pairs: &pairs,
        time_in_seconds: None,
        max_knots: None,
    };
    let mut keys = bench.desk.level_books(&request).unwrap();
    let mut publication = LevelPublication::new(keys.remove(0));
    assert!(publication.refresh(&bench.desk, bench.desk.clock.now()).await);
    match publication.state() {
        Some(LevelState::Live(book, validity)) => (Arc::clone(book), *validity),
        other => panic!("{other:?}"),
    }
}

fn acme_request(amount: SwapAmount) -> QuoteRequest<'static> {
    QuoteRequest { client: Client::Named("acme".into()), amount, ..one_eth() }
}

/// `request` at the levels `id`.
fn at_levels<'r>(request: &QuoteRequest<'r>, id: LevelsId) -> QuoteRequest<'r> {
    QuoteRequest { levels_id: Some(id), ..request.clone() }
}

/// What the levels promise that `quote` names.
fn promised(quote: &Quote) -> &QuotedLevels {
    quote.levels.as_deref().unwrap()
}

fn eth(thousandths: u64) -> Amount {
    Amount::new(U256::from(thousandths) * U256::from(10_u64.pow(15))).unwrap()
}

fn at_price(bench: &Bench, price: &str) {
    bench.market.replace(Snapshot::default().with(spec().id, state(price)));
}

async fn refused(bench: &Bench, request: &QuoteRequest<'_>, id: LevelsId) -> LevelsRefusal {
    match bench.desk.quote(&at_levels(request, id)).await {
        Err(DeskError::Levels(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn breaches(bench: &Bench) -> u64 {
    bench.desk.firm_levels.breaches().map(|(_, count)| count).sum()
}

#[tokio::test]
async fn a_quote_with_levels_honours_them_regardless_of_the_price() {
    for kind in [GoodUntilKind::Plain, GoodUntilKind::Verified] {
        let bench = firm_bench(kind);
        let (book, validity) = published(&bench, "ETH-USDC").await;
        let budget = book.firm_budget.unwrap();
        assert!(budget >= eth(200), "{budget}");
        assert_eq!(validity.valid_until, validity.published_at.plus_seconds(3));
        // The price falls by five percent: nothing else is quoted as high.
        at_price(&bench, "1976.5");
        let line = book.levels.output_for(eth(200)).unwrap();
        let ordinary = bench.desk.quote(&acme_request(SwapAmount::ExactInput(eth(200)))).await.unwrap();
        assert!(ordinary.output.amount < line);
        let quote =
            bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactInput(eth(200))), book.id)).await.unwrap();
        assert_eq!((quote.output.amount, promised(&quote).output), (line, line));
        assert_eq!((promised(&quote).id, quote.state_id, quote.fee), (book.id, book.state_id, book.fee));
        assert_eq!(quote.must_accept_by, validity.valid_until, "earlier than the acceptance window");
        assert_eq!(promised(&quote).budget_left, budget.base_units() - eth(200).base_units());
        // And it is signed, at the very last moment.
        bench.clock.advance_micros(2_999_999);
        let request = SignRequest { client: quote.client.clone(), quote_id: quote.id, terms: terms(1) };
        assert_eq!(bench.desk.sign(&request).await.unwrap().quote, quote);
        assert_eq!(breaches(&bench), 0);
    }
}

#[tokio::test]
async fn a_late_signature_of_levels_needs_trusted_reserves_and_no_price() {
    let changes = [("1976.5", true), ("", false)];
    for (price, is_released) in changes {
        let bench = Arc::new(firm_bench(GoodUntilKind::Verified));
        let (book, _) = published(&bench, "ETH-USDC").await;
        let quote =
            bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactInput(eth(200))), book.id)).await.unwrap();
        let served = PoolSpec::clone(bench.desk.pools[0].signer().pool().spec());
        let mut desk = with_slow_signer(&bench, served, move |bench| {
            bench.clock.advance_micros(2_000_000);
            match price {
                "" => bench.market.replace(Snapshot::default()),
                price => at_price(bench, price),
            }
        });
        desk.pools[0].policy = bench.desk.pools[0].policy.clone();
        let request = SignRequest { client: quote.client.clone(), quote_id: quote.id, terms: terms(1) };
        let signed = desk.sign(&request).await;
        assert_eq!(signed.is_ok(), is_released, "{price}: {signed:?}");
    }
}

#[tokio::test]
async fn levels_hold_after_a_reload_and_disabled_swaps_break_them() {
    let mut bench = firm_bench(GoodUntilKind::Verified);
    let (book, _) = published(&bench, "ETH-USDC").await;
    let request = acme_request(SwapAmount::ExactInput(eth(200)));
    let request = at_levels(&request, book.id);
    bench.desk.pools[0].policy.firm_levels = None;
    let quote = bench.desk.quote(&request).await.unwrap();
    assert_eq!(quote.output.amount, book.levels.output_for(eth(200)).unwrap(), "without firm levels at present");
    let bench = Arc::new(bench);
    let served = PoolSpec::clone(bench.desk.pools[0].signer().pool().spec());
    let disabled = with_slow_signer(&bench, PoolSpec { swaps_enabled: false, ..served }, |_| {});
    assert_eq!(breaches(&bench), 0);
    for count in 1..=2 {
        let refused = match count {
            1 => disabled.quote(&request).await.map(drop),
            _ => disabled.quote_and_sign(&request, terms(1)).await.map(drop),
        };
        assert!(matches!(refused, Err(DeskError::SwapsDisabled)), "{refused:?}");
        assert_eq!(breaches(&bench), count);
    }
}

#[tokio::test]
async fn the_taker_gets_the_better_of_levels_and_market() {
    let bench = firm_bench(GoodUntilKind::Verified);
    let (book, _) = published(&bench, "ETH-USDC").await;
    at_price(&bench, "2100");
    let line = book.levels.output_for(eth(100)).unwrap();
    let firm = bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactInput(eth(100))), book.id)).await.unwrap();
    assert!(firm.output.amount > line && promised(&firm).output == line, "{firm:?}");
    assert_ne!(firm.state_id, book.state_id);
    // The fee is that of levels that hold, and none of it is given away.
    let ordinary = bench.desk.quote(&acme_request(SwapAmount::ExactInput(eth(100)))).await.unwrap();
    assert!(firm.output.amount < ordinary.output.amount && firm.fee > ordinary.fee);
    // As the levels are, so is a wanted output: as if the input had been chosen.
    at_price(&bench, "1900");
    let wanted = Amount::new(U256::from(90_000_000)).unwrap();
    let firm = bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactOutput(wanted)), book.id)).await.unwrap();
    let input = firm.input.amount;
    assert_eq!((firm.output.amount, promised(&firm).output >= wanted), (wanted, true));
    let used = eth(100);
    let total = |input: Amount| book.levels.output_for(input).unwrap().base_units();
    let one_less = Amount::new(input.base_units() - U256::ONE).unwrap();
    assert!(total(used.checked_add(input).unwrap()) - total(used) >= wanted.base_units());
    assert!(total(used.checked_add(one_less).unwrap()) - total(used) < wanted.base_units(), "the smallest input");
}

#[tokio::test]
async fn levels_never_pay_more_than_a_requested_output() {
    let bench = firm_bench(GoodUntilKind::Verified);
    let (book, _) = published(&bench, "USDC-ETH").await;
    // Lower than the levels promise. A base unit of USDC is worth hundreds of millions of those of ETH.
    at_price(&bench, "2200");
    let wanted = Amount::new(U256::from(40_000_000_000_000_001_u64)).unwrap();
    let request =
        QuoteRequest { input: "USDC".into(), output: "ETH".into(), ..acme_request(SwapAmount::ExactOutput(wanted)) };
    let firm = bench.desk.quote(&at_levels(&request, book.id)).await.unwrap();
    assert!(book.levels.output_for(firm.input.amount).unwrap() > wanted);
    assert_eq!((firm.output.amount, promised(&firm).output), (wanted, wanted));
}

#[tokio::test]
async fn a_quote_outside_the_terms_is_rejected_with_the_reason() {
    let bench = firm_bench(GoodUntilKind::Verified);
    let (book, validity) = published(&bench, "ETH-USDC").await;
    let budget = book.firm_budget.unwrap();
    let input = |amount| acme_request(SwapAmount::ExactInput(amount));
    let above = budget.checked_add(Amount::ONE).unwrap();
    assert_eq!(refused(&bench, &input(above), book.id).await, LevelsRefusal::BeyondSize);
    assert_eq!(
        refused(&bench, &acme_request(SwapAmount::ExactOutput(eth(1_000))), book.id).await,
        LevelsRefusal::BeyondSize
    );
    let below = Amount::new(book.levels.knots[0].input.base_units() - U256::ONE).unwrap();
    assert_eq!(refused(&bench, &input(below), book.id).await, LevelsRefusal::BelowMinimum);
    let unknown = LevelsId::from_bytes([7; 16]);
    assert_eq!(refused(&bench, &input(eth(100)), unknown).await, LevelsRefusal::Expired);
    for (request, field) in [
        (QuoteRequest { client: Client::Anonymous, ..input(eth(100)) }, "levels_id"),
        (QuoteRequest { input: "USDC".into(), output: "ETH".into(), ..input(eth(100)) }, "levels_id"),
        (QuoteRequest { time_in_seconds: Some(61), ..input(eth(100)) }, "time_in_seconds"),
        (QuoteRequest { time_in_seconds: Some(0), ..input(eth(100)) }, "time_in_seconds"),
    ] {
        let error = bench.desk.quote(&at_levels(&request, book.id)).await.unwrap_err();
        assert!(matches!(error, DeskError::NotAllowed { field: named, .. } if named == field), "{error}");
    }
    let whole = QuoteRequest { time_in_seconds: Some(30), ..input(budget) };
    let whole = bench.desk.quote(&at_levels(&whole, book.id)).await.expect("a shorter time is within the terms, too");
    assert_eq!((promised(&whole).budget_left, whole.time_in_seconds), (U256::ZERO, 30));
    assert_eq!(refused(&bench, &input(eth(100)), book.id).await, LevelsRefusal::BudgetUsed);
    let other = QuoteRequest { client: Client::Named("other".into()), ..input(eth(100)) };
    bench.desk.quote(&at_levels(&other, book.id)).await.unwrap();
    for wrong in [validity.valid_until, Timestamp::from_micros(validity.published_at.as_micros() - 1)] {
        bench.clock.set(wrong);
        assert_eq!(refused(&bench, &input(eth(100)), book.id).await, LevelsRefusal::Expired, "{wrong:?}");
    }
    assert_eq!(breaches(&bench), 0, "all of it is within the terms");
}

#[tokio::test]
async fn broken_firm_levels_are_counted() {
    let bench = firm_bench(GoodUntilKind::Verified);
    let (book, _) = published(&bench, "ETH-USDC").await;
    let request = acme_request(SwapAmount::ExactInput(eth(200)));
    // A swap of others moves the reserves against the levels.
    let mut moved = state("2080.527");
    for (position, percent) in [(0, 110), (1, 90)] {
        let reserve = moved.assets[position].reserve.as_mut().unwrap();
        reserve.value = Amount::new(reserve.value.base_units() * U256::from(percent) / U256::from(100)).unwrap();
    }
    bench.market.replace(Snapshot::default().with(spec().id, moved));
    assert_eq!(refused(&bench, &request, book.id).await, LevelsRefusal::ReservesMoved);
    let mut unknown = state("2080.527");
    unknown.assets[1].reserve = Err(Rejection::Reserves("no node".to_owned()));
    bench.market.replace(Snapshot::default().with(spec().id, unknown));
    assert_eq!(refused(&bench, &request, book.id).await, LevelsRefusal::ReservesMoved);
    at_price(&bench, "2080.527");
    // What is refused takes nothing of the budget.
    let whole = acme_request(SwapAmount::ExactInput(book.firm_budget.unwrap()));
    let all = bench.desk.quote_and_sign(&at_levels(&whole, book.id), terms(1)).await.unwrap();
    assert_eq!(promised(&all.quote).budget_left, U256::ZERO);
    let counts: Vec<_> = bench.desk.firm_levels.breaches().map(|(reason, count)| (reason.name(), count)).collect();
    assert_eq!(counts, [("reserves_moved", 2), ("outstanding_limit", 0), ("store_lost", 0)]);
    bench.desk.pauses.set(&[spec().id], true, None, bench.desk.clock.now()).await.unwrap();
    assert_eq!(refused(&bench, &request, book.id).await, LevelsRefusal::Paused);
}

/// Does not store levels while it is stalled.
struct Stalled(AtomicBool);

impl StoreLayer for Stalled {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        if call == StoreCall::StoreLevels && self.0.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        work.await
    }
}

#[tokio::test]
async fn levels_survive_a_caller_that_cancels_while_they_are_stored() {
    let mut bench = firm_bench(GoodUntilKind::Verified);
    let store = Arc::new(LayeredStore { layer: Stalled(AtomicBool::new(true)), store: Arc::clone(&bench.desk.store) });
    bench.desk.store = Arc::clone(&store) as _;
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
    let now = bench.desk.clock.now();
    assert_eq!(publication.refresh(&bench.desk, now).now_or_never(), None);
    store.layer.0.store(false, Ordering::Relaxed);
    assert!(publication.refresh(&bench.desk, now).await, "it was never returned");
    let Some(LevelState::Live(book, _)) = publication.state() else { panic!("{:?}", publication.state()) };
    assert!(book.firm_budget.is_some());
    assert!(
        bench.desk.quote(&at_levels(&acme_request(SwapAmount::ExactInput(eth(100))), book.id)).await.is_ok(),
        "it is in the store"
    );
    assert!(!publication.refresh(&bench.desk, now).await);
}
