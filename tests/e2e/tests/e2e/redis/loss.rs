//! Redis loses acknowledged data in every way that it can: claims, records and ledger entries are gone, the older
//! quotes remain. In each round one replica signs quotes, Redis loses the signatures, and another replica is asked to
//! sign the same quotes for other destinations. No quote is signed twice.
//!
//! `FIRMQUOTE_LOSS_ROUNDS` sets the number of rounds for each way; the default is meant for every test run.

use std::{env, time::Duration};

use firmquote_e2e::{
    endpoint::Endpoint,
    load::{Attempt, Outcome, Trade, Trades, destination, quote, sign, sign_with_retries},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::{
    patience::wait_until,
    redis::{Cluster, Options, Sentinels, Server},
};
use tokio::task::JoinSet;

/// Number of quotes that are signed in a round.
const QUOTES: u64 = 24;

fn rounds() -> u64 {
    env::var("FIRMQUOTE_LOSS_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2)
}

/// The outcomes of all quotes, and the number of lost signatures that had been released.
#[derive(Default)]
struct Tally {
    trades: Vec<Trade>,
    lost: usize,
}

/// Requests new quotes from `replica` and returns their IDs.
async fn quotes(replica: &Endpoint) -> Vec<String> {
    let mut ids = Vec::new();
    while ids.len() < usize::try_from(QUOTES).expect("a small number") {
        let answer = quote(replica).await.expect("a replica that runs");
        match answer.body["id"].as_str() {
            Some(id) => ids.push(id.to_owned()),
            None => assert!(answer.is_retryable(), "{answer:?}"),
        }
    }
    ids
}

/// Requests the signatures of all quotes concurrently, each for its own destination; omits those that were not signed.
async fn sign_all(replica: &Endpoint, ids: Vec<String>) -> Vec<Trade> {
    let mut signing = JoinSet::new();
    for (number, quote_id) in (0..).zip(ids) {
        let replica = replica.clone();
        signing.spawn(async move {
            let destination = destination(number);
            let answer = sign(&replica, &quote_id, destination).await.expect("a replica that runs");
            let attempt = Attempt { destination, outcome: Outcome::Signed(answer.text.clone()) };
            (answer.status == 200).then(|| Trade { quote_id, attempts: vec![attempt] })
        });
    }
    signing.join_all().await.into_iter().flatten().collect()
}

impl Tally {
    /// Requests the signature of every quote again for another destination, and counts the lost signatures.
    async fn sign_again(
        &mut self,
        replica: &Endpoint,
        trades: Vec<Trade>,
        prefix: &str,
        exists: impl Fn(&str) -> bool,
    ) {
        for mut trade in trades {
            let key = |part: &str| format!("{prefix}:{{{}}}:{part}", trade.quote_id);
            self.lost += usize::from(exists(&key("quote")) && !exists(&key("record")));
            let destination = destination(u64::MAX);
            let answer = sign_with_retries(replica, &trade.quote_id, destination).await;
            let outcome = match answer.status {
                200 => Outcome::Signed(answer.text),
                _ => Outcome::Refused(answer.body["errorMessage"].as_str().expect("a message").to_owned()),
            };
            trade.attempts.push(Attempt { destination, outcome });
            self.trades.push(trade);
        }
    }

    /// Asserts that no quote was signed twice, and that the test could have detected it: released signatures were lost
    /// while their quotes remained.
    fn check(self, what: &str) {
        let signed = Trades(self.trades).signed().len();
        println!(
            "{what}: {} rounds, {signed} signatures released, {} of them lost, none duplicated",
            rounds(),
            self.lost
        );
        assert!(self.lost > 0, "no signature was lost");
    }
}

fn exists(server: &Server, key: &str) -> bool {
    server.command(&["EXISTS", key]) == "1"
}

/// Returns how often the server delayed writing its file because the disk was busy.
fn delayed_writes(server: &Server) -> u64 {
    let info = server.command(&["INFO", "persistence"]);
    let count = info.lines().find_map(|line| line.trim_end().strip_prefix("aof_delayed_fsync:")?.parse().ok());
    count.expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_lost_by_a_killed_server_are_not_signed_again() {
    let options = Options { append_only: true, slow_fsync: Some(Duration::from_secs(60)), ..Options::default() };
    let mut redis = Server::start(options);
    let replicas = SharedStore::from_server(&redis).replicas(2);
    let replicas = endpoints(&replicas);
    let mut tally = Tally::default();
    for _ in 0..rounds() {
        let ids = quotes(&replicas[0]).await;
        // After one delayed write, further writes wait for two more seconds. The quotes are already in the file.
        let before = delayed_writes(&redis);
        wait_until("a delayed write", || {
            redis.command(&["SET", "load", "1"]);
            if delayed_writes(&redis) > before { Ok(()) } else { Err("none yet".to_owned()) }
        });
        let trades = sign_all(&replicas[0], ids).await;
        redis.kill();
        redis.restart();
        tally.sign_again(&replicas[1], trades, "firmquote", |key| exists(&redis, key)).await;
    }
    tally.check("killed with a slow disk");
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_missing_on_a_lagging_sentinel_replica_are_not_signed_again() {
    let mut tally = Tally::default();
    for _ in 0..rounds() {
        let mut sentinels = Sentinels::start(Options::default());
        let replicas = SharedStore::from_sentinels(&sentinels).replicas(2);
        let replicas = endpoints(&replicas);
        let ids = quotes(&replicas[0]).await;
        sentinels.master().command(&["WAIT", "2", "5000"]);
        let master = sentinels.master().port();
        let followers = |sentinels: &mut Sentinels, act: fn(&mut Server)| {
            sentinels.servers_mut().iter_mut().filter(|server| server.port() != master).for_each(act);
        };
        followers(&mut sentinels, Server::suspend);
        // Otherwise the missed data would wait for them in kernel buffers.
        sentinels.master().command(&["CLIENT", "KILL", "TYPE", "replica"]);
        let trades = sign_all(&replicas[0], ids).await;
        sentinels.kill_master();
        followers(&mut sentinels, Server::resume);
        sentinels.wait_for_failover();
        tally.sign_again(&replicas[1], trades, "firmquote", |key| exists(sentinels.master(), key)).await;
    }
    tally.check("Sentinel failover to a replica that lags");
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_missing_on_a_lagging_cluster_replica_are_not_signed_again() {
    let mut tally = Tally::default();
    for _ in 0..rounds() {
        let mut cluster = Cluster::start(1, Options::default());
        let replicas = SharedStore::from_cluster(&cluster).replicas(2);
        let replicas = endpoints(&replicas);
        let ids = quotes(&replicas[0]).await;
        let node = cluster.master_of_key("{firmquote}");
        cluster.nodes()[node].command(&["WAIT", "1", "5000"]);
        cluster.suspend(node + 3);
        cluster.nodes()[node].command(&["CLIENT", "KILL", "TYPE", "replica"]);
        let trades = sign_all(&replicas[0], ids).await;
        cluster.kill(node);
        cluster.resume(node + 3);
        cluster.wait_until_ok();
        let owner = &cluster.nodes()[cluster.master_of_key("{firmquote}")];
        tally.sign_again(&replicas[1], trades, "{firmquote}", |key| exists(owner, key)).await;
    }
    tally.check("Cluster failover to a replica that lags");
}
