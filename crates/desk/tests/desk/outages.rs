//! Blocks that are observed while the store fails in part.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use firmquote_desk::{
    Desk, DeskError, ExecutedSwap, Limit, ObservedBlock, OutstandingPolicy, QuoteRequest, SigningPolicy,
};
use firmquote_domain::{Address, Client, PoolSpec, QuoteState, SignedQuote, SwapAmount, SwapState, Usd};
use firmquote_market::{Snapshot, Trusted};
use firmquote_store::{
    BookChange, BookVersion, CommitOutcome, LayeredStore, MemoryStore, Store, StoreCall, StoreError, StoreLayer,
};

use crate::{
    pool::{Bench, NOW, one_eth, spec, terms},
    settlement::{at_block, block, executed, on_chain},
};

/// A store that can refuse outcomes and changes of books, lose the replies to changes and refuse to be read from then on,
/// or be replaced while a swap is entered: then the reply is of the epoch before, and the swap may be lost.
#[derive(Default)]
struct Failures {
    refuses_outcomes: AtomicBool,
    refuses_changes: AtomicBool,
    loses_replies: AtomicBool,
    refuses_reads: AtomicBool,
    is_replaced: AtomicBool,
    loses_entries: AtomicBool,
    /// The store that loses them.
    store: Option<Arc<dyn Store>>,
}

impl Failures {
    /// Puts the layer in front of the store of `desk`.
    fn before(desk: &mut Desk) -> Arc<LayeredStore<dyn Store, Self>> {
        let layer = Self { store: Some(Arc::clone(&desk.store)), ..Self::default() };
        let store = Arc::new(LayeredStore { layer, store: Arc::clone(&desk.store) });
        desk.store = Arc::clone(&store) as _;
        store
    }
}

fn check(refuses: &AtomicBool) -> Result<(), StoreError> {
    if refuses.load(Ordering::Relaxed) { Err(StoreError::Unavailable("refused".into())) } else { Ok(()) }
}

impl StoreLayer for Failures {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        match call {
            StoreCall::SetOutcome => check(&self.refuses_outcomes)?,
            StoreCall::ApplyChanges => check(&self.refuses_changes)?,
            StoreCall::ChangesSince => check(&self.refuses_reads)?,
            _ => {}
        }
        let mut done = work.await?;
        if call == StoreCall::ApplyChanges {
            self.refuses_reads.store(self.loses_replies.load(Ordering::Relaxed), Ordering::Relaxed);
            check(&self.loses_replies)?;
        }
        if self.is_replaced.load(Ordering::Relaxed)
            && let Some(CommitOutcome::Recorded { signed, version }) = (&mut done as &mut dyn Any).downcast_mut()
        {
            *version = Some(BookVersion { epoch: u64::MAX, number: 1 });
            if self.loses_entries.load(Ordering::Relaxed) {
                let lost = [BookChange::Removed(signed.quote.id)];
                self.store.as_ref().unwrap().apply_changes(signed.quote.pool, &lost, NOW).await?;
            }
        }
        Ok(done)
    }
}

/// Observes the block `number` with the events that a replica requests after `observed`. Returns whether that
/// succeeded.
async fn follow(desk: &Desk, observed: u64, number: u64, seconds: u32, chain: &[(u64, &SignedQuote)]) -> bool {
    let since = desk.pools[0].events_since(Some(observed)).unwrap_or(number).min(observed + 1);
    let read = chain.iter().filter(|(executed_in, _)| (since..=number).contains(executed_in));
    let swaps = read.map(|(number, signed)| executed(*number, signed)).collect();
    let block = ObservedBlock { since, counted_until: observed, swaps, ..block(number, seconds, &[]) };
    desk.observe(spec().id, &block).await.is_ok()
}

#[tokio::test]
async fn an_execution_is_stored_however_long_the_store_refused_it() {
    let mut bench = on_chain(PoolSpec { single_use: true, ..spec() });
    let store = Failures::before(&mut bench.desk);
    let Bench { desk, clock, .. } = bench;
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    let id = signed.quote.id;
    let chain = [(102, &signed)];
    let seconds = |number: u64| u32::try_from((number - 100) / 4).unwrap() + 1;
    let status = async || desk.status(id, &Client::Anonymous).await.unwrap();
    // A block every quarter of a second.
    store.layer.refuses_outcomes.store(true, Ordering::Relaxed);
    for number in 102..700 {
        clock.advance_micros(250_000);
        assert!(!follow(&desk, number - 1, number, seconds(number), &chain).await, "{number}");
    }
    assert_eq!(desk.pools[0].book().swap(id), None, "its end is final");
    assert_eq!(status().await.state, QuoteState::Signed, "it has not lapsed");
    store.layer.refuses_outcomes.store(false, Ordering::Relaxed);
    assert!(follow(&desk, 699, 700, seconds(700), &chain).await);
    let settled = status().await;
    assert_eq!((settled.state, settled.record.outcome.is_some()), (QuoteState::Settled, true));
    assert_eq!(desk.pools[0].events_since(Some(700)), None, "its end is final and stored");
}

#[tokio::test]
async fn an_execution_is_stored_although_the_reply_to_the_change_of_the_book_was_lost() {
    let mut bench = on_chain(PoolSpec { single_use: true, ..spec() });
    let store = Failures::before(&mut bench.desk);
    let Bench { desk, clock, .. } = bench;
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    let chain = [(102, &signed)];
    store.layer.loses_replies.store(true, Ordering::Relaxed);
    for number in 102..300 {
        clock.advance_micros(250_000);
        assert!(!follow(&desk, number - 1, number, 2, &chain).await, "{number}");
    }
    clock.advance_micros(60_000_000);
    let status = async || desk.status(signed.quote.id, &Client::Anonymous).await.unwrap();
    assert_eq!(status().await.state, QuoteState::Signed, "it has not lapsed");
    store.layer.loses_replies.store(false, Ordering::Relaxed);
    store.layer.refuses_reads.store(false, Ordering::Relaxed);
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    assert_eq!(desk.pools[0].events_since(Some(299)), None, "its block is not read again");
    assert!(follow(&desk, 299, 300, 2, &chain).await);
    assert_eq!(status().await.state, QuoteState::Settled);
}

#[tokio::test]
async fn a_signature_refused_because_the_book_is_incomplete_is_not_charged() {
    let mut bench = on_chain(PoolSpec { single_use: true, ..spec() });
    let store = Arc::new(MemoryStore::new(1_000));
    store.set_books_complete_since(NOW);
    bench.desk.store = store;
    let max_per_minute = Limit::Usd("10000".parse::<Usd>().unwrap());
    bench.desk.pools[0].policy = SigningPolicy { max_per_minute, ..SigningPolicy::default() };
    let Bench { desk, clock, market } = bench;
    clock.advance_micros(605_000_000);
    // More than the limit of a minute.
    for _ in 0..6 {
        let refused = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap_err();
        assert!(matches!(refused, DeskError::BookIncomplete { retry_after_seconds: 8 }), "{refused}");
    }
    // A swap that is missing may have been executed in its last second, after the block of these reserves.
    let mut old = at_block(100);
    for asset in &mut old.assets {
        let value = asset.reserve.as_ref().unwrap().value;
        asset.reserve = Ok(Trusted { value, since: NOW.plus_seconds(600), until: NOW.plus_seconds(668) });
    }
    market.replace(Snapshot::default().with(spec().id, old));
    // The next block may come at any time, so that its age adds nothing to the wait.
    for (advance, seconds) in [(0, 8), (3, 5), (4, 1), (1, 1), (10, 1)] {
        clock.advance_micros(advance * 1_000_000);
        let refused = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap_err();
        let DeskError::BookIncomplete { retry_after_seconds } = refused else { panic!("{refused:?}") };
        assert_eq!(retry_after_seconds, seconds);
    }
    market.replace(Snapshot::default().with(spec().id, at_block(101)));
    desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
}

#[tokio::test]
async fn a_reorganization_is_reported_until_the_book_counts_its_swaps() {
    let mut bench = on_chain(PoolSpec { single_use: true, ..spec() });
    let store = Failures::before(&mut bench.desk);
    let Bench { desk, .. } = bench;
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    assert!(follow(&desk, 101, 102, 2, &[(102, &signed)]).await);
    store.layer.refuses_changes.store(true, Ordering::Relaxed);
    assert!(!follow(&desk, 102, 103, 3, &[]).await, "another branch, which did not execute it");
    let branch = block(103, 3, &[]);
    assert!(desk.needs_updated_book(spec().id, &branch), "neither these reserves nor the book count it");
    store.layer.refuses_changes.store(false, Ordering::Relaxed);
    assert!(follow(&desk, 102, 103, 3, &[]).await);
    assert!(!desk.needs_updated_book(spec().id, &branch));
}

/// An execution of `signed` that its signature does not explain.
fn foreign(block: u64, signed: &SignedQuote) -> ExecutedSwap {
    let mut swap = executed(block, signed);
    swap.event.recipient = Address::repeat_byte(0xee);
    swap
}

#[tokio::test]
async fn an_execution_helps_only_once_it_is_confirmed_whatever_the_book_knows_of_it() {
    type Read = fn(u64, &SignedQuote) -> ExecutedSwap;
    for (confirmations, read, is_refused) in [
        (0, executed as Read, false),
        (0, foreign, false),
        (3, executed, false),
        (3, executed, true),
        (3, foreign, false),
        (3, foreign, true),
    ] {
        let mut bench = on_chain(PoolSpec { single_use: true, ..spec() });
        let store = Failures::before(&mut bench.desk);
        let outstanding = OutstandingPolicy { confirmations, ..OutstandingPolicy::default() };
        bench.desk.pools[0].policy = SigningPolicy { outstanding, ..SigningPolicy::default() };
        let Bench { desk, market, .. } = bench;
        let back = async || {
            let request = QuoteRequest { input: "USDC".into(), output: "ETH".into(), ..one_eth() };
            let amount = SwapAmount::ExactInput("2000000000".parse().unwrap());
            desk.quote(&QuoteRequest { amount, ..request }).await.unwrap().output.amount
        };
        let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
        let unhelped = back().await;
        store.layer.refuses_changes.store(is_refused, Ordering::Relaxed);
        for (number, is_confirmed) in [(102, confirmations == 0), (104, confirmations == 0), (105, true)] {
            let observed = ObservedBlock { swaps: vec![read(102, &signed)], ..block(number, 2, &[]) };
            drop(desk.observe(spec().id, &observed).await);
            assert!(!desk.needs_updated_book(spec().id, &observed));
            market.replace(Snapshot::default().with(spec().id, at_block(number)));
            assert_eq!(back().await == unhelped, is_confirmed, "{number} with {confirmations}");
        }
    }
}

#[tokio::test]
async fn a_swap_does_not_lapse_while_the_events_of_its_blocks_are_unknown() {
    let Bench { desk, .. } = on_chain(PoolSpec { single_use: true, ..spec() });
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    let state = async |since, swaps| {
        let observed = ObservedBlock { since, swaps, ..block(200, 100_000, &[]) };
        desk.observe(spec().id, &observed).await.unwrap();
        desk.pools[0].book().swap(signed.quote.id).unwrap().state
    };
    assert_eq!(state(136, Vec::new()).await, SwapState::Outstanding, "it may have been executed before");
    assert_eq!(desk.status(signed.quote.id, &Client::Anonymous).await.unwrap().state, QuoteState::Signed);
    let first_block = desk.pools[0].events_since(Some(200)).unwrap();
    assert_eq!(state(first_block, vec![executed(120, &signed)]).await, SwapState::Settled(120));
    assert_eq!(state(first_block, Vec::new()).await, SwapState::Lapsed(Some(200)), "not in this branch");
}

#[tokio::test]
async fn a_signature_leaves_only_if_the_book_that_replaced_another_has_its_swap() {
    for keeps in [false, true] {
        let mut bench = on_chain(PoolSpec { single_use: true, ..spec() });
        let store = Failures::before(&mut bench.desk);
        store.layer.is_replaced.store(true, Ordering::Relaxed);
        store.layer.loses_entries.store(!keeps, Ordering::Relaxed);
        let desk = bench.desk;
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        let signed = desk.quote_and_sign(&one_eth(), terms(1)).await;
        assert_eq!(signed.is_ok(), keeps, "{signed:?}");
        assert_eq!(desk.pools[0].book().swaps().len(), usize::from(keeps), "the copy is that of the store");
    }
}
