//! A shared hash in every topology: every follower receives what is posted, also after an outage, and later followers too.

use std::{sync::Arc, time::Duration};

use firmquote_store::{
    StoreError,
    redis::{RedisConfig, RedisCredentials, SharedHash, SharedHashEvent},
};
use firmquote_test_servers::redis::{Cluster, Options, Sentinels, Server};
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
    time::timeout,
};

use crate::redis::setup::{cluster_config, sentinel_config, server_config, tls_server_config, until_available};

/// Longer than anything takes; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

async fn shared_hash(config: &RedisConfig) -> Arc<SharedHash> {
    Arc::new(SharedHash::connect(config, "prices").await.expect("a usable configuration"))
}

/// Follows a shared hash, again after each loss of the subscription.
struct Follower {
    events: UnboundedReceiver<SharedHashEvent>,
    /// Why following ended, each time.
    ends: UnboundedReceiver<String>,
    task: JoinHandle<()>,
}

impl Follower {
    fn of(hash: &Arc<SharedHash>) -> Self {
        let ((sender, events), (ended, ends)) = (unbounded_channel(), unbounded_channel());
        let hash = Arc::clone(hash);
        let task = tokio::spawn(async move {
            loop {
                // The receiver is gone: the follower has ended.
                let Err(error) = hash.follow(|posted| drop(sender.send(posted))).await;
                let StoreError::Unavailable(reason) = error else { panic!("{error:?}") };
                drop(ended.send(reason.to_string()));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        Self { events, ends, task }
    }

    /// Waits until `expected` is received; earlier events are skipped.
    async fn wait_for(&mut self, expected: &SharedHashEvent) {
        self.wait_for_all(&[expected]).await;
    }

    /// Waits until all of `expected` are received, in any order; other events are skipped.
    async fn wait_for_all(&mut self, expected: &[&SharedHashEvent]) {
        let mut missing = expected.to_vec();
        let receiving = async {
            while !missing.is_empty() {
                let event = self.events.recv().await.expect("it follows");
                missing.retain(|expected| **expected != event);
            }
        };
        timeout(PATIENCE, receiving).await.unwrap_or_else(|_| panic!("did not receive all of {expected:?}"));
    }

    async fn ended(&mut self) -> String {
        timeout(PATIENCE, self.ends.recv()).await.expect("it ends").expect("it follows")
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn entry(field: &str, value: &str) -> SharedHashEvent {
    SharedHashEvent::Entry { field: field.into(), value: value.into() }
}

fn message(text: &str) -> SharedHashEvent {
    SharedHashEvent::Message(text.into())
}

/// Two replicas: what one posts both hear, and who comes later finds what stands there.
async fn check(config: &RedisConfig) {
    let hashes = [shared_hash(config).await, shared_hash(config).await];
    let mut followers = hashes.each_ref().map(Follower::of);
    until_available(|| hashes[0].post(&[("ETH", "1"), ("DAI", "1")], "first")).await;
    for follower in &mut followers {
        // By a message, or by the entries, if the message was before it.
        follower.wait_for(&entry("ETH", "1")).await;
    }
    until_available(|| hashes[1].post(&[("ETH", "2")], "second")).await;
    for follower in &mut followers {
        // The entry is before the message if the hash is read between the two.
        follower.wait_for_all(&[&message("second"), &entry("ETH", "2")]).await;
    }
    let mut later = Follower::of(&shared_hash(config).await);
    let mut found = [later.events.recv().await, later.events.recv().await].map(|posted| posted.expect("it follows"));
    found.sort_by_key(|posted| format!("{posted:?}"));
    let mut expected = [entry("ETH", "2"), entry("DAI", "1")];
    expected.sort_by_key(|posted| format!("{posted:?}"));
    assert_eq!(found, expected, "the newest of each, and no message of before");
}

#[tokio::test(flavor = "multi_thread")]
async fn posts_have_the_time_of_redis_where_they_ask_for_it() {
    let server = Server::start(Options::default());
    let hash = shared_hash(&server_config(&server)).await;
    let value = format!("[1,{:?}]", SharedHash::NOW_MS);
    let entries = [("ETH", value.as_str()), ("DAI", &value), ("BTC", "2")];
    until_available(|| hash.post(&entries, &value)).await;
    let seconds: u64 = server.command(&["TIME"]).lines().next().expect("seconds").parse().expect("a number");
    let posted = ["ETH", "DAI", "BTC"].map(|field| server.command(&["HGET", hash.name(), field]));
    let [eth, dai, btc] = posted.each_ref().map(|value| value.trim());
    assert_eq!((dai, btc), (eth, "2"));
    let millis = eth.strip_prefix("[1,").and_then(|text| text.strip_suffix(']')).expect("a list");
    assert!((0..60).contains(&(seconds - millis.parse::<u64>().expect("a number") / 1_000)), "{eth}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_hash_on_a_single_server_is_followed() {
    check(&server_config(&Server::start(Options::default()))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_hash_over_tls_or_a_unix_socket_is_followed() {
    let server = Server::start(Options { has_tls: true, ..Options::default() });
    check(&tls_server_config(&server)).await;
    check(&server_config(&Server::start(Options { has_unix_socket: true, ..Options::default() }))).await;
}

/// What `docs/prices/push.md` tells operators to allow, beyond what the store needs.
const RIGHTS: &str = "resetkeys ~test:* ~{test}:* resetchannels &test:prices &{test}:prices -@all +eval +evalsha +set +get +mget +del \
                      +xadd +xrange +xrevrange +time +wait +info +ping +select +role +asking +cluster|slots +cluster|info \
                      +hset +hgetall +publish +subscribe";

#[tokio::test(flavor = "multi_thread")]
async fn minimal_permissions_suffice_to_follow_a_shared_hash_on_a_server_and_a_cluster() {
    let open = Options::default().with("user", &format!("quoter on >secret {RIGHTS}"));
    let credentials =
        Some(RedisCredentials { username: Some("quoter".to_owned()), password: "secret".to_owned().into() });
    let server = Server::start(open.clone());
    check(&RedisConfig { credentials: credentials.clone(), ..server_config(&server) }).await;
    let cluster = Cluster::start(0, open);
    check(&RedisConfig { credentials, ..cluster_config(&cluster) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn external_writes_are_received_with_and_without_a_message() {
    let server = Server::start(Options::default());
    let hash = shared_hash(&server_config(&server)).await;
    let mut follower = Follower::of(&hash);
    server.command(&["HSET", "test:prices", "ETH", "written"]);
    follower.wait_for(&entry("ETH", "written")).await;
    server.command(&["PUBLISH", "test:prices", "posted"]);
    follower.wait_for(&message("posted")).await;
    server.command(&["HSET", "test:prices", "ETH", "again"]);
    follower.wait_for(&entry("ETH", "again")).await;
    assert_eq!(hash.name(), "test:prices");
}

#[tokio::test(flavor = "multi_thread")]
async fn posting_fails_during_an_outage_and_all_prices_arrive_afterwards() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let hash = shared_hash(&server_config(&server)).await;
    let mut follower = Follower::of(&hash);
    until_available(|| hash.post(&[("ETH", "1")], "before")).await;
    follower.wait_for(&entry("ETH", "1")).await;
    server.kill();
    assert!(matches!(hash.post(&[("ETH", "2")], "lost").await, Err(StoreError::Unavailable(_))));
    follower.ended().await;
    server.restart();
    assert_eq!(server.command(&["HGET", "test:prices", "ETH"]), "1", "nothing was applied");
    follower.wait_for(&entry("ETH", "1")).await;
    until_available(|| hash.post(&[("ETH", "3")], "after")).await;
    follower.wait_for(&entry("ETH", "3")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_server_ends_the_subscription_within_the_timeout() {
    let mut server = Server::start(Options::default());
    let hash = shared_hash(&RedisConfig { timeout: Duration::from_millis(200), ..server_config(&server) }).await;
    let mut follower = Follower::of(&hash);
    until_available(|| hash.post(&[("ETH", "1")], "before")).await;
    follower.wait_for(&entry("ETH", "1")).await;
    server.suspend();
    assert_eq!(follower.ended().await, "timed out");
    server.resume();
    until_available(|| hash.post(&[("ETH", "2")], "after")).await;
    follower.wait_for(&entry("ETH", "2")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_another_type_is_an_error_and_not_the_end() {
    let server = Server::start(Options::default());
    server.command(&["SET", "test:prices", "text"]);
    let hash = shared_hash(&server_config(&server)).await;
    let mut follower = Follower::of(&hash);
    let reason = follower.ended().await;
    assert!(reason.contains("WRONGTYPE"), "{reason}");
    hash.post(&[("ETH", "1")], "message").await.expect_err("refused");
    server.command(&["DEL", "test:prices"]);
    until_available(|| hash.post(&[("ETH", "1")], "message")).await;
    follower.wait_for(&entry("ETH", "1")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_sentinel_master_is_followed() {
    let mut sentinels = Sentinels::start(Options::default());
    let config = sentinel_config(&sentinels);
    check(&config).await;
    let hash = shared_hash(&config).await;
    let mut follower = Follower::of(&hash);
    follower.wait_for(&entry("ETH", "2")).await;
    sentinels.kill_master();
    sentinels.wait_for_failover();
    until_available(|| hash.post(&[("ETH", "3")], "after")).await;
    follower.wait_for(&entry("ETH", "3")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_is_followed_through_another_node_after_a_failure() {
    let mut cluster = Cluster::start(1, Options::default());
    let config = cluster_config(&cluster);
    check(&config).await;
    let hash = shared_hash(&config).await;
    let mut follower = Follower::of(&hash);
    follower.wait_for(&entry("ETH", "2")).await;
    // The first is the one that is listened to.
    cluster.kill(0);
    follower.ended().await;
    cluster.wait_until_ok();
    until_available(|| hash.post(&[("ETH", "3")], "after")).await;
    follower.wait_for(&entry("ETH", "3")).await;
}
