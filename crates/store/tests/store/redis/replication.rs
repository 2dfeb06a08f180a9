//! Waiting for replicas: no signature leaves that a failover could lose.

use std::time::Duration;

use firmquote_store::{PrepareOutcome, QuoteRefusal, Store, StoreError, redis::RedisConfig};
use firmquote_test_servers::redis::{Cluster, Options, Sentinels, Server};

use crate::calls::{Calls as _, refused};
use crate::redis::setup::{
    PREFIX, claim, cluster_config, connect, key, now, quote, sentinel_config, server_config, signed, until_available,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_signature_waits_for_as_many_replicas_as_configured() {
    let master = Server::start(Options::default());
    let store = connect(&RedisConfig { wait_replicas: 1, ..server_config(&master) }).await;
    let quote = quote(1);
    store.insert(&quote, now()).await.expect("a quote waits for none");
    claim(&store, &quote, 1).await.expect("neither does a claim");
    let refused = store.record(signed(&quote, 1), now()).await;
    let Err(StoreError::Unavailable(reason)) = refused else { panic!("{refused:?}") };
    assert!(reason.to_string().contains("0 of 1 replicas have it"), "{reason}");
    let refused = claim(&store, &quote, 1).await;
    assert!(refused.is_err(), "on record, and still not to leave: {refused:?}");
    let port = master.port().to_string();
    let replica = Server::start(Options::default().with("replicaof", &format!("127.0.0.1 {port}")));
    assert_eq!(
        until_available(|| claim(&store, &quote, 1)).await,
        PrepareOutcome::AlreadySigned(signed(&quote, 1).into())
    );
    assert_eq!(replica.command(&["EXISTS", &key(&quote, "record")]), "1", "the replica has it by then");
}

#[tokio::test(flavor = "multi_thread")]
async fn sentinel_failover_keeps_acknowledged_writes() {
    let mut sentinels = Sentinels::start(Options::default());
    let store = connect(&RedisConfig { wait_replicas: 2, ..sentinel_config(&sentinels) }).await;
    let quotes: Vec<_> = (0..50).map(quote).collect();
    for quote in &quotes {
        store.insert(quote, now()).await.expect("inserted");
        claim(&store, quote, 1).await.expect("claimed");
        store.record(signed(quote, 1), now()).await.expect("both replicas have it");
    }
    sentinels.kill_master();
    sentinels.wait_for_failover();
    until_available(|| store.ping(now())).await;
    for quote in &quotes {
        assert_eq!(
            claim(&store, quote, 2).await.expect("answered"),
            refused(QuoteRefusal::OtherTerms),
            "nothing is bound anew"
        );
    }
    // One replica is left, and two are to be waited for.
    claim(&store, &quotes[0], 1).await.expect_err("nothing leaves");
    let store = connect(&RedisConfig { wait_replicas: 1, ..sentinel_config(&sentinels) }).await;
    for quote in &quotes {
        assert_eq!(
            until_available(|| claim(&store, quote, 1)).await,
            PrepareOutcome::AlreadySigned(signed(quote, 1).into())
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cluster_failover_keeps_acknowledged_writes() {
    let mut cluster = Cluster::start(1, Options::default());
    let store = connect(&RedisConfig { wait_replicas: 1, ..cluster_config(&cluster) }).await;
    let quotes: Vec<_> = (0..30).map(quote).collect();
    for quote in &quotes {
        store.insert(quote, now()).await.expect("inserted");
        claim(&store, quote, 1).await.expect("claimed");
        store.record(signed(quote, 1), now()).await.expect("a replica has it");
    }
    let first = cluster.master_of_key(&format!("{{{PREFIX}}}"));
    cluster.kill(first);
    cluster.wait_until_ok();
    let store = connect(&cluster_config(&cluster)).await;
    for quote in &quotes {
        assert_eq!(until_available(|| claim(&store, quote, 2)).await, refused(QuoteRefusal::OtherTerms));
        assert_eq!(
            until_available(|| claim(&store, quote, 1)).await,
            PrepareOutcome::AlreadySigned(signed(quote, 1).into())
        );
    }
}

/// Whether the installed Redis has `WAITAOF`.
fn has_waitaof(server: &Server) -> bool {
    server.command(&["COMMAND", "INFO", "WAITAOF"]).contains("waitaof")
}

/// A signature that waits for the disk is on it; a server that cannot wait records none.
#[tokio::test(flavor = "multi_thread")]
async fn a_signature_is_released_once_on_disk() {
    let slow_fsync = Some(Duration::from_millis(500));
    let mut server = Server::start(Options { append_only: true, slow_fsync, ..Options::default() });
    let store = connect(&RedisConfig { wait_aof: Some(Duration::from_secs(30)), ..server_config(&server) }).await;
    let quotes: Vec<_> = (0..32).map(quote).collect();
    for quote in &quotes {
        store.insert(quote, now()).await.expect("a quote waits for no disk");
        claim(&store, quote, 1).await.expect("neither does a claim");
    }
    if !has_waitaof(&server) {
        let refused = store.record(signed(&quotes[0], 1), now()).await;
        let Err(StoreError::Unavailable(reason)) = refused else { panic!("{refused:?}") };
        assert!(reason.to_string().contains("WAITAOF"), "{reason}");
        return;
    }
    let store = &store;
    let recorded = quotes.iter().map(async |quote| {
        store.record(signed(quote, 1), now()).await.expect("on the disk");
        server.command(&["EXISTS", &key(quote, "record")])
    });
    for exists in futures_util::future::join_all(recorded).await {
        assert_eq!(exists, "1");
    }
    server.kill();
    server.restart();
    let claims = quotes.iter().map(async |quote| until_available(|| claim(store, quote, 1)).await);
    for (quote, answer) in quotes.iter().zip(futures_util::future::join_all(claims).await) {
        assert_eq!(answer, PrepareOutcome::AlreadySigned(signed(quote, 1).into()));
    }
}
