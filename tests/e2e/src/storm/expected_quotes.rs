//! The quotes known to clients, the requests to sign them, and their signatures.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rand::{RngExt as _, seq::IteratorRandom as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::{policy::PolicyHistory, response_schema::SIGN, wire::Response};

/// Number of quotes to remember; older ones have expired long ago.
const MAX_REMEMBERED_QUOTES: usize = 1_000;

/// The terms to sign a quote for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) destination: &'static str,
    pub(super) sender: &'static str,
    /// `None` for the default of the service.
    pub(super) aux_data: Option<&'static str>,
    pub(super) native_input: bool,
    pub(super) native_output: bool,
    pub(super) transmit: bool,
}

/// A quote and its history.
#[derive(Clone, Debug)]
struct ExpectedQuote {
    client: &'static str,
    /// By destination, the number of the policy at the first request for its signature.
    first_requests: BTreeMap<&'static str, usize>,
    /// The terms of the last sign request.
    last_terms: Option<Terms>,
    signed: Option<Signed>,
}

#[derive(Clone, Debug)]
struct Signed {
    members: String,
    calldata: Option<String>,
    /// `None` if unknown, because the request was tampered with.
    terms: Option<Terms>,
}

/// A randomly chosen known quote.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) id: String,
    pub(super) client: &'static str,
    /// The terms of the last sign request.
    pub(super) terms: Option<Terms>,
}

/// All known quotes.
#[derive(Debug, Default)]
pub(super) struct ExpectedQuotes(Mutex<KnownQuotes>);

#[derive(Debug, Default)]
struct KnownQuotes {
    quotes: HashMap<String, ExpectedQuote>,
    ages: VecDeque<String>,
}

impl ExpectedQuotes {
    /// Records that `client` got a quote.
    pub(super) fn add(&self, id: &str, client: &'static str) {
        let mut state = self.lock();
        let expected = ExpectedQuote { client, first_requests: BTreeMap::new(), last_terms: None, signed: None };
        assert!(state.quotes.insert(id.to_owned(), expected).is_none(), "{id} is the ID of two quotes");
        state.ages.push_back(id.to_owned());
        if state.ages.len() > MAX_REMEMBERED_QUOTES
            && let Some(oldest) = state.ages.pop_front()
        {
            state.quotes.remove(&oldest);
        }
    }

    /// Chooses a quote, mostly one of the newest.
    pub(super) fn draw(&self, rng: &mut ChaCha8Rng) -> Option<Drawn> {
        let state = self.lock();
        let newest = if rng.random_ratio(1, 4) { MAX_REMEMBERED_QUOTES } else { 24 };
        let id = state.ages.iter().rev().take(newest).choose(rng)?;
        state.quotes.get(id).map(|expected| Drawn {
            id: id.clone(),
            client: expected.client,
            terms: expected.last_terms,
        })
    }

    /// Records that a signature is about to be requested under the policy with this number.
    pub(super) fn request_signature(&self, id: &str, terms: Terms, policy: usize) {
        if let Some(expected) = self.lock().quotes.get_mut(id) {
            expected.first_requests.entry(terms.destination).or_insert(policy);
            expected.last_terms = Some(terms);
        }
    }

    /// Records that the service returned the signature of a quote to `expected_client`, `None` if unknown. Returns
    /// whether the quote was signed before.
    ///
    /// # Panics
    /// If the signature is not allowed.
    pub(super) fn add_signature(
        &self,
        id: &str,
        expected_client: Option<&str>,
        terms: Option<Terms>,
        answer: &Response,
        policies: &PolicyHistory,
    ) -> bool {
        let mut state = self.lock();
        // The quote has been forgotten in the meantime.
        let Some(expected) = state.quotes.get_mut(id) else { return false };
        assert!(
            expected_client.is_none_or(|expected_client| expected_client == expected.client),
            "another client's quote {id} is signed: {answer:?}"
        );
        let body = answer.json();
        let signed = Signed { members: members(&body), calldata: calldata(&body), terms };
        let [pool, destination] = ["service_exchange_address", "destination_address"].map(|name| text(&body, name));
        let Some(first) = &mut expected.signed else {
            let since =
                expected.first_requests.get(destination).unwrap_or_else(|| panic!("no request for {destination}"));
            assert!(!policies.always_forbid(*since, pool, destination), "signed although forbidden: {id} {answer:?}");
            expected.signed = Some(signed);
            return false;
        };
        assert_eq!(first.members, signed.members, "quote {id} is signed twice");
        check_same(id, &first.calldata, &signed.calldata);
        check_same(id, &first.terms, &signed.terms);
        first.calldata = first.calldata.take().or(signed.calldata);
        first.terms = first.terms.or(signed.terms);
        true
    }

    /// Ignores poisoning: a client that panicked left no partial change.
    fn lock(&self) -> MutexGuard<'_, KnownQuotes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks that two values are equal, if both are known.
///
/// # Panics
/// If they differ.
fn check_same<T: PartialEq + std::fmt::Debug>(id: &str, first: &Option<T>, later: &Option<T>) {
    if let (Some(first), Some(later)) = (first, later) {
        assert_eq!(first, later, "quote {id} is signed twice");
    }
}

fn members(body: &Value) -> String {
    let member = |name: &&str| format!("{name}={}", body.get(*name).unwrap_or(&Value::Null));
    SIGN.iter().map(member).collect::<Vec<_>>().join(" ")
}

fn calldata(body: &Value) -> Option<String> {
    Some(body.get("calldata")?.as_str()?.to_owned())
}

fn text<'b>(body: &'b Value, name: &str) -> &'b str {
    body.get(name).and_then(Value::as_str).unwrap_or_else(|| panic!("no {name} in {body}"))
}
