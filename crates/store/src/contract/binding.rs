//! One quote, one client, one set of terms, one signature.

use firmquote_domain::{Client, Quote, Timestamp};

use super::sample::{Replicas, other_terms, sample_quote, sample_signed, sample_terms};
use crate::{ClaimOutcome, ClaimRefusal, StoreError};

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    binds_a_quote_to_its_first_terms(store, now).await;
    keeps_quotes_apart_by_client(store, now).await;
    answers_the_recorded_signature_again(store, now).await;
    records_nothing_without_a_claim(store, now).await;
    records_what_is_signed_at_once(store, now).await;
    releases_only_unsigned_claims(store, now).await;
}

async fn binds_a_quote_to_its_first_terms(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(20, now);
    store.insert(&quote, now).await;
    assert_eq!(store.claim(&quote, &sample_terms(1), now).await, ClaimOutcome::Granted(quote.clone()));
    for other in other_terms(sample_terms(1)) {
        assert_eq!(
            store.claim(&quote, &other, now).await,
            ClaimOutcome::Refused(ClaimRefusal::OtherTerms),
            "{other:?}"
        );
        let refused = store.next().record(sample_signed(&quote, other, 9), now).await;
        assert!(matches!(refused, Err(StoreError::OtherTerms)), "{refused:?}");
    }
    store.insert(&quote, now).await;
    assert_eq!(
        store.claim(&quote, &sample_terms(2), now).await,
        ClaimOutcome::Refused(ClaimRefusal::OtherTerms),
        "inserting again unbinds nothing"
    );
    assert_eq!(
        store.claim(&quote, &sample_terms(1), now).await,
        ClaimOutcome::Granted(quote),
        "the first terms are granted again"
    );
}

async fn keeps_quotes_apart_by_client(store: &Replicas<'_>, now: Timestamp) {
    let clients = [
        Client::Anonymous,
        Client::Named("acme".into()),
        Client::Named("acme2".into()),
        Client::Named("".into()),
        Client::Named("anonymous".into()),
    ];
    for (owner, seed) in clients.iter().zip(21..) {
        let quote = Quote { client: owner.clone(), ..sample_quote(seed, now) };
        store.insert(&quote, now).await;
        for other in &clients {
            let answer = store.next().claim(quote.id, other, &sample_terms(1), now).await.expect("the store answers");
            let expected = if other == owner {
                ClaimOutcome::Granted(quote.clone())
            } else {
                ClaimOutcome::Refused(ClaimRefusal::OtherClient)
            };
            assert_eq!(answer, expected, "{other:?} asks for a quote of {owner:?}");
        }
        let first = sample_signed(&quote, sample_terms(1), 1);
        store.record(first.clone(), now).await;
        for other in &clients {
            let answer = store.next().claim(quote.id, other, &sample_terms(1), now).await.expect("the store answers");
            let expected = if other == owner {
                ClaimOutcome::Signed(first.clone())
            } else {
                ClaimOutcome::Refused(ClaimRefusal::OtherClient)
            };
            assert_eq!(answer, expected, "{other:?} asks for a signature of {owner:?}");
        }
    }
    let stranger = Quote { client: Client::Named("acme".into()), ..sample_quote(30, now) };
    store.insert(&stranger, now).await;
    let answer =
        store.next().claim(stranger.id, &Client::Anonymous, &sample_terms(1), now).await.expect("the store answers");
    assert_eq!(answer, ClaimOutcome::Refused(ClaimRefusal::OtherClient));
    assert_eq!(
        store.claim(&stranger, &sample_terms(2), now).await,
        ClaimOutcome::Granted(stranger),
        "a stranger binds nothing"
    );
}

async fn answers_the_recorded_signature_again(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(31, now);
    store.insert(&quote, now).await;
    assert_eq!(store.claim(&quote, &sample_terms(1), now).await, ClaimOutcome::Granted(quote.clone()));
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.record(first.clone(), now).await, first);
    assert_eq!(store.record(sample_signed(&quote, sample_terms(1), 2), now).await, first, "the first signature stays");
    store.insert(&quote, now).await;
    assert_eq!(
        store.claim(&quote, &sample_terms(1), now).await,
        ClaimOutcome::Signed(first),
        "inserting again unsigns nothing"
    );
    assert_eq!(store.claim(&quote, &sample_terms(2), now).await, ClaimOutcome::Refused(ClaimRefusal::OtherTerms));
    refuses_to_record_for_other_terms(store, &quote, now).await;
}

/// Also when there is no claim for the terms on record.
async fn refuses_to_record_for_other_terms(store: &Replicas<'_>, quote: &Quote, now: Timestamp) {
    for other in other_terms(sample_terms(1)) {
        let refused = store.next().record(sample_signed(quote, other, 9), now).await;
        assert!(matches!(refused, Err(StoreError::OtherTerms)), "{other:?}: {refused:?}");
        let refused = store.next().insert_signed(sample_signed(quote, other, 9), now).await;
        assert!(matches!(refused, Err(StoreError::OtherTerms)), "{other:?}: {refused:?}");
    }
}

async fn records_nothing_without_a_claim(store: &Replicas<'_>, now: Timestamp) {
    let (never, unclaimed) = (sample_quote(35, now), sample_quote(36, now));
    store.insert(&unclaimed, now).await;
    for quote in [never, unclaimed.clone()] {
        let refused = store.next().record(sample_signed(&quote, sample_terms(1), 9), now).await;
        assert!(matches!(refused, Err(StoreError::Unclaimed)), "{refused:?}");
    }
    assert_eq!(
        store.claim(&unclaimed, &sample_terms(2), now).await,
        ClaimOutcome::Granted(unclaimed),
        "nothing was bound"
    );
}

async fn records_what_is_signed_at_once(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(32, now);
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.insert_signed(first.clone(), now).await, first);
    assert_eq!(store.insert_signed(first.clone(), now).await, first, "the same again");
    assert_eq!(store.claim(&quote, &sample_terms(1), now).await, ClaimOutcome::Signed(first));
    assert_eq!(store.claim(&quote, &sample_terms(2), now).await, ClaimOutcome::Refused(ClaimRefusal::OtherTerms));
    refuses_to_record_for_other_terms(store, &quote, now).await;
}

async fn releases_only_unsigned_claims(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(33, now);
    store.insert(&quote, now).await;
    assert_eq!(store.claim(&quote, &sample_terms(1), now).await, ClaimOutcome::Granted(quote.clone()));
    store.next().release(quote.id, &sample_terms(2)).await.expect("the store answers");
    assert_eq!(
        store.claim(&quote, &sample_terms(2), now).await,
        ClaimOutcome::Refused(ClaimRefusal::OtherTerms),
        "the claim is for other terms"
    );
    store.next().release(quote.id, &sample_terms(1)).await.expect("the store answers");
    assert_eq!(store.claim(&quote, &sample_terms(2), now).await, ClaimOutcome::Granted(quote.clone()));
    let first = sample_signed(&quote, sample_terms(2), 1);
    store.record(first.clone(), now).await;
    store.next().release(quote.id, &sample_terms(2)).await.expect("the store answers");
    assert_eq!(store.claim(&quote, &sample_terms(2), now).await, ClaimOutcome::Signed(first));
    store.next().release(sample_quote(34, now).id, &sample_terms(1)).await.expect("releasing nothing is no error");
}
