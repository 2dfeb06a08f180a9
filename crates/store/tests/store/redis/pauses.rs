//! Pauses: what stands in Redis, and what an outage, a failover or somebody else's words do to it.

use std::collections::BTreeSet;

use firmquote_store::{Store, StoreError, redis::RedisConfig};
use firmquote_test_servers::redis::{Options, Sentinels, Server};

use crate::redis::setup::{connect, quote, sentinel_config, server_config, until_available};

const KEY: &str = "test:paused";

#[tokio::test]
async fn a_pause_is_a_member_of_a_set_without_expiry() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let pool = quote(1).pool;
    store.set_paused(pool, true).await.expect("set");
    assert_eq!(server.command(&["SMEMBERS", KEY]), "1:0x0909090909090909090909090909090909090909");
    assert_eq!(server.command(&["TTL", KEY]), "-1");
    assert!(store.is_shared());
    // What an operator writes by hand counts as well.
    store.set_paused(pool, false).await.expect("set");
    server.command(&["SADD", KEY, &pool.to_string()]);
    assert_eq!(store.paused().await.expect("read").pools, BTreeSet::from([pool]));
}

#[tokio::test]
async fn a_pause_survives_restarts_of_the_service_and_the_server() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let pool = quote(1).pool;
    let store = connect(&server_config(&server)).await;
    store.set_paused(pool, true).await.expect("set");
    server.kill();
    assert!(matches!(store.paused().await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.set_paused(pool, false).await, Err(StoreError::Unavailable(_))));
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
    store.set_paused(pool, true).await.expect("set");
    let lower_case = "1:0xfffffffffffffffffffffffffffffffffffffffa";
    for member in ["", "pool", "1", "1:", "0:0x0909090909090909090909090909090909090909", lower_case, "\u{1f4a7}"] {
        server.command(&["SADD", KEY, member]);
        let unreadable = store.paused().await;
        assert!(matches!(&unreadable, Err(StoreError::Unreadable { key }) if key == KEY), "{member:?}: {unreadable:?}");
        store.set_paused(pool, true).await.expect("set all the same");
        assert_eq!(server.command(&["SREM", KEY, member]), "1");
    }
    assert_eq!(store.paused().await.expect("read").pools, BTreeSet::from([pool]));
    server.command(&["DEL", KEY]);
    server.command(&["SET", KEY, "text"]);
    store.paused().await.expect_err("a key of another kind");
    store.set_paused(pool, true).await.expect_err("a key of another kind");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failover_to_an_acknowledged_replica_keeps_pauses() {
    let mut sentinels = Sentinels::start(Options::default());
    let store = connect(&RedisConfig { wait_replicas: 2, ..sentinel_config(&sentinels) }).await;
    let pool = quote(1).pool;
    sentinels.wait_for_replicas();
    until_available(|| store.set_paused(pool, true)).await;
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
        let refused = store.set_paused(pool, is_paused).await;
        let Err(StoreError::Unavailable(reason)) = refused else { panic!("{refused:?}") };
        assert!(reason.to_string().contains("not replicated in time"), "{reason}");
    }
}
