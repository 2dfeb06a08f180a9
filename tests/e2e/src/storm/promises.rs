//! Every quote that clients know, what was asked of it, and its one signature.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rand::{RngExt as _, seq::IteratorRandom as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::{forms::SIGN, law::Laws, wire::Answer};

/// Quotes that are remembered; older ones have long expired.
const MAX_RECENT_SIGNATURES: usize = 1_000;

/// What a quote can be signed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) destination: &'static str,
    pub(super) sender: &'static str,
    /// `None` for what the service puts there.
    pub(super) aux_data: Option<&'static str>,
    pub(super) native_input: bool,
    pub(super) native_output: bool,
    pub(super) transmit: bool,
}

/// A quote as its client knows it.
#[derive(Clone, Debug)]
struct Promise {
    client: &'static str,
    /// Under which law it was first asked to be signed for a destination.
    tried: BTreeMap<&'static str, usize>,
    /// The terms it was asked to be signed for last.
    asked: Option<Terms>,
    signed: Option<Signed>,
}

#[derive(Clone, Debug)]
struct Signed {
    members: String,
    calldata: Option<String>,
    /// `None` if nobody can say: it was asked for in a request that was tampered with.
    terms: Option<Terms>,
}

/// A quote that somebody has.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) id: String,
    pub(super) client: &'static str,
    /// The terms it was asked to be signed for last.
    pub(super) terms: Option<Terms>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Promises(Mutex<ObservedValue>);

#[derive(Debug, Default)]
struct ObservedValue {
    quotes: HashMap<String, Promise>,
    ages: VecDeque<String>,
}

impl Promises {
    /// A client was given a quote.
    pub(super) fn quoted(&self, id: &str, client: &'static str) {
        let mut known = self.lock();
        let promise = Promise { client, tried: BTreeMap::new(), asked: None, signed: None };
        assert!(known.quotes.insert(id.to_owned(), promise).is_none(), "{id} is given twice");
        known.ages.push_back(id.to_owned());
        if known.ages.len() > MAX_RECENT_SIGNATURES
            && let Some(oldest) = known.ages.pop_front()
        {
            known.quotes.remove(&oldest);
        }
    }

    /// One of the quotes, mostly one of the newest.
    pub(super) fn draw(&self, rng: &mut ChaCha8Rng) -> Option<Drawn> {
        let known = self.lock();
        let newest = if rng.random_ratio(1, 4) { MAX_RECENT_SIGNATURES } else { 24 };
        let id = known.ages.iter().rev().take(newest).choose(rng)?;
        known.quotes.get(id).map(|promise| Drawn { id: id.clone(), client: promise.client, terms: promise.asked })
    }

    /// Somebody is about to ask for a signature under the law of this number.
    pub(super) fn ask(&self, id: &str, terms: Terms, law: usize) {
        if let Some(promise) = self.lock().quotes.get_mut(id) {
            promise.tried.entry(terms.destination).or_insert(law);
            promise.asked = Some(terms);
        }
    }

    /// The service has given a signature for a quote to `asker`, if it is known who that is. Says whether it had before.
    ///
    /// # Panics
    /// If it must not have.
    pub(super) fn signed(
        &self,
        id: &str,
        asker: Option<&str>,
        terms: Option<Terms>,
        answer: &Answer,
        laws: &Laws,
    ) -> bool {
        let mut known = self.lock();
        // Forgotten meanwhile.
        let Some(promise) = known.quotes.get_mut(id) else { return false };
        assert!(asker.is_none_or(|asker| asker == promise.client), "another client's quote {id} is signed: {answer:?}");
        let body = answer.json();
        let now = Signed { members: members(&body), calldata: calldata(&body), terms };
        let [pool, destination] = ["service_exchange_address", "destination_address"].map(|name| text(&body, name));
        let Some(first) = &mut promise.signed else {
            let since = promise.tried.get(destination).unwrap_or_else(|| panic!("nobody asked for {destination}"));
            assert!(!laws.have_forbidden(*since, pool, destination), "newly signed though forbidden: {id} {answer:?}");
            promise.signed = Some(now);
            return false;
        };
        assert_eq!(first.members, now.members, "quote {id} is signed twice");
        check_same(id, &first.calldata, &now.calldata);
        check_same(id, &first.terms, &now.terms);
        first.calldata = first.calldata.take().or(now.calldata);
        first.terms = first.terms.or(now.terms);
        true
    }

    /// A client that panicked left no half of a change here.
    fn lock(&self) -> MutexGuard<'_, ObservedValue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// # Panics
/// If both are known and differ.
fn check_same<T: PartialEq + std::fmt::Debug>(id: &str, first: &Option<T>, now: &Option<T>) {
    if let (Some(first), Some(now)) = (first, now) {
        assert_eq!(first, now, "quote {id} is signed twice");
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
