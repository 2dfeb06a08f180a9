//! One quote, one client, one set of terms, one signature; and a refusal changes nothing.

use firmquote_domain::{Client, Quote, Timestamp, U256, Usd};

use super::sample::{
    Replicas, SampleCommitment, other_terms, sample_booking, sample_pool, sample_quote, sample_signed, sample_swap,
    sample_terms,
};
use crate::{
    Booking, BookingRefusal, CommitOutcome, CommitRefusal, LimitExceeded, OpenOutcome, PrepareOutcome, QuoteRefusal,
    VolumeCharge, VolumeRefusal,
};

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(
        store, now;
        opening_binds_nothing,
        preparing_binds_a_quote_to_its_terms,
        keeps_quotes_apart_by_client,
        returns_the_recorded_signature_again,
        records_no_unknown_quote,
        records_what_is_signed_at_once,
        refuses_without_any_change,
        refuses_paused_pools,
    );
}

fn other_terms_refused() -> CommitRefusal {
    CommitRefusal::Quote(QuoteRefusal::OtherTerms)
}

async fn opening_binds_nothing(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(20, now);
    store.insert(&quote, now).await;
    for destination in [1, 2, 1] {
        let opened = store.open(&quote, &sample_terms(destination), now).await;
        assert_eq!(opened, OpenOutcome::Unsigned(quote.clone()));
    }
    store.commit(&sample_signed(&quote, sample_terms(3), 1), now).await;
}

async fn preparing_binds_a_quote_to_its_terms(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(34, now);
    store.insert(&quote, now).await;
    assert_eq!(store.prepare(&quote, &sample_terms(1), now).await, PrepareOutcome::Prepared);
    for other in other_terms(sample_terms(1)) {
        assert_eq!(
            store.prepare(&quote, &other, now).await,
            PrepareOutcome::Refused(other_terms_refused()),
            "{other:?}"
        );
        let refused = store.try_commit(&sample_signed(&quote, other, 9), now).await;
        assert_eq!(refused, CommitOutcome::Refused(other_terms_refused()), "{other:?}");
        let opened = store.open(&quote, &other, now).await;
        assert_eq!(opened, OpenOutcome::Refused(QuoteRefusal::OtherTerms), "{other:?}");
    }
    store.insert(&quote, now).await;
    let refused = store.prepare(&quote, &sample_terms(2), now).await;
    assert_eq!(refused, PrepareOutcome::Refused(other_terms_refused()), "inserting again unbinds nothing");
    let again = store.prepare(&quote, &sample_terms(1), now).await;
    assert_eq!(again, PrepareOutcome::Prepared, "the same terms again");
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.commit(&first, now).await, first);
    assert_eq!(store.prepare(&quote, &sample_terms(1), now).await, PrepareOutcome::AlreadySigned(first.into()));
    let refused = store.prepare(&quote, &sample_terms(2), now).await;
    assert_eq!(refused, PrepareOutcome::Refused(other_terms_refused()));
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
        let open = async |client: &Client| {
            store.open(&Quote { client: client.clone(), ..quote.clone() }, &sample_terms(1), now).await
        };
        for other in &clients {
            let expected = match other == owner {
                true => OpenOutcome::Unsigned(quote.clone()),
                false => OpenOutcome::Refused(QuoteRefusal::OtherClient),
            };
            assert_eq!(open(other).await, expected, "{other:?} asks for a quote of {owner:?}");
            if other != owner {
                let stranger = Quote { client: other.clone(), ..quote.clone() };
                let refused = store.try_commit(&sample_signed(&stranger, sample_terms(1), 1), now).await;
                let expected = CommitRefusal::Quote(QuoteRefusal::OtherClient);
                assert_eq!(refused, CommitOutcome::Refused(expected), "{other:?} signs a quote of {owner:?}");
            }
        }
        let first = sample_signed(&quote, sample_terms(1), 1);
        store.commit(&first, now).await;
        for other in &clients {
            let expected = match other == owner {
                true => OpenOutcome::Signed(first.clone()),
                false => OpenOutcome::Refused(QuoteRefusal::OtherClient),
            };
            assert_eq!(open(other).await, expected, "{other:?} asks for a signature of {owner:?}");
        }
    }
}

async fn returns_the_recorded_signature_again(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(31, now);
    store.insert(&quote, now).await;
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.commit(&first, now).await, first);
    let again = store.try_commit(&sample_signed(&quote, sample_terms(1), 2), now).await;
    assert_eq!(again, CommitOutcome::AlreadySigned(first.clone()), "the first signature stays");
    store.insert(&quote, now).await;
    let opened = store.open(&quote, &sample_terms(1), now).await;
    assert_eq!(opened, OpenOutcome::Signed(first), "inserting again unsigns nothing");
    let opened = store.open(&quote, &sample_terms(2), now).await;
    assert_eq!(opened, OpenOutcome::Refused(QuoteRefusal::OtherTerms));
    refuses_other_terms(store, &quote, now).await;
}

async fn refuses_other_terms(store: &Replicas<'_>, quote: &Quote, now: Timestamp) {
    for other in other_terms(sample_terms(1)) {
        let signed = sample_signed(quote, other, 9);
        for refused in [store.try_commit(&signed, now).await, store.try_commit_at_once(&signed, now).await] {
            assert_eq!(refused, CommitOutcome::Refused(other_terms_refused()), "{other:?}");
        }
    }
}

async fn records_no_unknown_quote(store: &Replicas<'_>, now: Timestamp) {
    let never = sample_quote(35, now);
    let unknown = CommitRefusal::Quote(QuoteRefusal::Unknown);
    assert_eq!(store.prepare(&never, &sample_terms(1), now).await, PrepareOutcome::Refused(unknown));
    let refused = store.try_commit(&sample_signed(&never, sample_terms(1), 9), now).await;
    assert_eq!(refused, CommitOutcome::Refused(unknown));
    assert_eq!(store.find(&never, now).await, None);
}

async fn records_what_is_signed_at_once(store: &Replicas<'_>, now: Timestamp) {
    let quote = sample_quote(32, now);
    let first = sample_signed(&quote, sample_terms(1), 1);
    assert_eq!(store.commit_at_once(&first, now).await, first);
    let again = store.try_commit_at_once(&first, now).await;
    assert_eq!(again, CommitOutcome::AlreadySigned(first.clone()), "the same again");
    assert_eq!(store.open(&quote, &sample_terms(1), now).await, OpenOutcome::Signed(first));
    let opened = store.open(&quote, &sample_terms(2), now).await;
    assert_eq!(opened, OpenOutcome::Refused(QuoteRefusal::OtherTerms));
    refuses_other_terms(store, &quote, now).await;
}

/// Whatever refuses, nothing is bound, counted or entered: each refusal leaves room for exactly what comes after it.
async fn refuses_without_any_change(store: &Replicas<'_>, now: Timestamp) {
    let client = Client::Named("refused".into());
    let pool = sample_pool(98, now);
    let quote = Quote { client: client.clone(), pool, ..sample_quote(36, now) };
    store.insert(&quote, now).await;
    let charge = |steps| VolumeCharge {
        pool: quote.pool,
        client: client.clone(),
        value: Usd::new(steps),
        pool_limit: None,
        client_limit: Some(Usd::new(100)),
    };
    let commitment = |destination| {
        let signed = sample_signed(&quote, sample_terms(destination), destination);
        let booking = sample_booking(sample_swap(&signed));
        SampleCommitment { booking, charge: Some(charge(100)), ..SampleCommitment::new(signed) }
    };
    let unsound = |mut commitment: SampleCommitment| {
        commitment.booking = Booking { max_inflow: U256::ZERO, max_outflow: U256::ZERO, ..commitment.booking };
        commitment
    };
    // Another swap of the pool, which makes the bounds of zero too tight.
    let other = sample_signed(&Quote { pool, ..sample_quote(37, now) }, sample_terms(1), 1);
    let booking = sample_booking(sample_swap(&other));
    SampleCommitment { booking, ..SampleCommitment::at_once(other) }.commit(store.next(), now).await;
    let moved = CommitRefusal::Booking(BookingRefusal::Moved);
    let excess = LimitExceeded { signed: Usd::new(0), retry_after_seconds: None };
    let exceeded = CommitRefusal::Volume(VolumeRefusal::ClientLimit(excess));
    let too_much = |mut commitment: SampleCommitment| {
        commitment.charge = Some(charge(101));
        commitment
    };
    for (refused, refusal) in [(unsound(commitment(1)), moved), (too_much(commitment(2)), exceeded)] {
        assert_eq!(refused.prepare(store.next(), now).await, PrepareOutcome::Refused(refusal));
        assert_eq!(refused.commit(store.next(), now).await, CommitOutcome::Refused(refusal));
    }
    // Other terms, and all that the limit admits.
    let accepted = commitment(4);
    assert_eq!(accepted.prepare(store.next(), now).await, PrepareOutcome::Prepared, "nothing is counted");
    assert_eq!(accepted.prepare(store.next(), now).await, PrepareOutcome::Prepared, "nor is it by a preparation");
    let CommitOutcome::Recorded { signed, version } = accepted.commit(store.next(), now).await else {
        panic!("nothing speaks against it")
    };
    assert_eq!((signed, version.is_some()), (accepted.signed.clone(), true));
}

async fn refuses_paused_pools(store: &Replicas<'_>, now: Timestamp) {
    let quote = Quote { pool: sample_pool(99, now), ..sample_quote(38, now) };
    store.insert(&quote, now).await;
    let signed = sample_signed(&quote, sample_terms(1), 1);
    store.next().set_paused(quote.pool, true, None, now).await.expect("the store answers");
    assert_eq!(store.prepare(&quote, &sample_terms(1), now).await, PrepareOutcome::Refused(CommitRefusal::Paused));
    for refused in [store.try_commit(&signed, now).await, store.try_commit_at_once(&signed, now).await] {
        assert_eq!(refused, CommitOutcome::Refused(CommitRefusal::Paused));
    }
    store.next().set_paused(quote.pool, false, None, now).await.expect("the store answers");
    assert_eq!(store.commit(&signed, now).await, signed);
}
