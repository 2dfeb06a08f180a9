//! Reading a quote: while it is live, from every replica, without side effects.

use firmquote_domain::Timestamp;

use super::sample::{Replicas, before, lapse, sample_quote, sample_signed, sample_terms};
use crate::{ClaimOutcome, FoundQuote};

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    finds_unsigned_quotes_until_they_expire(store, now).await;
    finds_signed_quotes_until_they_lapse(store, now).await;
    finds_what_was_signed_at_once(store, now).await;
}

async fn finds_unsigned_quotes_until_they_expire(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(90, now);
    assert_eq!(store.find(&quote, now).await, None, "never inserted");
    store.insert(&quote, now).await;
    let unsigned = Some(FoundQuote { quote: quote.clone(), terms: None });
    for instant in [now, before(quote.must_accept_by)] {
        assert_eq!(store.find(&quote, instant).await, unsigned, "at {instant:?}");
    }
    for late in [quote.must_accept_by, lapse(&quote)] {
        assert_eq!(store.find(&quote, late).await, None, "{late:?} is too late");
    }
    // Reading binds nothing, and a claim is not a signature.
    assert_eq!(store.claim(&quote, &sample_terms(1), now).await, ClaimOutcome::Granted(quote.clone()));
    assert_eq!(store.find(&quote, now).await, unsigned, "claimed");
}

async fn finds_signed_quotes_until_they_lapse(store: &Replicas<'_>, now: Timestamp) {
    let (quote, terms) = (sample_quote(91, now), sample_terms(1));
    store.insert(&quote, now).await;
    assert_eq!(store.claim(&quote, &terms, now).await, ClaimOutcome::Granted(quote.clone()));
    store.record(sample_signed(&quote, terms, 1), now).await;
    let signed = Some(FoundQuote { quote: quote.clone(), terms: Some(terms) });
    for instant in [now, quote.must_accept_by, before(lapse(&quote))] {
        assert_eq!(store.find(&quote, instant).await, signed, "at {instant:?}");
    }
    assert_eq!(store.find(&quote, lapse(&quote)).await, None, "lapsed");
}

async fn finds_what_was_signed_at_once(store: &Replicas<'_>, now: Timestamp) {
    let (quote, terms) = (sample_quote(92, now), sample_terms(2));
    store.insert_signed(sample_signed(&quote, terms, 1), now).await;
    assert_eq!(store.find(&quote, now).await, Some(FoundQuote { quote: quote.clone(), terms: Some(terms) }));
}
