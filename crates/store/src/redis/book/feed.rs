//! Announcements that a book has changed, and which epoch of each book this replica follows.

use std::{collections::HashMap, pin::pin, sync::Arc, time::Duration};

use firmquote_domain::PoolId;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    task::AbortHandle,
    time::{Instant, interval, sleep},
};

use crate::redis::{
    RedisConfig,
    shared_hash::{listen, ping},
};

/// The interval at which the subscription is pinged.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// When to read once more after an announcement: changes within 10 ms of one are not announced by themselves
/// (`ANNOUNCEMENT_MS` of scripts/functions/book.lua).
const TRAILING_NOTICE: Duration = Duration::from_millis(20);
/// The delay before a lost subscription is opened again.
const RECONNECT_DELAY: Duration = Duration::from_millis(200);

/// The subscription of one replica to the changes of all books.
pub(in crate::redis) struct BookFeed {
    /// The name of this replica among all that share the books.
    name: String,
    /// The epoch that this replica follows of each book.
    followed: Mutex<HashMap<PoolId, u64>>,
    changed: Arc<Notify>,
    task: AbortHandle,
}

impl BookFeed {
    /// Subscribes, and keeps subscribing until this value is dropped.
    pub(in crate::redis) fn start(config: &RedisConfig) -> Self {
        let changed = Arc::new(Notify::new());
        let task = tokio::spawn(listen_forever(config.clone(), Arc::clone(&changed))).abort_handle();
        Self { name: random_name(), followed: Mutex::default(), changed, task }
    }

    pub(in crate::redis) fn name(&self) -> &str {
        &self.name
    }

    /// The epoch that this replica follows of the book of `pool`; `None` before it has read it.
    pub(in crate::redis) fn followed(&self, pool: PoolId) -> Option<u64> {
        self.followed.lock().get(&pool).copied()
    }

    pub(in crate::redis) fn follow(&self, pool: PoolId, epoch: u64) {
        self.followed.lock().insert(pool, epoch);
    }

    /// Waits until any book may have changed since the last call.
    pub(in crate::redis) async fn changed(&self) {
        self.changed.notified().await;
    }
}

impl Drop for BookFeed {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A name that no other replica has. Names need no secrecy: a failing source of randomness is replaced by the address
/// of a value and the id of the process.
fn random_name() -> String {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => format!("{:032x}", u128::from_be_bytes(bytes)),
        Err(_) => format!("{:p}-{}", &raw const bytes, std::process::id()),
    }
}

/// Notifies of every announcement, and after every interruption, until it is aborted.
async fn listen_forever(config: RedisConfig, changed: Arc<Notify>) {
    loop {
        if let Err(error) = forward(&config, &changed).await {
            tracing::debug!(%error, "the subscription to books was lost");
        }
        sleep(RECONNECT_DELAY).await;
    }
}

/// Forwards announcements until the subscription is lost.
async fn forward(config: &RedisConfig, changed: &Notify) -> redis::RedisResult<()> {
    let (mut sink, mut messages) = listen(config, &config.key_prefix().book_channel()).await?.split();
    changed.notify_one();
    let mut pings = interval(PING_INTERVAL);
    let mut trailing = pin!(sleep(TRAILING_NOTICE));
    let mut is_notice_due = true;
    loop {
        tokio::select! {
            _ = pings.tick() => ping(&mut sink, config.timeout).await?,
            message = messages.next() => {
                if message.is_none() {
                    return Ok(());
                }
                changed.notify_one();
                trailing.as_mut().reset(Instant::now() + TRAILING_NOTICE);
                is_notice_due = true;
            }
            () = &mut trailing, if is_notice_due => {
                changed.notify_one();
                is_notice_due = false;
            }
        }
    }
}
