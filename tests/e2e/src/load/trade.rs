//! The outcomes of a load's quotes, and the invariants that hold whatever fails.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a broken promise is a failed test")]

use std::collections::HashSet;

use firmquote_domain::Address;
use serde_json::Value;
use tokio::task::JoinSet;

use super::client::{OTHER_TERMS, destination, sign_with_retries};
use crate::endpoint::Endpoint;

/// Number of concurrent tasks that request all signatures again.
const CHECKERS: usize = 32;

/// A quote and the attempts to sign it, in order.
#[derive(Clone, Debug)]
pub struct Trade {
    /// The ID of the quote.
    pub quote_id: String,
    /// The attempts, all of them decided.
    pub attempts: Vec<Attempt>,
}

/// An attempt to have a quote signed for a destination.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The destination.
    pub destination: Address,
    /// The final outcome.
    pub outcome: Outcome,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 200 with this body.
    Signed(String),
    /// Permanently refused with this message.
    Refused(String),
}

impl Attempt {
    /// Whether the attempt got a signature.
    pub const fn is_signed(&self) -> bool {
        matches!(self.outcome, Outcome::Signed(_))
    }
}

/// A signature that a client received.
#[derive(Clone, Debug)]
pub struct Signed {
    /// The ID of the quote.
    pub quote_id: String,
    /// The destination.
    pub destination: Address,
    /// The body of the response.
    pub text: String,
}

impl Trade {
    /// Returns the only signature of this quote, if any.
    ///
    /// # Panics
    /// If there are signatures for two destinations or two different responses, or if a response is for another
    /// destination than requested.
    pub fn signed(&self) -> Option<Signed> {
        let mut signed: Option<Signed> = None;
        for Attempt { destination, outcome } in &self.attempts {
            let Outcome::Signed(text) = outcome else { continue };
            let body: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(
                body["destination_address"],
                destination.to_string(),
                "requested for another destination: {self:#?}"
            );
            match &signed {
                Some(first) => assert_eq!((first.destination, &first.text), (*destination, text), "{self:#?}"),
                None => {
                    signed =
                        Some(Signed { quote_id: self.quote_id.clone(), destination: *destination, text: text.clone() });
                }
            }
        }
        signed
    }

    /// Returns the messages of refusals other than [`OTHER_TERMS`].
    fn other_refusals(&self) -> impl Iterator<Item = &str> {
        self.attempts.iter().filter_map(|attempt| match &attempt.outcome {
            Outcome::Refused(message) if message != OTHER_TERMS => Some(message.as_str()),
            _ => None,
        })
    }
}

/// All quotes of a load.
#[derive(Debug)]
pub struct Trades(pub Vec<Trade>);

impl Trades {
    /// Returns every signature that a client received, without duplicates.
    ///
    /// # Panics
    /// If a quote was signed twice, see [`Trade::signed`].
    pub fn signed(&self) -> Vec<Signed> {
        self.0.iter().filter_map(Trade::signed).collect()
    }

    /// Returns every signature after a load during which the store lost no data: every quote must be signed for one
    /// destination, and all other attempts refused because it is already signed for other terms.
    ///
    /// # Panics
    /// If this does not hold.
    pub fn all_signed(&self) -> Vec<Signed> {
        for trade in &self.0 {
            assert!(trade.signed().is_some(), "not signed: {trade:#?}");
            assert_eq!(trade.other_refusals().next(), None, "{trade:#?}");
        }
        self.signed()
    }

    /// Returns the number of quotes that could not be signed because the store had lost them.
    ///
    /// # Panics
    /// If an attempt was refused for any reason other than a lost quote or an earlier signature for other terms.
    pub fn forgotten(&self) -> usize {
        for message in self.0.iter().flat_map(Trade::other_refusals) {
            assert!(message.starts_with("no live quote"), "{message}");
        }
        self.0.iter().filter(|trade| trade.signed().is_none()).count()
    }
}

/// Requests every signature again from every replica, which must return identical bytes, and once for another
/// destination, which must be refused.
///
/// # Panics
/// If this does not hold.
pub async fn check_signatures(signatures: &[Signed], replicas: &[Endpoint]) {
    let ids: HashSet<&str> = signatures.iter().map(|signed| signed.quote_id.as_str()).collect();
    assert_eq!(ids.len(), signatures.len(), "a quote has two signatures");
    let mut tasks = JoinSet::new();
    for part in signatures.chunks(signatures.len().div_ceil(CHECKERS).max(1)) {
        let (part, replicas) = (part.to_vec(), replicas.to_vec());
        tasks.spawn(async move {
            for (number, signed) in part.iter().enumerate() {
                for replica in &replicas {
                    check_same(replica, signed).await;
                }
                check_other(&replicas[number % replicas.len()], signed).await;
            }
        });
    }
    while let Some(result) = tasks.join_next().await {
        result.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
    }
}

async fn check_same(replica: &Endpoint, signed: &Signed) {
    let answer = sign_with_retries(replica, &signed.quote_id, signed.destination).await;
    assert_eq!((answer.status, &answer.text), (200, &signed.text), "{signed:?}");
}

async fn check_other(replica: &Endpoint, signed: &Signed) {
    let answer = sign_with_retries(replica, &signed.quote_id, destination(u64::MAX)).await;
    assert_eq!((answer.status, answer.body["errorCode"].as_u64()), (400, Some(409)), "{signed:?}: {answer:?}");
    assert_eq!(answer.body["errorMessage"], OTHER_TERMS);
}
