//! Clients that continuously request quotes and signatures, through any outage, and record every response.
//!
//! Each client requests the signature of each of its quotes for several destinations: two concurrently, a third
//! afterwards.

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
pub use client::{destination, quote, sign, sign_with_retries};
pub use journal::{Entry, Journal, Step};
pub use trade::{Attempt, Outcome, Signed, Trade, Trades, check_signatures};

/// Timeout of every wait, longer than any successful operation takes; only a failing test reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The poll interval for the journal.
const PAUSE: Duration = Duration::from_millis(10);

/// A set of running clients. Aborted on drop.
pub struct Load {
    journal: Arc<Journal>,
    is_ending: Arc<AtomicBool>,
    clients: JoinSet<Vec<Trade>>,
}

impl Load {
    /// Starts `clients` clients, each of which uses all replicas in turn.
    pub fn start(replicas: &[Endpoint], clients: usize) -> Self {
        let (journal, is_ending) = (Arc::new(Journal::default()), Arc::new(AtomicBool::new(false)));
        let client = |number| Client::new(number, replicas.into(), Arc::clone(&journal), Arc::clone(&is_ending));
        let clients = (0..clients).map(|number| client(number).work()).collect();
        Self { journal, is_ending, clients }
    }

    /// Returns the record of all requests so far.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Waits until `count` more signatures have arrived.
    ///
    /// # Panics
    /// If they do not arrive in time; and with the panic of a client.
    pub async fn wait_for_signatures(&mut self, count: usize) {
        let start = Instant::now();
        while self.journal.signatures_since(start) < count {
            self.check_clients();
            assert!(start.elapsed() < PATIENCE, "{} of {count} signatures", self.journal.signatures_since(start));
            sleep(PAUSE).await;
        }
    }

    /// Waits for the first 200 that arrives after `instant`, and returns the time in between.
    ///
    /// # Panics
    /// If there is none in time; and with the panic of a client.
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

    /// Stops requesting quotes, waits until all existing ones are decided, and returns them.
    ///
    /// # Panics
    /// If a quote is still undecided after a minute; and with the panic of a client.
    pub async fn finish(mut self) -> (Trades, Arc<Journal>) {
        self.is_ending.store(true, Ordering::SeqCst);
        let mut trades = Vec::new();
        while let Some(client) = self.clients.join_next().await {
            match client {
                Ok(finished) => trades.extend(finished),
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
        (Trades(trades), self.journal)
    }

    /// Propagates the panic of a client: before the end of the load, a client ends only by panicking.
    fn check_clients(&mut self) {
        if let Some(Err(error)) = self.clients.try_join_next() {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}
