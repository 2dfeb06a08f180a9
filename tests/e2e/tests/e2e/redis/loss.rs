//! Redis loses what it acknowledged, in the ways it does: claims, records and ledger entries are gone, the older quotes are
//! not. Each round has quotes signed by one replica, makes Redis lose the signatures, and asks another replica to sign the
//! same quotes for other destinations. None is signed twice.
//!
//! `FIRMQUOTE_LOSS_ROUNDS` sets how many rounds each way of losing gets; the default is for every run of the tests.

use std::{env, time::Duration};

use firmquote_e2e::{
    endpoint::Endpoint,
    load::{Attempt, Outcome, Trade, Trades, destination, insist, quote, sign},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::{
    patience::wait_until,
    redis::{Cluster, Options, Sentinels, Server},
};
use tokio::task::JoinSet;

/// Quotes that are signed in a round.
const QUOTES: u64 = 24;

fn rounds() -> u64 {
    env::var("FIRMQUOTE_LOSS_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2)
}

/// What became of all quotes, and how many signatures were lost that had left.
#[derive(Default)]
struct Tally {
    trades: Vec<Trade>,
    lost: usize,
}

/// The ids of new quotes of `replica`.
async fn quotes(replica: &Endpoint) -> Vec<String> {
    let mut ids = Vec::new();
    while ids.len() < usize::try_from(QUOTES).expect("a small number") {
        let answer = quote(replica).await.expect("a replica that runs");
        match answer.body["id"].as_str() {
            Some(id) => ids.push(id.to_owned()),
            None => assert!(answer.is_try_later(), "{answer:?}"),
        }
    }
    ids
}

/// Has all quotes signed at once, each for a destination of its own; those that were not signed are left out.
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
    /// Asks for every quote again, for another destination, and notes whether its signature was lost.
    async fn sign_again(&mut self, replica: &Endpoint, trades: Vec<Trade>, exists: impl Fn(&str) -> bool) {
        for mut trade in trades {
            let key = |part: &str| format!("firmquote:{{{}}}:{part}", trade.quote_id);
            self.lost += usize::from(exists(&key("quote")) && !exists(&key("record")));
            let other = destination(u64::MAX);
            let answer = insist(replica, &trade.quote_id, other).await;
            let outcome = match answer.status {
                200 => Outcome::Signed(answer.text),
                _ => Outcome::Refused(answer.body["errorMessage"].as_str().expect("a message").to_owned()),
            };
            trade.attempts.push(Attempt { destination: other, outcome });
            self.trades.push(trade);
        }
    }

    /// No quote was signed twice, and this could have been seen: signatures that had left were lost while their quotes were
    /// not.
    fn check(self, what: &str) {
        let signed = Trades(self.trades).signed().len();
        println!("{what}: {} rounds, {signed} signatures left, {} of them lost, none made twice", rounds(), self.lost);
        assert!(self.lost > 0, "nothing was lost");
    }
}

fn exists(server: &Server, key: &str) -> bool {
    server.command(&["EXISTS", key]) == "1"
}

/// How often the server wrote its file late because the disk was busy.
fn delayed_writes(server: &Server) -> u64 {
    let info = server.command(&["INFO", "persistence"]);
    let count = info.lines().find_map(|line| line.trim_end().strip_prefix("aof_delayed_fsync:")?.parse().ok());
    count.expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_lost_by_a_killed_server_are_not_signed_again() {
    let options = Options { append_only: true, slow_fsync: Some(Duration::from_secs(60)), ..Options::default() };
    let mut redis = Server::start(options);
    let replicas = SharedStore::of_server(&redis).replicas(2);
    let replicas = endpoints(&replicas);
    let mut tally = Tally::default();
    for _ in 0..rounds() {
        let ids = quotes(&replicas[0]).await;
        // Once it has written late, what comes next waits for two seconds more, and the quotes are in the file.
        let before = delayed_writes(&redis);
        wait_until("a late write", || {
            redis.command(&["SET", "load", "1"]);
            if delayed_writes(&redis) > before { Ok(()) } else { Err("none yet".to_owned()) }
        });
        let trades = sign_all(&replicas[0], ids).await;
        redis.kill();
        redis.restart();
        tally.sign_again(&replicas[1], trades, |key| exists(&redis, key)).await;
    }
    tally.check("killed with a slow disk");
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_missing_on_a_lagging_sentinel_replica_are_not_signed_again() {
    let mut tally = Tally::default();
    for _ in 0..rounds() {
        let mut sentinels = Sentinels::start(Options::default());
        let replicas = SharedStore::of_sentinels(&sentinels).replicas(2);
        let replicas = endpoints(&replicas);
        let ids = quotes(&replicas[0]).await;
        sentinels.master().command(&["WAIT", "2", "5000"]);
        let master = sentinels.master().port();
        let followers = |sentinels: &mut Sentinels, act: fn(&mut Server)| {
            sentinels.servers_mut().iter_mut().filter(|server| server.port() != master).for_each(act);
        };
        followers(&mut sentinels, Server::suspend);
        // Otherwise what they missed waits for them in the kernel.
        sentinels.master().command(&["CLIENT", "KILL", "TYPE", "replica"]);
        let trades = sign_all(&replicas[0], ids).await;
        sentinels.kill_master();
        followers(&mut sentinels, Server::resume);
        sentinels.wait_for_failover();
        tally.sign_again(&replicas[1], trades, |key| exists(sentinels.master(), key)).await;
    }
    tally.check("Sentinel failover to a replica that lags");
}

#[tokio::test(flavor = "multi_thread")]
async fn quotes_missing_on_a_lagging_cluster_replica_are_not_signed_again() {
    let mut tally = Tally::default();
    for _ in 0..rounds() {
        let mut cluster = Cluster::start(1, Options::default());
        let replicas = SharedStore::of_cluster(&cluster).replicas(2);
        let replicas = endpoints(&replicas);
        let ids = quotes(&replicas[0]).await;
        let node = cluster.master_of_key(&format!("firmquote:{{{}}}:quote", ids[0]));
        cluster.nodes()[node].command(&["WAIT", "1", "5000"]);
        cluster.suspend(node + 3);
        cluster.nodes()[node].command(&["CLIENT", "KILL", "TYPE", "replica"]);
        let trades = sign_all(&replicas[0], ids).await;
        let is_lagging = |id: &str| cluster.master_of_key(&format!("firmquote:{{{id}}}:quote")) == node;
        let trades: Vec<_> = trades.into_iter().filter(|trade| is_lagging(&trade.quote_id)).collect();
        cluster.kill(node);
        cluster.resume(node + 3);
        cluster.wait_until_ok();
        tally.sign_again(&replicas[1], trades, |key| exists(&cluster.nodes()[cluster.master_of_key(key)], key)).await;
    }
    tally.check("Cluster failover to a replica that lags");
}
