//! Paused pools: how long a pause state is valid, and which change wins.

use std::{
    collections::BTreeSet,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Waker},
};

use async_trait::async_trait;
use firmquote_desk::{Condition, Desk, DeskError, PAUSES_TTL_SECONDS, PartState, Pauses, QuoteRequest};
use firmquote_domain::{Address, PoolId, PoolSpec, Timestamp};
use firmquote_store::{MemoryStore, PauseStore, StoreError};
use tokio::sync::Notify;

use crate::pool::{Bench, NOW, bench, one_eth, sign, spec};

#[tokio::test]
async fn a_paused_pool_neither_quotes_nor_signs_until_resumed() {
    let other = PoolSpec { id: PoolId { address: Address::repeat_byte(9), ..spec().id }, ..spec() };
    let Bench { desk, .. } = bench(vec![spec(), other.clone()]);
    let named = QuoteRequest { pool_address: Some(spec().id.address), ..one_eth() };
    let quote = desk.quote(&named).await.unwrap();
    assert_eq!(desk.set_paused(spec().id.address, None, true).await.unwrap(), [spec().id]);
    assert!(matches!(desk.quote(&named).await, Err(DeskError::Paused)));
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::Paused)));
    assert_eq!(desk.quote(&one_eth()).await.unwrap().pool, other.id, "another pool steps in");
    desk.set_paused(spec().id.address, Some(spec().id.chain_id), false).await.unwrap();
    assert!(desk.quote(&named).await.is_ok() && desk.sign(&sign(quote.id, 1)).await.is_ok());
    assert_eq!((desk.pauses_condition(), desk.store_health().await.store), (Condition::ready(), Condition::ready()));
    let unknown = desk.set_paused(Address::repeat_byte(3), None, true).await;
    assert!(matches!(unknown, Err(DeskError::Unsupported { field: "pool_address", .. })));
}

/// A store that cannot be reached.
struct Unreachable;

#[async_trait]
impl PauseStore for Unreachable {
    async fn set_paused(&self, _: PoolId, _: bool) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("no answer".into()))
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        Err(StoreError::Unavailable("no answer".into()))
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// A store that can be read once.
#[derive(Default)]
struct ReadOnce {
    was_read: AtomicBool,
}

#[async_trait]
impl PauseStore for ReadOnce {
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        Unreachable.set_paused(pool, is_paused).await
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        if self.was_read.swap(true, Ordering::Relaxed) { Unreachable.paused().await } else { Ok(BTreeSet::new()) }
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// A store whose resumes are stored at once, and confirmed once they are released.
struct SlowResumes {
    store: MemoryStore,
    released: Notify,
}

#[async_trait]
impl PauseStore for SlowResumes {
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        self.store.set_paused(pool, is_paused).await?;
        if !is_paused {
            self.released.notified().await;
        }
        Ok(())
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        self.store.paused().await
    }

    fn is_shared(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn a_late_resume_confirmation_does_not_undo_a_newer_pause() {
    let store = Arc::new(SlowResumes { store: MemoryStore::new(1), released: Notify::new() });
    let pauses = Pauses::with_paused(Arc::clone(&store) as Arc<dyn PauseStore>, BTreeSet::from([spec().id]));
    let pools = [spec().id];
    let mut resume = pin!(pauses.set(&pools, false));
    assert!(resume.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    pauses.set(&pools, true).await.unwrap();
    store.released.notify_one();
    resume.await.unwrap();
    assert!(matches!(pauses.check(spec().id, NOW), Err(DeskError::Paused)));
    store.released.notify_one();
    pauses.set(&pools, false).await.unwrap();
    assert!(pauses.check(spec().id, NOW).is_ok());
}

#[tokio::test]
async fn nothing_is_quoted_before_the_pauses_are_known() {
    let store = Arc::new(MemoryStore::new(10));
    store.set_paused(spec().id, true).await.unwrap();
    let pauses = Arc::new(Pauses::new(store));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Store(_))));
    assert_eq!(desk.pauses_condition().state, PartState::Unready);
    pauses.refresh(NOW).await.unwrap();
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Paused)));
}

#[tokio::test]
async fn an_unpersisted_pause_applies_locally_and_survives_a_refresh() {
    let pauses = Arc::new(Pauses::with_paused(Arc::new(Unreachable), BTreeSet::new()));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    let address = spec().id.address;
    assert!(matches!(desk.set_paused(address, None, true).await, Err(DeskError::Store(_))));
    assert!(matches!(desk.quote(&one_eth()).await, Err(DeskError::Paused)));
    assert!(pauses.refresh(Timestamp::from_micros(1)).await.is_err());
    assert!(matches!(desk.set_paused(address, None, false).await, Err(DeskError::Store(_))));
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
    let pauses = Arc::new(Pauses::new(Arc::new(ReadOnce::default())));
    let desk = Desk { pauses: Arc::clone(&pauses), ..bench(vec![spec()]).desk };
    let read_at = Timestamp::from_micros(NOW.as_micros() - 5_000_000);
    pauses.refresh(read_at).await.unwrap();
    assert!(pauses.refresh(NOW).await.is_err());
    assert!(desk.quote(&one_eth()).await.is_ok(), "it was known a moment ago");
    let later = Timestamp::from_micros(NOW.as_micros() + 1);
    assert!(matches!(pauses.check(spec().id, later), Err(DeskError::Store(_))), "a failed read does not extend it");
}
