//! Pauses: what stands in Redis, and what an outage, a failover or somebody else's words do to it.

use std::collections::BTreeSet;

use firmquote_store::{
    Actor, Breaker, BreakerStep, OperatorEntry, OperatorEvent, Store, StoreError, Trip, TripKey, redis::RedisConfig,
};
use firmquote_test_servers::redis::{Options, Sentinels, Server};

use crate::redis::setup::{connect, now, quote, sentinel_config, server_config, until_available};

const KEY: &str = "test:paused";

#[tokio::test]
async fn a_pause_is_a_member_of_a_set_without_expiry() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let pool = quote(1).pool;
    store.set_paused(pool, true, None, now()).await.expect("set");
    assert_eq!(server.command(&["SMEMBERS", KEY]), "1:0x0909090909090909090909090909090909090909");
    assert_eq!(server.command(&["TTL", KEY]), "-1");
    assert!(store.is_shared());
    // What an operator writes by hand counts as well.
    store.set_paused(pool, false, None, now()).await.expect("set");
    server.command(&["SADD", KEY, &pool.to_string()]);
    assert_eq!(store.paused().await.expect("read").pools, BTreeSet::from([pool]));
}

#[tokio::test]
async fn a_pause_survives_restarts_of_the_service_and_the_server() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let pool = quote(1).pool;
    let store = connect(&server_config(&server)).await;
    store.set_paused(pool, true, None, now()).await.expect("set");
    server.kill();
    assert!(matches!(store.paused().await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.set_paused(pool, false, None, now()).await, Err(StoreError::Unavailable(_))));
    drop(store);
    server.restart();
    let store = connect(&server_config(&server)).await;
    assert_eq!(until_available(|| store.paused()).await.pools, BTreeSet::from([pool]));
}

#[tokio::test]
async fn unreadable_pauses_are_an_error_and_lift_none() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let pool = quote(1).pool;
    store.set_paused(pool, true, None, now()).await.expect("set");
    let lower_case = "1:0xfffffffffffffffffffffffffffffffffffffffa";
    for member in ["", "pool", "1", "1:", "0:0x0909090909090909090909090909090909090909", lower_case, "\u{1f4a7}"] {
        server.command(&["SADD", KEY, member]);
        let unreadable = store.paused().await;
        assert!(matches!(&unreadable, Err(StoreError::Unreadable { key }) if key == KEY), "{member:?}: {unreadable:?}");
        store.set_paused(pool, true, None, now()).await.expect("set all the same");
        assert_eq!(server.command(&["SREM", KEY, member]), "1");
    }
    assert_eq!(store.paused().await.expect("read").pools, BTreeSet::from([pool]));
    server.command(&["DEL", KEY]);
    server.command(&["SET", KEY, "text"]);
    store.paused().await.expect_err("a key of another kind");
    store.set_paused(pool, true, None, now()).await.expect_err("a key of another kind");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failover_to_an_acknowledged_replica_keeps_pauses() {
    let mut sentinels = Sentinels::start(Options::default());
    let store = connect(&RedisConfig { wait_replicas: 2, ..sentinel_config(&sentinels) }).await;
    let pool = quote(1).pool;
    sentinels.wait_for_replicas();
    until_available(|| store.set_paused(pool, true, None, now())).await;
    sentinels.kill_master();
    sentinels.wait_for_failover();
    assert_eq!(until_available(|| store.paused()).await.pools, BTreeSet::from([pool]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_is_confirmed_only_when_the_replicas_have_it() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { wait_replicas: 1, ..server_config(&server) }).await;
    let pool = quote(1).pool;
    for is_paused in [true, true, false, false] {
        let refused = store.set_paused(pool, is_paused, None, now()).await;
        let Err(StoreError::Unavailable(reason)) = refused else { panic!("{refused:?}") };
        assert!(reason.to_string().contains("not replicated in time"), "{reason}");
    }
}

#[tokio::test]
async fn acts_and_trips_are_entries_of_a_stream() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let (pool, at) = (quote(1).pool, now());
    let actor = Actor {
        name: Some("ada".to_owned()),
        address: Some([10, 0, 0, 1].into()),
        reason: Some("a \"strange\" rate".to_owned()),
    };
    let paused = OperatorEntry { event: OperatorEvent::Paused(pool), actor: Some(actor), recorded_at: at };
    store.set_paused(pool, true, Some(&paused), at).await.expect("set");
    let trip = Trip {
        key: TripKey { pool, breaker: Breaker::Loss, token: None },
        step: BreakerStep::Pause,
        figures: "5.2 % in an hour".to_owned(),
        at,
    };
    let tripped = OperatorEntry { event: OperatorEvent::Tripped(trip.clone()), actor: None, recorded_at: at };
    assert!(store.trip(&trip, Some(&tripped)).await.expect("tripped"));
    let micros = at.as_micros();
    let about = r#""chain_id":1,"pool":"0x0909090909090909090909090909090909090909","#;
    let entries = server.command(&["XRANGE", "test:operator", "-", "+"]);
    for line in [
        format!(
            r#"{{"event":"paused",{about}"operator":"ada","address":"10.0.0.1","reason":"a \"strange\" rate","recorded_at_us":{micros}}}"#
        ),
        format!(
            r#"{{"event":"breaker",{about}"breaker":"loss","step":"pause","figures":"5.2 % in an hour","recorded_at_us":{micros}}}"#
        ),
    ] {
        assert!(entries.contains(&line), "{line} in {entries}");
    }
    // What cannot be read may be a pause.
    for (field, value) in [("1:0x12 resumed", "1"), ("something", "{}"), (&trip.key.to_string(), "{")] {
        server.command(&["HSET", "test:latched", field, value]);
        let unreadable = store.paused().await;
        assert!(matches!(&unreadable, Err(StoreError::Unreadable { key }) if key == "test:latched"), "{unreadable:?}");
        server.command(&["HDEL", "test:latched", field]);
    }
    let before = store.samples(pool, at).await.unwrap();
    server.command(&["ZADD", &format!("test:{{{pool}}}:samples"), "999999999", "{}"]);
    assert_eq!(store.samples(pool, at).await.unwrap(), before, "an unreadable sample is left out");
}
