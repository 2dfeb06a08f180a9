//! Every topology keeps the contract of every store, with three replicas of the service on it.

use firmquote_store::{
    PrepareOutcome, Store, conformance,
    redis::{RedisConfig, RedisCredentials},
};
use firmquote_test_servers::redis::{Access, Cluster, Options, Sentinels, Server};

use crate::redis::setup::{
    PREFIX, claim, cluster_config, connect, now, quote, sentinel_config, server_config, three, tls_server_config,
    until_available,
};

async fn check(config: &RedisConfig) {
    conformance::check(&three(config).await, now()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_server_satisfies_the_contract() {
    let server = Server::start(Options::default());
    check(&server_config(&server)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_password_or_a_user_satisfies_the_contract() {
    let password = "p@ss/wörd:".to_owned();
    for access in
        [Access::Password(password.clone()), Access::User { name: "quoter".to_owned(), password: password.clone() }]
    {
        let server = Server::start(Options { access: access.clone(), ..Options::default() });
        check(&server_config(&server)).await;
        // The same credentials apart from the address.
        let username = match access {
            Access::User { name, .. } => Some(name),
            Access::Open | Access::Password(_) => None,
        };
        let mut config = server_config(&server);
        config.credentials = Some(RedisCredentials { username, password: password.clone().into() });
        check(&config).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unix_socket_satisfies_the_contract() {
    let server = Server::start(Options { has_unix_socket: true, ..Options::default() });
    assert!(server.url().starts_with("redis+unix:"), "{}", server.url());
    check(&server_config(&server)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_with_client_certificates_satisfies_the_contract() {
    let server = Server::start(Options { has_tls: true, ..Options::default() });
    check(&tls_server_config(&server)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sentinel_master_satisfies_the_contract_with_and_without_waiting_for_replicas() {
    let sentinels = Sentinels::start(Options::default());
    for wait_replicas in [0, 2] {
        check(&RedisConfig { wait_replicas, ..sentinel_config(&sentinels) }).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_of_three_masters_satisfies_the_contract() {
    let cluster = Cluster::start(0, Options::default());
    check(&cluster_config(&cluster)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_with_replica_acknowledgements_satisfies_the_contract() {
    let cluster = Cluster::start(1, Options::default());
    check(&RedisConfig { wait_replicas: 1, ..cluster_config(&cluster) }).await;
}

/// What `docs/redis.md` tells operators to allow.
const MIN_RIGHTS: &str = "resetkeys ~test:* ~{test}:* resetchannels &test:books &{test}:books -@all +eval +evalsha +set +get +mget +del +xadd \
                            +xrange +xrevrange +sadd +srem +smembers +hget +hset +hdel +hmget \
                            +hgetall +hexists +zadd +zrem +zrange +zrangebyscore +pexpireat +sismember \
                            +publish +subscribe +time +info +wait +ping +select +role +asking \
                            +cluster|slots +cluster|info";

#[tokio::test(flavor = "multi_thread")]
async fn a_user_with_minimal_permissions_satisfies_the_contract() {
    let rights = format!("on >secret {}", MIN_RIGHTS);
    let open = Options::default().with("user", &format!("quoter {rights}"));
    let server = Server::start(open.clone());
    let credentials =
        Some(RedisCredentials { username: Some("quoter".to_owned()), password: "secret".to_owned().into() });
    check(&RedisConfig { credentials: credentials.clone(), ..server_config(&server) }).await;
    let cluster = Cluster::start(0, open);
    check(&RedisConfig { credentials, ..cluster_config(&cluster) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_of_a_migrating_slot_are_rejected_and_then_served() {
    let rights = format!("on >secret {}", MIN_RIGHTS);
    let cluster = Cluster::start(0, Options::default().with("user", &format!("quoter {rights}")));
    let credentials =
        Some(RedisCredentials { username: Some("quoter".to_owned()), password: "secret".to_owned().into() });
    let store = connect(&RedisConfig { credentials, ..cluster_config(&cluster) }).await;
    let quote = quote(1);
    let key = format!("{{{PREFIX}}}:{{{}}}:quote", quote.id);
    let source = cluster.master_of_key(&key);
    let target = (source + 1) % cluster.nodes().len();
    let node = |index: usize| &cluster.nodes()[index];
    let (from, to) = (node(source).command(&["CLUSTER", "MYID"]), node(target).command(&["CLUSTER", "MYID"]));
    let slot = node(source).command(&["CLUSTER", "KEYSLOT", &key]);
    node(target).command(&["CLUSTER", "SETSLOT", &slot, "IMPORTING", &from]);
    node(source).command(&["CLUSTER", "SETSLOT", &slot, "MIGRATING", &to]);
    store.insert(&quote, now()).await.expect("a single key is asked for where it goes");
    assert_eq!(node(source).command(&["CLUSTER", "COUNTKEYSINSLOT", &slot]), "0");
    claim(&store, &quote, 1).await.expect_err("several keys of a slot that moves are not");
    for index in [target, source] {
        node(index).command(&["CLUSTER", "SETSLOT", &slot, "NODE", &to]);
    }
    assert_eq!(until_available(|| claim(&store, &quote, 1)).await, PrepareOutcome::Prepared);
}
