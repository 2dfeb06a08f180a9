//! One client: requests quotes, requests signatures of each quote for more destinations than allowed, and retries every
//! 503.
#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a wrong answer is a failed test")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use firmquote_domain::Address;
use serde_json::json;
use tokio::time::sleep;

use super::{
    PATIENCE,
    journal::{Journal, Step},
    trade::{Attempt, Outcome, Trade},
};
use crate::{
    endpoint::{Endpoint, Response},
    evm::CHAIN_ID,
};

/// The pause between two quotes of one client.
const PACE: Duration = Duration::from_millis(50);

/// The pause before a retry, far shorter than that of a polite client.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The error message when a quote is already signed for other terms.
pub(super) const OTHER_TERMS: &str = "the quote is already signed for other terms";

/// Requests a quote.
///
/// # Errors
/// When there is no response.
pub async fn quote(replica: &Endpoint) -> Result<Response, reqwest::Error> {
    // Small enough that all that are signed at once are sound beside each other.
    let query = "input_asset_symbol=USDC&output_asset_symbol=DAI&input_amount=200000";
    replica.get(&format!("/rfq/v2/quote/{CHAIN_ID}?{query}")).await
}

/// Requests the signature of a quote.
///
/// # Errors
/// When there is no response.
pub async fn sign(replica: &Endpoint, quote_id: &str, destination: Address) -> Result<Response, reqwest::Error> {
    let destination = destination.to_string();
    let terms = json!({"quote_id": quote_id, "destination_address": destination, "calldata": true});
    replica.post("/rfq/v2/sign", &terms).await
}

/// Requests a signature until this replica returns anything but a 503 with `Retry-After`.
///
/// # Panics
/// If the replica does not respond, or keeps returning that.
pub async fn sign_with_retries(replica: &Endpoint, quote_id: &str, destination: Address) -> Response {
    let start = Instant::now();
    loop {
        let answer = sign(replica, quote_id, destination).await.expect("a replica that runs");
        if !answer.is_retryable() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "{quote_id}: {answer:?}");
        sleep(RETRY_PAUSE).await;
    }
}

/// Returns a distinct destination for each number, none of them a contract.
pub fn destination(number: u64) -> Address {
    let mut bytes = [0xa0; 20];
    bytes[12..].copy_from_slice(&number.to_be_bytes());
    Address::from(bytes)
}

pub(super) struct Client {
    number: usize,
    replicas: Arc<[Endpoint]>,
    journal: Arc<Journal>,
    is_ending: Arc<AtomicBool>,
}

impl Client {
    pub(super) const fn new(
        number: usize,
        replicas: Arc<[Endpoint]>,
        journal: Arc<Journal>,
        is_ending: Arc<AtomicBool>,
    ) -> Self {
        Self { number, replicas, journal, is_ending }
    }

    /// Trades until the load ends. Every quote received is brought to a decision.
    pub(super) async fn work(self) -> Vec<Trade> {
        let mut trades = Vec::new();
        for round in self.number.. {
            let Some(quote_id) = self.quote(round).await else { break };
            trades.push(self.trade(quote_id, round).await);
            sleep(PACE).await;
        }
        trades
    }

    /// Requests a quote and returns its ID; `None` when the load is ending.
    async fn quote(&self, round: usize) -> Option<String> {
        for replica in round.. {
            if self.is_ending.load(Ordering::SeqCst) {
                break;
            }
            let send = async |replica: &Endpoint| quote(replica).await.ok();
            match self.send(Step::Quote, replica, send).await {
                Some(answer) if answer.status == 200 => {
                    return Some(answer.body["id"].as_str().expect("an id").to_owned());
                }
                Some(answer) => panic!("unexpected response to a quote request: {answer:?}"),
                None => sleep(RETRY_PAUSE).await,
            }
        }
        None
    }

    async fn trade(&self, quote_id: String, round: usize) -> Trade {
        let first = u64::try_from(round * 3).expect("a small number");
        let [first, second, third] = [first, first + 1, first + 2].map(destination);
        let (first, second) =
            tokio::join!(self.settle(&quote_id, first, round), self.settle(&quote_id, second, round + 1));
        let signed =
            [&first, &second].into_iter().find(|attempt| attempt.is_signed()).map(|attempt| attempt.destination);
        let mut attempts = vec![first, second];
        if let Some(destination) = signed {
            attempts.push(self.settle(&quote_id, destination, round + 2).await);
        }
        attempts.push(self.settle(&quote_id, third, round).await);
        Trade { quote_id, attempts }
    }

    /// Requests a signature from one replica after the other, until it is returned or refused.
    async fn settle(&self, quote_id: &str, destination: Address, first: usize) -> Attempt {
        let start = Instant::now();
        for replica in first.. {
            let send = async |replica: &Endpoint| sign(replica, quote_id, destination).await.ok();
            match self.send(Step::Sign, replica, send).await {
                Some(answer) if answer.status == 200 => {
                    return Attempt { destination, outcome: Outcome::Signed(answer.text) };
                }
                Some(answer) if answer.status == 400 && answer.body["errorCode"] == 409 => {
                    let message = answer.body["errorMessage"].as_str().expect("a message");
                    return Attempt { destination, outcome: Outcome::Refused(message.to_owned()) };
                }
                Some(answer) => panic!("unexpected response to a sign request: {answer:?}"),
                None => sleep(RETRY_PAUSE).await,
            }
            assert!(start.elapsed() < PATIENCE, "the sign request for {quote_id} is undecided");
        }
        unreachable!("there is always a next replica")
    }

    /// Sends a request to a replica and records it; `None` without a response, and for a 503 with `Retry-After`.
    async fn send(
        &self,
        step: Step,
        replica: usize,
        send: impl AsyncFnOnce(&Endpoint) -> Option<Response>,
    ) -> Option<Response> {
        let replica = replica % self.replicas.len();
        let start = Instant::now();
        let answer = send(&self.replicas[replica]).await;
        self.journal.record(step, replica, start, answer.as_ref());
        answer.filter(|answer| !answer.is_retryable())
    }
}
