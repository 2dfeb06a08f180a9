//! Clients that quote and sign without end, through any outage, and note down every answer.
//!
//! Each client has every quote of its signed for several destinations: two at the same time, a third afterwards.

mod client;
mod journal;
mod trade;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{task::JoinSet, time::sleep};

use crate::endpoint::Endpoint;
use client::Client;
pub use client::{destination, insist, quote, sign};
pub use journal::{Entry, Journal, Step};
pub use trade::{Attempt, Outcome, Signed, Trade, Trades, ask_again};

/// Longer than anything takes; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Between two looks at the journal.
const PAUSE: Duration = Duration::from_millis(10);

/// Clients at work. They end with this value.
pub struct Load {
    journal: Arc<Journal>,
    is_ending: Arc<AtomicBool>,
    clients: JoinSet<Vec<Trade>>,
}

impl Load {
    /// Starts so many clients, each of which asks all replicas in turn.
    pub fn start(replicas: &[Endpoint], clients: usize) -> Self {
        let (journal, is_ending) = (Arc::new(Journal::default()), Arc::new(AtomicBool::new(false)));
        let client = |number| Client::new(number, replicas.into(), Arc::clone(&journal), Arc::clone(&is_ending));
        let clients = (0..clients).map(|number| client(number).work()).collect();
        Self { journal, is_ending, clients }
    }

    /// What was asked until now, and what was answered.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Waits until so many more signatures have arrived.
    ///
    /// # Panics
    /// If they do not, and with what a client saw that should not be.
    pub async fn wait_for_signatures(&mut self, count: usize) {
        let start = Instant::now();
        while self.journal.signatures_since(start) < count {
            self.check_clients();
            assert!(start.elapsed() < PATIENCE, "{} of {count} signatures", self.journal.signatures_since(start));
            sleep(PAUSE).await;
        }
    }

    /// Waits for the first answer of 200 that arrives after `instant` and tells how long after.
    ///
    /// # Panics
    /// If there is none, and with what a client saw that should not be.
    pub async fn first_success_after(&mut self, instant: Instant) -> Duration {
        loop {
            self.check_clients();
            if let Some(success) = self.journal.first_success_after(instant) {
                return success;
            }
            assert!(instant.elapsed() < PATIENCE, "no answer of 200");
            sleep(PAUSE).await;
        }
    }

    /// Has the clients make no further quotes, waits until all they have is decided, and returns it.
    ///
    /// # Panics
    /// If something is still undecided after a minute, and with what a client saw that should not be.
    pub async fn finish(mut self) -> (Trades, Arc<Journal>) {
        self.is_ending.store(true, Ordering::SeqCst);
        let mut trades = Vec::new();
        while let Some(client) = self.clients.join_next().await {
            match client {
                Ok(done) => trades.extend(done),
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
        (Trades(trades), self.journal)
    }

    /// Before the end of the load a client ends by a panic only.
    fn check_clients(&mut self) {
        if let Some(Err(error)) = self.clients.try_join_next() {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}
