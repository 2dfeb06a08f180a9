//! Paused pools: how long a pause state is valid, and which change wins.

use std::{
    any::Any,
    collections::BTreeSet,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    task::{Context, Waker},
};

use firmquote_desk::{
    Condition, Desk, DeskError, PAUSES_TTL_SECONDS, PartState, Pauses, QuoteRequest, UnsupportedInput,
};
use firmquote_domain::{Address, PoolId, PoolSpec, Timestamp};
use firmquote_store::{
    Actor, Breaker, BreakerStep, LayeredStore, MemoryStore, PausedPools, Store, StoreCall, StoreError, StoreLayer,
    Trip, TripKey,
};
use tokio::sync::Notify;

use crate::pool::{Bench, NOW, bench, one_eth, sign, spec};

/// A token that a breaker may stop.
const TOKEN: Address = Address::ZERO;

#[tokio::test]
async fn a_paused_pool_neither_quotes_nor_signs_until_resumed() {
    let other = PoolSpec { id: PoolId { address: Address::repeat_byte(9), ..spec().id }, ..spec() };
    let Bench { desk, .. } = bench(vec![spec(), other.clone()]);
    let named = QuoteRequest { pool_address: Some(spec().id.address), ..one_eth() };
    let quote = desk.quote(&named).await.unwrap();
    assert_eq!(desk.set_paused(spec().id.address, None, true, Actor::default()).await.unwrap(), [spec().id]);
    assert!(matches!(desk.quote(&named).await, Err(DeskError::Paused)));
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::Paused)));
    assert_eq!(desk.quote(&one_eth()).await.unwrap().pool, other.id, "another pool steps in");
    desk.set_paused(spec().id.address, Some(spec().id.chain_id), false, Actor::default()).await.unwrap();
    assert!(desk.quote(&named).await.is_ok() && desk.sign(&sign(quote.id, 1)).await.is_ok());
    assert_eq!((desk.pauses_condition(), desk.store_health().await.store), (Condition::ready(), Condition::ready()));
    let unknown = desk.set_paused(Address::repeat_byte(3), None, true, Actor::default()).await;
    assert!(matches!(unknown, Err(DeskError::Unsupported { input: UnsupportedInput::Pool, .. })));
}

fn no_answer() -> StoreError {
    StoreError::Unavailable("no answer".into())
}

/// A store in memory behind a layer.
fn behind<L: StoreLayer>(layer: L) -> LayeredStore<MemoryStore, L> {
    LayeredStore { layer, store: Arc::new(MemoryStore::new(1)) }
}

/// Confirms every other change of a pause once it is released, although it is stored at once.
#[derive(Default)]
struct SlowConfirmations {
    changes: AtomicU8,
    released: Notify,
}

impl StoreLayer for SlowConfirmations {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let done = work.await;
        if call == StoreCall::SetPaused && self.changes.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            self.released.notified().await;
        }
        done
    }
}

#[tokio::test]
async fn a_late_resume_confirmation_does_not_undo_a_newer_pause() {
    let store = Arc::new(behind(SlowConfirmations::default()));
    let pauses = Pauses::with_paused(Arc::clone(&store) as Arc<dyn Store>, BTreeSet::from([spec().id]));
    let pools = [spec().id];
    let mut resume = pin!(pauses.set(&pools, false, None, NOW));
    assert!(resume.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    pauses.set(&pools, true, None, NOW).await.unwrap();
    store.layer.released.notify_one();
    resume.await.unwrap();
    assert!(matches!(pauses.check(spec().id, TOKEN, NOW), Err(DeskError::Paused)));
    store.layer.released.notify_one();
    pauses.set(&pools, false, None, NOW).await.unwrap();
    assert!(pauses.check(spec().id, TOKEN, NOW).is_ok());
}

#[tokio::test]
async fn nothing_is_quoted_before_the_pauses_are_known() {
    let store = Arc::new(MemoryStore::new(10));
    store.set_paused(spec().id, true, None, NOW).await.unwrap();
    let pauses = Arc::new(Pauses::new(store));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Store(_))));
    assert_eq!(desk.pauses_condition().state, PartState::Unready);
    pauses.refresh(NOW).await.unwrap();
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Paused)));
}

#[tokio::test]
async fn an_unpersisted_pause_applies_locally_and_survives_a_refresh() {
    let pauses = Arc::new(Pauses::with_paused(Arc::new(behind(|_| Err(no_answer()))), BTreeSet::new()));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    let address = spec().id.address;
    assert!(matches!(desk.set_paused(address, None, true, Actor::default()).await, Err(DeskError::Store(_))));
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Paused)));
    assert!(pauses.refresh(Timestamp::from_micros(1)).await.is_err());
    assert!(matches!(desk.set_paused(address, None, false, Actor::default()).await, Err(DeskError::Store(_))));
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Paused)), "not lifted everywhere, not lifted here");
}

#[tokio::test]
async fn a_pause_state_is_valid_for_seconds_after_it_was_read() {
    let before = |micros: u64| Timestamp::from_micros(NOW.as_micros() - micros);
    let ttl_micros = u64::from(PAUSES_TTL_SECONDS) * 1_000_000;
    let pauses = Arc::new(Pauses::new(Arc::new(MemoryStore::new(1))));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    pauses.refresh(before(ttl_micros)).await.unwrap();
    assert!(desk.quote(&one_eth()).await.is_ok());
    assert_eq!(desk.pauses_condition().state, PartState::Ready);
    pauses.refresh(before(ttl_micros + 1)).await.unwrap();
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Store(_))), "whether or not a read failed since");
    assert_eq!(desk.pauses_condition().state, PartState::Unready);
}

#[tokio::test]
async fn unreadable_pauses_leave_what_was_read_before() {
    let was_read = AtomicBool::new(false);
    let once = move |_| if was_read.swap(true, Ordering::Relaxed) { Err(no_answer()) } else { Ok(()) };
    let pauses = Arc::new(Pauses::new(Arc::new(behind(once))));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    let read_at = Timestamp::from_micros(NOW.as_micros() - 5_000_000);
    pauses.refresh(read_at).await.unwrap();
    assert!(pauses.refresh(NOW).await.is_err());
    assert!(desk.quote(&one_eth()).await.is_ok(), "it was known a moment ago");
    let later = Timestamp::from_micros(NOW.as_micros() + 1);
    assert!(
        matches!(pauses.check(spec().id, TOKEN, later), Err(DeskError::Store(_))),
        "a failed read does not extend it"
    );
}

/// A store with generations, which may refuse changes.
#[derive(Default)]
struct Generations {
    generation: AtomicU8,
    fails: AtomicBool,
}

impl StoreLayer for Generations {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        if matches!(call, StoreCall::SetPaused | StoreCall::Trip) && self.fails.load(Ordering::Relaxed) {
            return Err(no_answer());
        }
        let mut done = work.await?;
        if let Some(paused) = (&mut done as &mut dyn Any).downcast_mut::<PausedPools>() {
            paused.generation = Some([self.generation.load(Ordering::Relaxed); 32]);
        }
        Ok(done)
    }
}

#[tokio::test]
async fn pauses_that_the_store_loses_stay_in_effect_and_are_put_back() {
    let store = Arc::new(behind(Generations::default()));
    let pauses = Pauses::new(Arc::clone(&store) as Arc<dyn Store>);
    let pool = spec().id;
    let is_paused = |pauses: &Pauses| matches!(pauses.check(pool, TOKEN, NOW), Err(DeskError::Paused));
    pauses.refresh(NOW).await.unwrap();
    pauses.set(&[pool], true, None, NOW).await.unwrap();
    pauses.refresh(NOW).await.unwrap();
    store.store.set_paused(pool, false, None, NOW).await.unwrap();
    store.layer.generation.store(1, Ordering::Relaxed);
    store.layer.fails.store(true, Ordering::Relaxed);
    for _ in 0..2 {
        assert!(pauses.refresh(NOW).await.is_err() && is_paused(&pauses), "it cannot be put back yet");
    }
    assert_eq!((pauses.take_lost(), pauses.take_lost()), (vec![pool], vec![]), "reported once");
    store.layer.fails.store(false, Ordering::Relaxed);
    pauses.refresh(NOW).await.unwrap();
    assert!(store.store.paused().await.unwrap().pools.contains(&pool), "every replica sees it again");
    // Resumed by another replica, in the same generation.
    store.store.set_paused(pool, false, None, NOW).await.unwrap();
    pauses.refresh(NOW).await.unwrap();
    assert!(!is_paused(&pauses) && pauses.take_lost().is_empty());
}

fn trip(step: BreakerStep, token: Option<Address>) -> Trip {
    let key = TripKey { pool: spec().id, breaker: Breaker::Outflow, token };
    Trip { key, step, figures: "9 % left".to_owned(), at: NOW }
}

#[tokio::test]
async fn a_breaker_stops_what_it_names_until_the_pool_is_resumed() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    let [usdc, eth] = [quote.output.token, quote.input.token];
    let of = |token| trip(BreakerStep::Pause, Some(token));
    assert!(desk.pauses.trip(trip(BreakerStep::Widen, None)).await.unwrap());
    assert!(desk.pauses.trip(of(eth)).await.unwrap() && !desk.pauses.trip(of(eth)).await.unwrap());
    desk.quote(&one_eth()).await.expect("neither a raised fee nor a stop of the other token refuses it");
    assert!(desk.pauses.trip(of(usdc)).await.unwrap());
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Breaker)));
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::Breaker)), "also what was quoted before");
    assert!(desk.pauses.trip(trip(BreakerStep::Pause, None)).await.unwrap(), "further than a raised fee");
    assert_eq!(desk.pauses.is_paused(spec().id, NOW), Some(true));
    desk.pauses.refresh(NOW).await.unwrap();
    assert_eq!(desk.pauses.trips(NOW).len(), 3);
    assert!(desk.store.paused().await.unwrap().pools.contains(&spec().id), "no replica commits a signature");
    desk.set_paused(spec().id.address, None, false, Actor::default()).await.unwrap();
    assert_eq!(desk.pauses.trips(NOW), []);
    assert!(desk.pauses.resumed_at(spec().id, NOW).is_some(), "its breakers know at once");
    desk.quote(&one_eth()).await.unwrap();
    desk.pauses.refresh(NOW).await.unwrap();
    assert!(desk.pauses.trips(NOW).is_empty() && desk.pauses.resumed_at(spec().id, NOW).is_some());
}

#[tokio::test]
async fn a_raised_fee_ends_once() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let widened = trip(BreakerStep::Widen, None);
    desk.pauses.trip(widened.clone()).await.unwrap();
    assert!(desk.pauses.end_trip(&widened, NOW).await.unwrap());
    assert!(desk.pauses.trips(NOW).is_empty() && !desk.pauses.end_trip(&widened, NOW).await.unwrap());
}

#[tokio::test]
async fn trips_that_the_store_loses_or_refuses_stay_in_effect_and_are_put_back() {
    let store = Arc::new(behind(Generations::default()));
    let pauses = Pauses::new(Arc::clone(&store) as Arc<dyn Store>);
    let (pool, paused) = (spec().id, trip(BreakerStep::Pause, None));
    pauses.refresh(NOW).await.unwrap();
    store.layer.fails.store(true, Ordering::Relaxed);
    pauses.trip(paused.clone()).await.unwrap_err();
    assert!(matches!(pauses.check(pool, TOKEN, NOW), Err(DeskError::Breaker)), "although it could not be stored");
    store.layer.fails.store(false, Ordering::Relaxed);
    for generation in 1..3 {
        pauses.refresh(NOW).await.unwrap();
        assert_eq!(store.store.paused().await.unwrap().trips.get(&paused.key), Some(&paused));
        store.store.set_paused(pool, false, None, NOW.minus_seconds(1)).await.unwrap();
        store.layer.generation.store(generation, Ordering::Relaxed);
        pauses.refresh(NOW).await.unwrap();
        assert!(matches!(pauses.check(pool, TOKEN, NOW), Err(DeskError::Breaker)), "lost in {generation}");
    }
}

#[tokio::test]
async fn a_resume_by_another_replica_ends_a_trip_that_this_one_could_not_store_before() {
    let store = Arc::new(behind(Generations::default()));
    let pauses = Pauses::new(Arc::clone(&store) as Arc<dyn Store>);
    pauses.refresh(NOW).await.unwrap();
    store.layer.fails.store(true, Ordering::Relaxed);
    pauses.trip(trip(BreakerStep::Pause, None)).await.unwrap_err();
    store.layer.fails.store(false, Ordering::Relaxed);
    let later = Timestamp::from_micros(NOW.as_micros() + 1);
    store.store.set_paused(spec().id, false, None, later).await.unwrap();
    pauses.refresh(later).await.unwrap();
    assert_eq!(pauses.trips(later), []);
    assert!(store.store.paused().await.unwrap().trips.is_empty(), "it is not put back");
}
