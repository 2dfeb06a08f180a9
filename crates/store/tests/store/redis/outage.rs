//! Redis goes away and comes back, in the ways it does.

use std::time::Duration;

use firmquote_store::{
    PrepareOutcome, QuoteRefusal, Store, StoreError,
    redis::{KeyPrefix, RedisConfig, RedisStore},
};
use firmquote_test_servers::redis::{Access, Cluster, Options, Server};

use crate::{
    calls::{Calls as _, refused},
    redis::setup::{PREFIX, claim, cluster_config, connect, now, quote, server_config, signed, terms, until_available},
};

fn reason<T: std::fmt::Debug>(answer: Result<T, StoreError>) -> String {
    let Err(StoreError::Unavailable(reason)) = answer else { panic!("{answer:?}") };
    reason.to_string()
}

async fn wait_for_reason(store: &RedisStore, expected: &str) {
    let mut last = String::new();
    for _ in 0..3_000 {
        last = store.ping(now()).await.map_or_else(|error| reason::<()>(Err(error)), |()| "it answers".to_owned());
        if last.contains(expected) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not {expected:?} but {last:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_is_reconnected_with_everything_it_stored() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let store = connect(&server_config(&server)).await;
    let (claimed, done) = (quote(1), quote(2));
    for quote in [&claimed, &done] {
        store.insert(quote, now()).await.expect("inserted");
        claim(&store, quote, 1).await.expect("claimed");
    }
    store.record(signed(&done, 1), now()).await.expect("recorded");
    server.kill();
    reason(store.insert(&quote(3), now()).await);
    reason(claim(&store, &done, 1).await);
    wait_for_reason(&store, "no connection to Redis").await;
    server.restart();
    let answer = until_available(|| claim(&store, &done, 1)).await;
    assert_eq!(answer, PrepareOutcome::AlreadySigned(signed(&done, 1).into()));
    for (quote, terms, expected) in [
        (&done, terms(2), refused(QuoteRefusal::OtherTerms)),
        // What became of it before may be lost.
        (&claimed, terms(2), refused(QuoteRefusal::Unknown)),
        (&claimed, terms(1), refused(QuoteRefusal::Unknown)),
    ] {
        assert_eq!(store.bind(quote, &terms, now()).await.expect("answered"), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_up_yet_is_awaited_in_the_background() {
    let mut server = Server::start(Options::default());
    server.kill();
    let store = connect(&server_config(&server)).await;
    reason(store.ping(now()).await);
    server.restart();
    until_available(|| store.ping(now())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_server_costs_each_call_at_most_the_timeout() {
    let mut server = Server::start(Options::default());
    let store = connect(&RedisConfig { timeout: Duration::from_millis(200), ..server_config(&server) }).await;
    server.suspend();
    let first = reason(store.insert(&quote(1), now()).await);
    assert_eq!(first, "Redis did not answer within 200 ms");
    // From then on nobody waits: the connection is given up, and new ones do not come to stand.
    wait_for_reason(&store, "no connection to Redis").await;
    server.resume();
    until_available(|| store.ping(now())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_server_is_unavailable() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    server.command(&["REPLICAOF", "127.0.0.1", "1"]);
    wait_for_reason(&store, "You can't write against a read only replica").await;
    server.command(&["REPLICAOF", "NO", "ONE"]);
    until_available(|| store.ping(now())).await;
    server.command(&["CONFIG", "SET", "maxmemory", "1"]);
    wait_for_reason(&store, "used memory > 'maxmemory'").await;
    server.command(&["CONFIG", "SET", "maxmemory", "0"]);
    until_available(|| store.ping(now())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password_is_reported_without_the_password() {
    let server = Server::start(Options { access: Access::Password("the right one".to_owned()), ..Options::default() });
    let mut config = server_config(&server);
    config.credentials = Some(firmquote_store::redis::RedisCredentials {
        username: None,
        password: "a secret mistake".to_owned().into(),
    });
    let store = connect(&config).await;
    let reason = reason(store.ping(now()).await);
    assert!(reason.contains("authentication failed") && !reason.contains("secret"), "{reason}");
}

/// A hung node affects no deployment on another, however often the cluster is looked at meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_hung_cluster_node_does_not_affect_the_others() {
    let mut cluster = Cluster::start(0, Options::default().with("cluster-node-timeout", "60000"));
    for node in cluster.nodes() {
        node.command(&["CONFIG", "SET", "cluster-require-full-coverage", "no"]);
    }
    let config = RedisConfig { timeout: Duration::from_millis(300), ..cluster_config(&cluster) };
    let owner = |prefix: &str| cluster.master_of_key(&format!("{{{prefix}}}"));
    let hung = owner(PREFIX);
    let elsewhere = (0..).map(|number| format!("{PREFIX}{number}")).find(|prefix| owner(prefix) != hung);
    let prefix = KeyPrefix::new(&elsewhere.expect("prefixes are on every node")).expect("a prefix");
    let (lost, other) = (connect(&config).await, connect(&RedisConfig { prefix, ..config }).await);
    cluster.suspend(hung);
    let end = now().plus_seconds(6);
    let (mut answered, mut refused) = (0, 0);
    while now() < end {
        reason(lost.insert(&quote(0), now()).await);
        for number in 1..40 {
            match other.insert(&quote(number), now()).await {
                Ok(()) => answered += 1,
                Err(_) => refused += 1,
            }
        }
    }
    cluster.resume(hung);
    assert!(answered > 0 && refused * 20 < answered, "{answered} answered, {refused} refused");
    let again = quote(0);
    until_available(|| lost.insert(&again, now())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn announced_nodes_that_cannot_be_reached_are_named() {
    let cluster = Cluster::start(0, Options::default());
    // Nothing listens on this port.
    for node in cluster.nodes() {
        node.command(&["CONFIG", "SET", "cluster-announce-port", "1"]);
    }
    firmquote_test_servers::patience::wait_until("the nodes know of each other's port", || {
        let views: Vec<_> = cluster.nodes().iter().map(|node| node.command(&["CLUSTER", "SLOTS"])).collect();
        let is_known = |view: &String| view.matches("127.0.0.1\n1\n").count() == 3;
        if views.iter().all(is_known) { Ok(()) } else { Err(views.join("\n")) }
    });
    let store = connect(&cluster_config(&cluster)).await;
    wait_for_reason(&store, "the Cluster announces 127.0.0.1:1 as master, which cannot be reached from here").await;
    let survey = reason(store.survey().await);
    assert!(survey.contains("the Cluster announces 127.0.0.1:1 as master"), "{survey}");
}
