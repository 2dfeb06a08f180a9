//! The one reader of events of this replica, from which every stream gets them.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::rt::time::sleep;
use firmquote_desk::{Desk, DeskError, EventCursor, PoolPosition};
use firmquote_domain::{B256, PoolId};
use tokio::sync::{Notify, broadcast};

use super::event::FeedEvent;

/// The interval between reads of the store while there are streams.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The delay after a failed read.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The most entries of each stream per read.
pub(super) const PAGE: usize = 500;

/// The events that a stream may be behind before it reads the store by itself.
const MAX_BEHIND: usize = 1_024;

/// Reads events while there are streams, and hands them to all of them.
pub(crate) struct EventHub {
    events: broadcast::Sender<Arc<FeedEvent>>,
    opened: Notify,
    /// Whether the last read of the store succeeded.
    is_reading: AtomicBool,
}

impl EventHub {
    pub(crate) fn new() -> Self {
        Self { events: broadcast::Sender::new(MAX_BEHIND), opened: Notify::new(), is_reading: AtomicBool::new(true) }
    }

    /// Returns the events from now on.
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Arc<FeedEvent>> {
        let receiver = self.events.subscribe();
        self.opened.notify_one();
        receiver
    }

    /// Whether the store could be read last.
    pub(super) fn is_reading(&self) -> bool {
        self.is_reading.load(Ordering::Relaxed)
    }

    /// Reads events, for as long as the future is polled, of the desk that `current` returns.
    pub(crate) async fn run(&self, current: impl Fn() -> Arc<Desk>) -> Infallible {
        loop {
            while self.events.receiver_count() == 0 {
                self.opened.notified().await;
            }
            self.follow(&current).await;
        }
    }

    /// Reads events until there is no stream any more.
    async fn follow(&self, current: impl Fn() -> Arc<Desk>) {
        let (mut cursor, mut blocks) = (None, HashMap::new());
        while self.events.receiver_count() > 0 {
            let desk = current();
            let read = self.read(&desk, cursor.as_ref()).await;
            self.is_reading.store(read.is_ok(), Ordering::Relaxed);
            let delay = match read {
                Ok((next, is_full)) => {
                    cursor = Some(next);
                    if is_full { Duration::ZERO } else { POLL_INTERVAL }
                }
                // The state of the store is logged where it is probed; streams go on with what they have.
                Err(_) => RETRY_DELAY,
            };
            self.send_positions(&desk, &mut blocks);
            sleep(delay).await;
        }
    }

    /// Sends the entries after a cursor. Returns the cursor after them, and whether there may be more.
    async fn read(&self, desk: &Desk, after: Option<&EventCursor>) -> Result<(EventCursor, bool), DeskError> {
        let page = desk.events(after, PAGE).await?;
        // Streams may have read less by themselves than what precedes the first page.
        if page.is_reset || after.is_none() {
            self.send(FeedEvent::reset(&page.cursor));
        }
        let is_full = page.entries.len() >= PAGE;
        for entry in page.entries {
            self.send(FeedEvent::from_entry(entry, desk).await);
        }
        Ok((page.cursor, is_full))
    }

    /// Sends the positions of the pools of which another block was read.
    fn send_positions(&self, desk: &Desk, blocks: &mut HashMap<PoolId, (u64, Option<B256>)>) {
        for position in desk.positions() {
            let PoolPosition { pool, block_number, block_hash, .. } = position;
            if blocks.insert(pool, (block_number, block_hash)) != Some((block_number, block_hash)) {
                self.send(FeedEvent::from_position(&position));
            }
        }
    }

    fn send(&self, event: FeedEvent) {
        // Without a stream nobody misses it.
        drop(self.events.send(Arc::new(event)));
    }
}
