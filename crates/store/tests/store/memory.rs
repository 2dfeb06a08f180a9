//! The memory store keeps the contract of every store, and its own ceiling.

use std::sync::Arc;

use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SignedSwap, Timestamp};
use firmquote_store::{BookingRefusal, MemoryStore, OpenOutcome, Store, StoreError, conformance};

use crate::calls::Calls as _;

const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

/// One quote of a client that has no other.
fn quote(number: u32) -> Quote {
    quote_of(Client::Named(number.to_string().into()), number)
}

fn quote_of(client: Client, number: u32) -> Quote {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_le_bytes());
    Quote { id: QuoteId::from_bytes(id), client, ..conformance::sample_quote(1, NOW) }
}

fn signed(quote: &Quote) -> SignedQuote {
    conformance::sample_signed(quote, conformance::sample_terms(7), 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_contract_holds() {
    conformance::check(&[Arc::new(MemoryStore::new(10_000))], NOW).await;
    assert!(!MemoryStore::new(0).is_shared());
}

#[tokio::test]
async fn incomplete_books_wait_only_where_the_contract_is_observed() {
    let store = MemoryStore::new(10);
    store.set_books_complete_since(NOW);
    let signed = signed(&quote(1));
    let booking = |block, number| {
        let swap =
            SignedSwap { block, quote_id: QuoteId::from_bytes([number; 16]), ..conformance::sample_swap(&signed) };
        conformance::sample_booking(swap)
    };
    let enter = async |block, number, later| {
        store.enter(&booking(block, number), NOW.plus_seconds(later)).await.expect("answered")
    };
    assert_eq!(enter(Some(7), 1, 0).await, Err(BookingRefusal::Incomplete { retry_after_seconds: 72 }));
    assert!(matches!(enter(None, 2, 0).await, Ok(Some(_))), "nothing tells what became of it");
    assert_eq!(enter(Some(7), 1, 71).await, Err(BookingRefusal::Incomplete { retry_after_seconds: 1 }));
    assert!(matches!(enter(Some(7), 1, 72).await, Ok(Some(_))));
}

#[tokio::test]
async fn a_full_store_rejects_and_does_not_grow() {
    let store = MemoryStore::new(100);
    for number in 0..100 {
        store.insert(&quote(number), NOW).await.expect("there is room");
    }
    for number in 100..200 {
        let refused = store.insert(&quote(number), NOW).await;
        assert!(matches!(refused, Err(StoreError::Full { capacity: 100 })), "{refused:?}");
        let refused = store.insert_signed(signed(&quote(number)), NOW).await;
        assert!(matches!(refused, Err(StoreError::Full { capacity: 100 })), "{refused:?}");
    }
    assert_eq!(store.len(), 100);
}

/// Inserts quotes of `client` until it is refused, and returns how many it got.
#[expect(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]
async fn fill(store: &MemoryStore, client: &Client, first: u32) -> usize {
    for number in first.. {
        match store.insert(&quote_of(client.clone(), number), NOW).await {
            Ok(()) => {}
            Err(StoreError::ClientFull { held }) => {
                assert_eq!(held, usize::try_from(number - first).expect("few"));
                let refused = store.insert_signed(signed(&quote_of(client.clone(), number)), NOW).await;
                assert!(matches!(refused, Err(StoreError::ClientFull { .. })), "{refused:?}");
                return held;
            }
            Err(error) => panic!("{error}"),
        }
    }
    panic!("never refused")
}

#[tokio::test]
async fn the_client_with_the_most_quotes_is_rejected_first() {
    let store = MemoryStore::new(1_000);
    let acme = Client::Named("acme".into());
    assert_eq!(fill(&store, &Client::Anonymous, 0).await, 750);
    assert_eq!(fill(&store, &acme, 1_000).await, 188);
    assert_eq!(fill(&store, &Client::Named("bob".into()), 2_000).await, 47);
    // What expires is given back to the client that held it.
    let later = NOW.plus_seconds(12);
    let late =
        |client: &Client, number| Quote { must_accept_by: later.plus_seconds(12), ..quote_of(client.clone(), number) };
    for number in 3_000..3_750 {
        store.insert(&late(&acme, number), later).await.expect("all others have expired");
    }
    let refused = store.insert(&late(&acme, 4_000), later).await;
    assert!(matches!(refused, Err(StoreError::ClientFull { held: 750 })), "{refused:?}");
}

#[tokio::test]
async fn expired_quotes_free_capacity_and_signed_ones_stay() {
    let store = MemoryStore::new(100);
    for number in 0..100 {
        store.insert(&quote(number), NOW).await.expect("there is room");
    }
    for number in 0..40 {
        let signed = signed(&quote(number));
        store.record(signed, NOW).await.expect("signing takes no more room");
    }
    let later = NOW.plus_seconds(12);
    for number in 100..160 {
        let late = Quote { must_accept_by: later.plus_seconds(12), ..quote(number) };
        store.insert(&late, later).await.expect("sixty have expired");
    }
    assert!(store.insert(&quote(160), later).await.is_err(), "forty signed and sixty new ones fill it");
    let terms = signed(&quote(0)).terms;
    for number in 0..40 {
        let answer = store.open(quote(number).id, &quote(number).client, &terms, later).await.expect("memory answers");
        assert!(matches!(answer, OpenOutcome::Signed(_)), "{number}: {answer:?}");
    }
    assert_eq!(store.len(), 100);
}

#[tokio::test]
async fn expired_quotes_are_evicted_without_a_lookup() {
    let store = MemoryStore::new(1_000_000);
    for round in 0..50_u32 {
        let now = NOW.plus_seconds(13 * round);
        for number in 0..1_000 {
            let quote = Quote { must_accept_by: now.plus_seconds(12), ..quote(round * 1_000 + number) };
            store.insert(&quote, now).await.expect("there is room");
        }
    }
    assert!(store.len() <= 1_300, "{} of 50,000 quotes are still kept, 1,000 of which are live", store.len());
}
