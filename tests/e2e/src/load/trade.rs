//! What became of the quotes of a load, and what must be true of it whatever failed.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a broken promise is a failed test")]

use std::collections::HashSet;

use firmquote_domain::Address;
use serde_json::Value;
use tokio::task::JoinSet;

use super::client::{OTHER_TERMS, destination, insist};
use crate::endpoint::Endpoint;

/// Questions at the same time when all signatures are asked for again.
const ASKERS: usize = 32;

/// A quote and who tried to have it signed, in the order of the tries.
#[derive(Clone, Debug)]
pub struct Trade {
    /// The quote.
    pub quote_id: String,
    /// Each is decided.
    pub attempts: Vec<Attempt>,
}

/// A destination that a quote was to be signed for.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The destination.
    pub destination: Address,
    /// What came of it in the end.
    pub outcome: Outcome,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// 200 with this body.
    Signed(String),
    /// Refused for good with this message.
    Refused(String),
}

impl Attempt {
    /// Whether there is a signature.
    pub const fn is_signed(&self) -> bool {
        matches!(self.outcome, Outcome::Signed(_))
    }
}

/// A signature that a client received.
#[derive(Clone, Debug)]
pub struct Signed {
    /// Its quote.
    pub quote_id: String,
    /// Its destination.
    pub destination: Address,
    /// The whole answer.
    pub text: String,
}

impl Trade {
    /// The one signature of this quote, if there is any.
    ///
    /// # Panics
    /// If there are two destinations or two answers, or one that names another destination than it was asked for.
    pub fn signed(&self) -> Option<Signed> {
        let mut found: Option<Signed> = None;
        for Attempt { destination, outcome } in &self.attempts {
            let Outcome::Signed(text) = outcome else { continue };
            let body: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(body["destination_address"], destination.to_string(), "asked for another one: {self:#?}");
            match &found {
                Some(first) => assert_eq!((first.destination, &first.text), (*destination, text), "{self:#?}"),
                None => {
                    found =
                        Some(Signed { quote_id: self.quote_id.clone(), destination: *destination, text: text.clone() });
                }
            }
        }
        found
    }

    /// Why attempts were refused, other than for a signature for other terms.
    fn strange_refusals(&self) -> impl Iterator<Item = &str> {
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
    /// Every signature that a client received, once.
    ///
    /// # Panics
    /// If a quote was signed twice, see [`Trade::signed`].
    pub fn signed(&self) -> Vec<Signed> {
        self.0.iter().filter_map(Trade::signed).collect()
    }

    /// The same, of a load during which the store forgot nothing: every quote was signed for one destination, and all
    /// others were told so.
    ///
    /// # Panics
    /// If that is not so.
    pub fn all_signed(&self) -> Vec<Signed> {
        for trade in &self.0 {
            assert!(trade.signed().is_some(), "signed for nobody: {trade:#?}");
            assert_eq!(trade.strange_refusals().next(), None, "{trade:#?}");
        }
        self.signed()
    }

    /// How many quotes nobody could have signed because the store had forgotten them.
    ///
    /// # Panics
    /// If an attempt was refused for any other reason than that, or a signature for others.
    pub fn forgotten(&self) -> usize {
        for message in self.0.iter().flat_map(Trade::strange_refusals) {
            assert!(message.starts_with("no live quote"), "{message}");
        }
        self.0.iter().filter(|trade| trade.signed().is_none()).count()
    }
}

/// Asks every replica for every signature again, and for one with another destination: the answer is the same to the
/// byte, and a refusal.
///
/// # Panics
/// If that is not so.
pub async fn ask_again(signatures: &[Signed], replicas: &[Endpoint]) {
    let ids: HashSet<&str> = signatures.iter().map(|signed| signed.quote_id.as_str()).collect();
    assert_eq!(ids.len(), signatures.len(), "no quote has two signatures");
    let mut askers = JoinSet::new();
    for part in signatures.chunks(signatures.len().div_ceil(ASKERS).max(1)) {
        let (part, replicas) = (part.to_vec(), replicas.to_vec());
        askers.spawn(async move {
            for (number, signed) in part.iter().enumerate() {
                for replica in &replicas {
                    check_same(replica, signed).await;
                }
                check_other(&replicas[number % replicas.len()], signed).await;
            }
        });
    }
    while let Some(asked) = askers.join_next().await {
        asked.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
    }
}

async fn check_same(replica: &Endpoint, signed: &Signed) {
    let answer = insist(replica, &signed.quote_id, signed.destination).await;
    assert_eq!((answer.status, &answer.text), (200, &signed.text), "{signed:?}");
}

async fn check_other(replica: &Endpoint, signed: &Signed) {
    let answer = insist(replica, &signed.quote_id, destination(u64::MAX)).await;
    assert_eq!((answer.status, answer.body["errorCode"].as_u64()), (400, Some(409)), "{signed:?}: {answer:?}");
    assert_eq!(answer.body["errorMessage"], OTHER_TERMS);
}
