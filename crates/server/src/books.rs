//! Follows the books of the pools: swaps signed by other replicas, and swaps that settled or lapsed.

use std::{sync::Arc, time::Duration};

use firmquote_desk::ServedPool;
use firmquote_domain::Clock;
use firmquote_http::LiveService;
use firmquote_store::Store;
use futures_util::future::join_all;
use tokio::time::{sleep, timeout};

use crate::supervise::{Outage, in_time};

/// The longest time between two reads, after which a missed announcement no longer matters.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The shortest time between two reads, however many changes are announced.
const MIN_INTERVAL: Duration = Duration::from_millis(20);

/// Timeout of reading one book.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// Keeps this replica's copies of the books up to date.
pub(crate) struct BookFollower {
    live: Arc<LiveService>,
    books: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    outage: Outage<()>,
}

impl BookFollower {
    /// Creates the follower and reads each book once, if the store responds.
    pub(crate) async fn start(live: Arc<LiveService>, books: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        let follower = Self { live, books, clock, outage: Outage::new() };
        follower.read().await;
        follower
    }

    /// Follows the books until the runtime ends.
    pub(crate) async fn run(self) {
        loop {
            sleep(MIN_INTERVAL).await;
            // Either a change was announced, or the interval has passed.
            drop(timeout(POLL_INTERVAL, self.books.changed()).await);
            self.read().await;
        }
    }

    /// Reads all books; logs the start and the end of an outage.
    async fn read(&self) {
        let desk = self.live.desk();
        // Each book is read independently: a failing one does not affect the others, and a hanging one delays only the
        // next round.
        let read = async |pool: &ServedPool| {
            let reading = async {
                desk.refresh_book(pool).await?;
                desk.store_lapses(pool).await
            };
            in_time(READ_TIMEOUT, reading).await
        };
        let read: Result<(), String> = join_all(desk.pools.iter().map(read)).await.into_iter().collect();
        self.outage.record(
            read,
            |error| {
                let read_at = desk.pools.iter().filter_map(|pool| pool.book().updated_at()).min();
                let age_s = read_at.map(|read_at| self.clock.now().seconds_since(read_at));
                tracing::error!(
                    error,
                    age_s,
                    "cannot read the signatures of other replicas: quotes may use a stale book"
                );
            },
            || tracing::info!("the books of the pools can be read again"),
        );
    }
}
