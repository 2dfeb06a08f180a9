//! Lifetimes of quotes and signatures: exact to the microsecond, as the domain defines them.

use firmquote_domain::{GoodUntil, Quote, Timestamp};

use super::sample::{Replicas, before, lapse, sample_quote, sample_signed, sample_terms};
use crate::{OpenOutcome, QuoteRefusal};

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(
        store, now;
        keeps_quotes_until_they_expire,
        keeps_signatures_until_they_lapse,
        keeps_the_latest_possible_life,
    );
}

async fn keeps_quotes_until_they_expire(store: &Replicas<'_>, now: Timestamp) {
    // Instants on a millisecond, just before and just after one.
    for (seed, micros) in [(1, 0), (2, 1), (3, 999), (4, 1_000), (5, 500_001)] {
        let must_accept_by = Timestamp::from_micros(now.plus_seconds(12).as_micros() / 1_000_000 * 1_000_000 + micros);
        let quote = Quote { must_accept_by, ..sample_quote(seed, now) };
        store.insert(&quote, now).await;
        for late in [must_accept_by, must_accept_by.plus_seconds(1), lapse(&quote)] {
            assert_eq!(
                store.open(&quote, &sample_terms(1), late).await,
                OpenOutcome::Refused(QuoteRefusal::Unknown),
                "{late:?} is too late"
            );
        }
        let granted = store.open(&quote, &sample_terms(1), before(must_accept_by)).await;
        assert_eq!(granted, OpenOutcome::Unsigned(quote), "the instant before is not");
    }
    let never = sample_quote(6, now);
    assert_eq!(
        store.open(&never, &sample_terms(1), now).await,
        OpenOutcome::Refused(QuoteRefusal::Unknown),
        "never inserted"
    );
}

async fn keeps_signatures_until_they_lapse(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(7, now);
    store.insert(&quote, now).await;
    assert_eq!(store.open(&quote, &sample_terms(1), now).await, OpenOutcome::Unsigned(quote.clone()));
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.commit(&first, now).await, first);
    for instant in [now, quote.must_accept_by, before(lapse(&quote))] {
        assert_eq!(
            store.open(&quote, &sample_terms(1), instant).await,
            OpenOutcome::Signed(first.clone()),
            "at {instant:?}"
        );
        assert_eq!(
            store.open(&quote, &sample_terms(2), instant).await,
            OpenOutcome::Refused(QuoteRefusal::OtherTerms),
            "at {instant:?}"
        );
    }
    for terms in [sample_terms(1), sample_terms(2)] {
        assert_eq!(
            store.open(&quote, &terms, lapse(&quote)).await,
            OpenOutcome::Refused(QuoteRefusal::Unknown),
            "lapsed"
        );
    }
}

/// `u32` seconds end in the year 2106; every earlier expiry is supported.
async fn keeps_the_latest_possible_life(store: &Replicas<'_>, now: Timestamp) {
    let last = Timestamp::from_seconds(u32::MAX);
    let quote = Quote { must_accept_by: last, good_until: GoodUntil::Plain(last.seconds()), ..sample_quote(8, now) };
    store.insert(&quote, now).await;
    assert_eq!(store.open(&quote, &sample_terms(1), before(last)).await, OpenOutcome::Unsigned(quote.clone()));
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.commit(&first, now).await, first);
    assert_eq!(store.open(&quote, &sample_terms(1), last).await, OpenOutcome::Signed(first));
}
