//! Reading a quote and its outcome, from every replica, without side effects.

use firmquote_domain::{Settlement, SignedQuote, SwapOutcome, Timestamp};

use super::sample::{
    Replicas, before, lapse, sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms,
};
use crate::{OpenOutcome, QuoteRecord, SigningRecord};

/// The minimum retention of signed quotes in the stores under test.
const MIN_RETENTION_SECONDS: u32 = 30;
/// The maximum retention in any store: a year.
const MAX_RETENTION_SECONDS: u32 = 366 * 86_400;

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(
        store, now;
        finds_unsigned_quotes_until_they_expire,
        finds_signed_quotes_until_they_are_forgotten,
        finds_what_was_signed_at_once,
        finds_what_became_of_a_swap,
    );
}

async fn finds_unsigned_quotes_until_they_expire(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(90, now);
    assert_eq!(store.find(&quote, now).await, None, "never inserted");
    store.insert(&quote, now).await;
    let unsigned = Some(QuoteRecord { quote: quote.clone(), signed: None, outcome: None });
    for instant in [now, before(quote.must_accept_by)] {
        assert_eq!(store.find(&quote, instant).await, unsigned, "at {instant:?}");
    }
    for late in [quote.must_accept_by, lapse(&quote)] {
        assert_eq!(store.find(&quote, late).await, None, "{late:?} is too late");
    }
    // Reading binds nothing, and a claim is not a signature.
    assert_eq!(store.open(&quote, &sample_terms(1), now).await, OpenOutcome::Unsigned(quote.clone()));
    assert_eq!(store.find(&quote, now).await, unsigned, "claimed");
}

async fn finds_signed_quotes_until_they_are_forgotten(store: &Replicas<'_>, now: Timestamp) {
    let (quote, terms) = (sample_quote(91, now), sample_terms(1));
    store.insert(&quote, now).await;
    assert_eq!(store.open(&quote, &terms, now).await, OpenOutcome::Unsigned(quote.clone()));
    let signed = store.commit(&sample_signed(&quote, terms, 1), now).await;
    let found = found(&signed, None);
    for instant in [now, quote.must_accept_by, before(lapse(&quote)), lapse(&quote).plus_seconds(MIN_RETENTION_SECONDS)]
    {
        assert_eq!(store.find(&quote, instant).await, Some(found.clone()), "at {instant:?}");
    }
    assert_eq!(store.find(&quote, lapse(&quote).plus_seconds(MAX_RETENTION_SECONDS)).await, None, "forgotten");
}

async fn finds_what_was_signed_at_once(store: &Replicas<'_>, now: Timestamp) {
    let (quote, terms) = (sample_quote(92, now), sample_terms(2));
    let signed = store.commit_at_once(&sample_signed(&quote, terms, 1), now).await;
    assert_eq!(store.find(&quote, now).await, Some(found(&signed, None)));
}

/// The last outcome counts, until it is withdrawn; also after the swap has lapsed by the clock.
async fn finds_what_became_of_a_swap(store: &Replicas<'_>, now: Timestamp) {
    let (quote, terms) = (sample_quote(93, now), sample_terms(2));
    let signed = store.commit_at_once(&sample_signed(&quote, terms, 1), now).await;
    let (swap, settlement) = (sample_swap(&signed), sample_settlement(&signed));
    let settled = Some(SwapOutcome::Settled(settlement));
    let again = Some(SwapOutcome::Settled(Settlement { block_number: 21_000_001, ..settlement }));
    for outcome in [settled, settled, None, None, Some(SwapOutcome::Lapsed), settled, again] {
        store.next().set_outcome(&swap, outcome, now).await.expect("the store answers");
        for instant in [now, lapse(&quote).plus_seconds(MIN_RETENTION_SECONDS)] {
            assert_eq!(store.find(&quote, instant).await, Some(found(&signed, outcome)), "{outcome:?} at {instant:?}");
        }
    }
}

fn found(signed: &SignedQuote, outcome: Option<SwapOutcome>) -> QuoteRecord {
    QuoteRecord { quote: signed.quote.clone(), signed: Some(SigningRecord::from(signed)), outcome }
}
