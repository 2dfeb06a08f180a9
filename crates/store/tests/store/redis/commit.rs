//! All that a signature writes, in one step: nothing of it without the parts before.

use std::time::Duration;

use firmquote_domain::{Quote, SignedQuote, Timestamp, U256, Usd};
use firmquote_store::{
    BookStore, BookUpdate, Booking, BookingRefusal, ClaimOutcome, ClaimRefusal, CommitOutcome, Commitment, PauseStore,
    QuoteStore, StoreError, VolumeCharge, VolumeRefusal, contract,
    redis::{RedisConfig, RedisStore},
};
use firmquote_test_servers::redis::{Cluster, Options, Server};

use crate::redis::{
    books,
    setup::{cluster_config, connect, now, quote, server_config, signed},
};

/// A booking of the quote that was signed.
pub(crate) fn booking(signed: &SignedQuote) -> Booking {
    let swap = firmquote_domain::SignedSwap { quote_id: signed.quote.id, ..contract::sample_swap(signed) };
    Booking { swap: swap.into(), ..books::booking(1) }
}

fn charge(quote: &Quote, limit: u64) -> VolumeCharge {
    let limit = Some(Usd::new(limit));
    let (pool, client) = (quote.pool, quote.client.clone());
    VolumeCharge { pool, client, value: Usd::new(10), pool_limit: limit, client_limit: limit }
}

async fn commit(store: &RedisStore, commitment: Commitment<'_>) -> CommitOutcome {
    store.commit(&commitment, now()).await.expect("answered")
}

async fn booked(store: &RedisStore, quote: &Quote) -> bool {
    match store.changes_since(quote.pool, None, now()).await.expect("answered") {
        BookUpdate::Snapshot { swaps, .. } => swaps.iter().any(|booked| booked.swap.quote_id == quote.id),
        BookUpdate::Changes { .. } => panic!("the whole book was asked for"),
    }
}

#[tokio::test]
async fn one_step_claims_charges_books_and_stores() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    assert!(store.supports_commit());
    for (number, is_quote_stored) in [(1, true), (2, false)] {
        let quote = quote(number);
        if is_quote_stored {
            store.insert(&quote, now()).await.expect("inserted");
        }
        let (first, charge) = (signed(&quote, 1), charge(&quote, 1_000));
        let entry = booking(&first);
        let commitment = Commitment { signed: &first, is_quote_stored, booking: &entry, charge: Some(&charge) };
        let outcome = commit(&store, commitment).await;
        assert!(matches!(&outcome, CommitOutcome::Recorded { signed, .. } if *signed == first), "{outcome:?}");
        assert!(booked(&store, &quote).await);
        let found = store.find(quote.id, now()).await.expect("answered").expect("signed");
        assert_eq!(found.signed.map(|signed| signed.terms), Some(first.terms));
        let again = store.claim(quote.id, &quote.client, &first.terms, now()).await.expect("answered");
        assert_eq!(again, ClaimOutcome::Signed(first.clone()));
        if is_quote_stored {
            let other = signed(&quote, 2);
            let refused = commit(&store, Commitment { signed: &other, ..commitment }).await;
            assert_eq!(refused, CommitOutcome::NotClaimed(ClaimRefusal::OtherTerms));
            let same = commit(&store, commitment).await;
            assert_eq!(same, CommitOutcome::AlreadySigned(first.clone()));
        }
    }
    assert_eq!(store.ledger_end(10).await.expect("answered").0.len(), 2, "each once");
}

#[tokio::test]
async fn a_rejection_of_one_step_leaves_nothing_of_the_others() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let quote = quote(1);
    let (first, unlimited) = (signed(&quote, 1), charge(&quote, 1_000));
    let entry = booking(&first);
    let all = Commitment { signed: &first, is_quote_stored: true, booking: &entry, charge: Some(&unlimited) };
    assert_eq!(commit(&store, all).await, CommitOutcome::NotClaimed(ClaimRefusal::Unknown), "never inserted");
    store.insert(&quote, now()).await.expect("inserted");
    store.set_paused(quote.pool, true).await.expect("paused");
    assert_eq!(commit(&store, all).await, CommitOutcome::Paused);
    store.set_paused(quote.pool, false).await.expect("resumed");
    let small_charge = charge(&quote, 9);
    let refused = commit(&store, Commitment { charge: Some(&small_charge), ..all }).await;
    assert!(matches!(refused, CommitOutcome::NotCharged(VolumeRefusal::PoolLimit(_) | VolumeRefusal::ClientLimit(_))));
    let other = signed(&super::setup::quote(3), 1);
    let full = Booking { max_inflow: U256::ZERO, ..booking(&first) };
    let beside = Commitment { signed: &other, is_quote_stored: false, booking: &booking(&other), charge: None };
    assert!(matches!(commit(&store, beside).await, CommitOutcome::Recorded { .. }));
    let refused = commit(&store, Commitment { booking: &full, ..all }).await;
    assert_eq!(refused, CommitOutcome::NotBooked(BookingRefusal::Moved));
    assert!(!booked(&store, &quote).await);
    assert_eq!(store.find(quote.id, now()).await.expect("answered").expect("live").signed, None, "nothing is signed");
    assert_eq!(store.ledger_end(10).await.expect("answered").0.len(), 1);
    let once = charge(&quote, 10);
    let committed = commit(&store, Commitment { charge: Some(&once), ..all }).await;
    assert!(matches!(committed, CommitOutcome::Recorded { .. }), "nothing was charged for what was refused");
}

#[tokio::test]
async fn swaps_too_late_by_the_clock_of_redis_are_not_signed() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let quote = Quote { must_accept_by: now(), ..quote(1) };
    let late = signed(&quote, 1);
    let entry = booking(&late);
    let commitment = Commitment { signed: &late, is_quote_stored: false, booking: &entry, charge: None };
    assert_eq!(commit(&store, commitment).await, CommitOutcome::NotClaimed(ClaimRefusal::Unknown));
    assert!(!booked(&store, &quote).await);
    // Signed in time, and asked again after the answer was lost.
    store.insert_signed(late.clone(), now()).await.expect("recorded");
    let again = commit(&store, commitment).await;
    assert!(matches!(&again, CommitOutcome::Recorded { signed, .. } if *signed == late), "{again:?}");
}

#[tokio::test]
async fn a_slow_clock_is_reported_instead_of_an_unknown_quote() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { max_clock_skew: Duration::from_secs(5), ..server_config(&server) }).await;
    let quote = Quote { must_accept_by: now(), ..quote(1) };
    let late = signed(&quote, 1);
    let entry = booking(&late);
    let commitment = Commitment { signed: &late, is_quote_stored: false, booking: &entry, charge: None };
    let behind = Timestamp::from_micros(now().as_micros() - 6_000_000);
    let StoreError::Unavailable(reason) = store.commit(&commitment, behind).await.expect_err("too far behind") else {
        panic!("of another kind")
    };
    assert!(reason.to_string().contains("behind that of Redis"), "{reason}");
    assert_eq!(commit(&store, commitment).await, CommitOutcome::NotClaimed(ClaimRefusal::Unknown));
}

#[tokio::test]
async fn a_cluster_stores_signatures_step_by_step() {
    let cluster = Cluster::start(0, Options::default());
    let store = connect(&cluster_config(&cluster)).await;
    assert!(!store.supports_commit());
    let memory = firmquote_store::MemoryStore::new(10);
    let first = signed(&quote(1), 1);
    let entry = booking(&first);
    let commitment = Commitment { signed: &first, is_quote_stored: false, booking: &entry, charge: None };
    assert!(!memory.supports_commit());
    assert!(matches!(memory.commit(&commitment, now()).await, Err(StoreError::Unavailable(_))));
}
