//! Redis removes what the domain calls dead, to the millisecond, and nothing before.

use std::sync::Arc;

use firmquote_domain::{GoodUntil, Quote, Timestamp, UnixSeconds};
use firmquote_store::{OpenOutcome, PrepareOutcome, QuoteRefusal, Store, StoreError, redis::RedisConfig};
use firmquote_test_servers::redis::{Options, Server};

use crate::{
    calls::{Calls as _, refused},
    redis::setup::{PREFIX, claim, connect, key, now, quote, server_config, signed, terms},
};

fn expires_at(server: &Server, key: &str) -> u64 {
    server.command(&["PEXPIRETIME", key]).parse().expect("milliseconds")
}

#[tokio::test]
async fn keys_expire_in_the_first_millisecond_that_is_too_late() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { status_retention_seconds: 90, ..server_config(&server) }).await;
    for (number, micros) in [(1, 0), (2, 1), (3, 999), (4, 500_001)] {
        let second = now().plus_seconds(12).as_micros() / 1_000_000 * 1_000_000;
        let must_accept_by = Timestamp::from_micros(second + micros);
        let quote = Quote { must_accept_by, ..quote(number) };
        store.insert(&quote, now()).await.expect("inserted");
        assert_eq!(expires_at(&server, &key(&quote, "quote")), (second + micros).div_ceil(1_000));
        claim(&store, &quote, 1).await.expect("claimed");
        // Five seconds more, for a clock of Redis that is ahead.
        let forgotten = (u64::from(quote.good_until.expires_at().get()) + 1 + 5) * 1_000;
        assert_eq!(expires_at(&server, &key(&quote, "claim")), forgotten);
        store.record(signed(&quote, 1), now()).await.expect("recorded");
        assert_eq!(expires_at(&server, &key(&quote, "record")), forgotten + 90_000, "with its retention");
        for part in ["quote", "claim"] {
            assert_eq!(server.command(&["EXISTS", &key(&quote, part)]), "0", "the record has taken over");
        }
    }
}

#[tokio::test]
async fn an_expired_quote_is_removed_by_redis() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let quote = Quote { must_accept_by: Timestamp::from_micros(now().as_micros() + 150_000), ..quote(1) };
    store.insert(&quote, now()).await.expect("inserted");
    // The instant of the question is always one at which the domain would still call the quote alive.
    let asked_at = quote.created_at;
    while store.open(quote.id, &quote.client, &terms(1), asked_at).await.expect("answered")
        != OpenOutcome::Refused(QuoteRefusal::Unknown)
    {
        assert!(now() < quote.must_accept_by.plus_seconds(10), "it does not vanish");
    }
    assert!(now() >= quote.must_accept_by, "it vanished before its time");
}

#[tokio::test]
async fn an_audit_record_is_not_returned_after_it_lapsed() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { status_retention_seconds: 3_600, ..server_config(&server) }).await;
    let quote = quote(1);
    let first = signed(&quote, 1);
    store.insert_signed(first.clone(), now()).await.expect("recorded");
    let last = Timestamp::from_micros(u64::from(quote.good_until.expires_at().get()) * 1_000_000 + 999_999);
    let lapsed = Timestamp::from_micros(last.as_micros() + 1);
    for (terms, at, expected) in [
        (terms(1), last, PrepareOutcome::AlreadySigned(first.into())),
        (terms(2), last, refused(QuoteRefusal::OtherTerms)),
        (terms(1), lapsed, refused(QuoteRefusal::Unknown)),
        (terms(2), lapsed, refused(QuoteRefusal::Unknown)),
    ] {
        assert_eq!(store.bind(&quote, &terms, at).await.expect("answered"), expected);
    }
}

#[tokio::test]
async fn records_that_would_expire_at_once_are_not_stored() {
    let server = Server::start(Options::default());
    let store = Arc::new(connect(&server_config(&server)).await);
    // As if the clock of Redis were an hour ahead of the service's.
    let past = Timestamp::from_micros(now().as_micros() - 3_600_000_000);
    let good_until = GoodUntil::Plain(UnixSeconds::new(past.seconds().get() + 72));
    let quote = Quote { good_until, ..quote(1) };
    let refused = store.insert_signed(signed(&quote, 1), past).await;
    assert!(matches!(refused, Err(StoreError::ClockSkew { skew_ms: ..-3_500_000 })), "{refused:?}");
    // The sign of life is written every second, and expires after one.
    let keys = server.command(&["KEYS", "*"]);
    assert!(keys.is_empty() || keys == format!("{PREFIX}:probe"), "{keys}");
}
