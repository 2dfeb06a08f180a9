//! One client: quotes, has each quote signed for more destinations than it may, and never takes 503 for an answer.
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
    endpoint::{Answer, Endpoint},
    evm::CHAIN_ID,
};

/// Between two quotes of one client.
const PACE: Duration = Duration::from_millis(50);

/// Before asking again what was not answered; far less than a polite client waits.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// The message of a refusal that says no more than that somebody else was first.
pub(super) const OTHER_TERMS: &str = "the quote is already signed for other terms";

/// Asks for a quote.
///
/// # Errors
/// When there is no answer.
pub async fn quote(replica: &Endpoint) -> Result<Answer, reqwest::Error> {
    let query = "input_asset_symbol=USDC&output_asset_symbol=DAI&input_amount=25000000";
    replica.get(&format!("/rfq/v2/quote/{CHAIN_ID}?{query}")).await
}

/// Asks for the signature of a quote.
///
/// # Errors
/// When there is no answer.
pub async fn sign(replica: &Endpoint, quote_id: &str, destination: Address) -> Result<Answer, reqwest::Error> {
    let destination = destination.to_string();
    let terms = json!({"quote_id": quote_id, "destination_address": destination, "calldata": true});
    replica.post("/rfq/v2/sign", &terms).await
}

/// Asks for a signature until this replica answers something else than to try again later.
///
/// # Panics
/// If it does not answer at all, or only that.
pub async fn insist(replica: &Endpoint, quote_id: &str, destination: Address) -> Answer {
    let start = Instant::now();
    loop {
        let answer = sign(replica, quote_id, destination).await.expect("a replica that runs");
        if !answer.is_try_later() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "{quote_id}: {answer:?}");
        sleep(RETRY_PAUSE).await;
    }
}

/// A destination for every number, none of them a contract.
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

    /// Trades until the load ends; what is quoted is also decided.
    pub(super) async fn work(self) -> Vec<Trade> {
        let mut trades = Vec::new();
        for round in self.number.. {
            let Some(quote_id) = self.quote(round).await else { break };
            trades.push(self.trade(quote_id, round).await);
            sleep(PACE).await;
        }
        trades
    }

    /// The id of a quote, or `None` when no further ones are wanted.
    async fn quote(&self, round: usize) -> Option<String> {
        for replica in round.. {
            if self.is_ending.load(Ordering::SeqCst) {
                break;
            }
            let ask = async |replica: &Endpoint| quote(replica).await.ok();
            match self.ask(Step::Quote, replica, ask).await {
                Some(answer) if answer.status == 200 => {
                    return Some(answer.body["id"].as_str().expect("an id").to_owned());
                }
                Some(answer) => panic!("asked for a quote: {answer:?}"),
                None => sleep(RETRY_PAUSE).await,
            }
        }
        None
    }

    async fn trade(&self, quote_id: String, round: usize) -> Trade {
        let first = u64::try_from(round * 3).expect("a small number");
        let [one, other, late] = [first, first + 1, first + 2].map(destination);
        let (one, other) = tokio::join!(self.settle(&quote_id, one, round), self.settle(&quote_id, other, round + 1));
        let again = [&one, &other].into_iter().find(|attempt| attempt.is_signed()).map(|attempt| attempt.destination);
        let mut attempts = vec![one, other];
        if let Some(again) = again {
            attempts.push(self.settle(&quote_id, again, round + 2).await);
        }
        attempts.push(self.settle(&quote_id, late, round).await);
        Trade { quote_id, attempts }
    }

    /// Asks for a signature, of one replica after the other, until it is given or refused.
    async fn settle(&self, quote_id: &str, destination: Address, first: usize) -> Attempt {
        let start = Instant::now();
        for replica in first.. {
            let ask = async |replica: &Endpoint| sign(replica, quote_id, destination).await.ok();
            match self.ask(Step::Sign, replica, ask).await {
                Some(answer) if answer.status == 200 => {
                    return Attempt { destination, outcome: Outcome::Signed(answer.text) };
                }
                Some(answer) if answer.status == 400 && answer.body["errorCode"] == 409 => {
                    let message = answer.body["errorMessage"].as_str().expect("a message");
                    return Attempt { destination, outcome: Outcome::Refused(message.to_owned()) };
                }
                Some(answer) => panic!("asked for a signature: {answer:?}"),
                None => sleep(RETRY_PAUSE).await,
            }
            assert!(start.elapsed() < PATIENCE, "the signature of {quote_id} is neither given nor refused");
        }
        unreachable!("there is always a next replica")
    }

    /// The answer, or `None` if there is none or it is to try again later.
    async fn ask(
        &self,
        step: Step,
        replica: usize,
        ask: impl AsyncFnOnce(&Endpoint) -> Option<Answer>,
    ) -> Option<Answer> {
        let replica = replica % self.replicas.len();
        let began = Instant::now();
        let answer = ask(&self.replicas[replica]).await;
        self.journal.note(step, replica, began, answer.as_ref());
        answer.filter(|answer| !answer.is_try_later())
    }
}
