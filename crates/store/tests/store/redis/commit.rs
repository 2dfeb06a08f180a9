//! What only Redis does with commitments: its clock, firm reservations and the ledger in one step, in a Cluster too.

use std::time::Duration;

use firmquote_domain::{Quote, Timestamp};
use firmquote_store::{
    CommitOutcome, CommitRefusal, QuoteRefusal, Store as _, StoreError,
    conformance::SampleCommitment,
    redis::{RedisConfig, RedisStore},
};
use firmquote_test_servers::redis::{Cluster, Options, Server};

use crate::{
    calls::Calls as _,
    redis::setup::{PREFIX, cluster_config, connect, now, quote, server_config, signed},
};

async fn commit(store: &RedisStore, commitment: &SampleCommitment) -> CommitOutcome {
    commitment.try_commit(store, now()).await.expect("answered")
}

#[tokio::test]
async fn swaps_too_late_by_the_clock_of_redis_are_not_signed() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let quote = Quote { must_accept_by: now(), ..quote(1) };
    let late = SampleCommitment::at_once(signed(&quote, 1));
    let unknown = CommitOutcome::Refused(CommitRefusal::Quote(QuoteRefusal::Unknown));
    assert_eq!(commit(&store, &late).await, unknown);
    assert_eq!(server.command(&["KEYS", "*:book:*"]), "");
    // Signed in time, and asked again after the answer was lost.
    let early = Quote { must_accept_by: now().plus_seconds(600), ..quote.clone() };
    let in_time = store.insert_signed(signed(&early, 1), now()).await.expect("recorded");
    assert_eq!(commit(&store, &late).await, CommitOutcome::AlreadySigned(in_time));
}

#[tokio::test]
async fn a_slow_clock_is_reported_instead_of_an_unknown_quote() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { max_clock_skew: Duration::from_secs(5), ..server_config(&server) }).await;
    let late = SampleCommitment::at_once(signed(&Quote { must_accept_by: now(), ..quote(1) }, 1));
    let behind = Timestamp::from_micros(now().as_micros() - 6_000_000);
    let refused = late.try_commit(&store, behind).await.expect_err("too far behind");
    assert!(matches!(refused, StoreError::ClockSkew { skew_ms: ..-5_000 }), "{refused:?}");
    let unknown = CommitOutcome::Refused(CommitRefusal::Quote(QuoteRefusal::Unknown));
    assert_eq!(commit(&store, &late).await, unknown);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_of_a_deployment_is_on_one_node_of_a_cluster() {
    let cluster = Cluster::start(0, Options::default());
    let store = connect(&cluster_config(&cluster)).await;
    for number in 0..50 {
        let quote = quote(number);
        store.insert(&quote, now()).await.expect("inserted");
        store.record(signed(&quote, 1), now()).await.expect("recorded");
    }
    assert_eq!(store.ledger_end(100).await.expect("answered").0.len(), 50);
    let owner = cluster.master_of_key(&format!("{{{PREFIX}}}:signed"));
    for (index, node) in cluster.nodes().iter().enumerate() {
        assert_eq!(node.command(&["DBSIZE"]) != "0", index == owner, "{index}");
    }
}
