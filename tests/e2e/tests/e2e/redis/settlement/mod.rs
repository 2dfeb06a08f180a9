//! Three replicas on one Redis server, on Sentinels or on a Cluster sign for two on-chain pools with 64 concurrent
//! takers, while replicas, Redis and the node are killed or suspended: every signed swap was sound when it was recorded
//! and executes in any order, and ledger, service and chain agree on what was executed.
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod agreement;
mod curve;
mod replay;
mod replicas;

use firmquote_e2e::{draw, replicas::SharedStore};
use firmquote_test_servers::redis::{Cluster, Options, Sentinels, Server};
use rand::seq::SliceRandom;

use agreement::{check_agreement, check_released, check_soundness, execute, ledger, provide, wait_for_state};
use replicas::{Replicas, RoutedSwap};

/// Number of blocks in the final reorganization.
const DROPPED: u64 = 10;

/// The replicas, and what they have signed.
struct Scenario {
    replicas: Replicas,
    executed: Vec<RoutedSwap>,
    outstanding: Vec<RoutedSwap>,
    round: u64,
}

impl Scenario {
    /// Starts the replicas, and lets takers sign at prices that not all of them can have.
    async fn start(store: &SharedStore) -> Self {
        let replicas = Replicas::start(store).await;
        let round = replicas.start_takers(0).finish().await;
        assert!(round.unsound > 0, "too little was signed at one price");
        Self { replicas, executed: Vec::new(), outstanding: round.signed, round: 1 }
    }

    /// Lets takers sign while `disrupt` runs, and then every replica once.
    async fn sign_during<T>(&mut self, disrupt: impl AsyncFnOnce(&mut Replicas) -> T) -> T {
        let takers = self.replicas.start_takers(self.round);
        takers.wait_until_under_way().await;
        let result = disrupt(&mut self.replicas).await;
        self.outstanding.extend(takers.finish().await.signed);
        self.outstanding.extend(self.replicas.sign_everywhere(self.round + 1).await);
        self.round += 2;
        result
    }

    /// Executes a random half of what is outstanding, and waits until every replica knows.
    async fn settle_half(&mut self) -> Vec<u64> {
        self.outstanding.shuffle(&mut draw::generator(self.round));
        let half = self.outstanding.split_off(self.outstanding.len() / 2);
        provide(&self.replicas.world, &half).await;
        let blocks = execute(&self.replicas.world, &half).await;
        wait_for_state(&self.replicas, &half, "settled").await;
        wait_for_state(&self.replicas, &self.outstanding, "signed").await;
        self.executed.extend(half);
        blocks
    }

    /// Executes everything that is outstanding, before and after a reorganization, and compares ledger, service and
    /// chain.
    async fn finish(mut self, redis: &Server) {
        let blocks = self.settle_half().await;
        let newest = self.replicas.world.node.newest().await.0;
        self.replicas.world.node.reorganise(DROPPED).await;
        let remaining = blocks.iter().filter(|block| **block <= newest - DROPPED).count();
        let dropped = self.executed.split_off(self.executed.len() - (blocks.len() - remaining));
        assert!(!dropped.is_empty() && remaining > 0, "no swap was dropped, or none remained");
        wait_for_state(&self.replicas, &dropped, "signed").await;
        wait_for_state(&self.replicas, &self.executed, "settled").await;
        self.outstanding.extend(dropped);
        check_agreement(&self.replicas, &ledger(redis), &self.signed()).await;
        self.settle_half().await;
        provide(&self.replicas.world, &self.outstanding).await;
        execute(&self.replicas.world, &self.outstanding).await;
        wait_for_state(&self.replicas, &self.outstanding, "settled").await;
        let entries = ledger(redis);
        check_released(&entries, &self.signed());
        check_agreement(&self.replicas, &entries, &self.signed()).await;
        check_soundness(&self.replicas.world, redis).await;
    }

    fn signed(&self) -> Vec<RoutedSwap> {
        self.executed.iter().chain(&self.outstanding).cloned().collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_of_three_replicas_on_one_redis_execute_whatever_is_killed() {
    let mut redis = Server::start(Options { append_only: true, ..Options::default() });
    let mut scenario = Scenario::start(&SharedStore::from_server(&redis)).await;
    scenario.settle_half().await;
    let kill_redis = async |_: &mut Replicas| {
        redis.kill();
        redis.restart();
    };
    scenario.sign_during(kill_redis).await;
    scenario.sign_during(async |replicas| replicas.replace_last()).await;
    scenario.sign_during(Replicas::hang_chain).await;
    scenario.finish(&redis).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_of_three_replicas_on_sentinels_execute_after_failovers() {
    let mut sentinels = Sentinels::start(Options::default());
    let store = SharedStore { wait_replicas: 1, ..SharedStore::from_sentinels(&sentinels) };
    let mut scenario = Scenario::start(&store).await;
    scenario.settle_half().await;
    let kill_master = async |_: &mut Replicas| {
        sentinels.kill_master();
        sentinels.wait_for_failover();
        sentinels.servers_mut().iter_mut().filter(|server| !server.is_running()).for_each(Server::restart);
        sentinels.wait_for_replicas();
    };
    scenario.sign_during(kill_master).await;
    let hang_master = async |_: &mut Replicas| {
        sentinels.master_mut().suspend();
        sentinels.wait_for_failover();
        sentinels.servers_mut().iter_mut().filter(|server| !server.is_running()).for_each(Server::resume);
        sentinels.wait_for_replicas();
    };
    scenario.sign_during(hang_master).await;
    scenario.sign_during(async |replicas| replicas.replace_last()).await;
    scenario.sign_during(Replicas::hang_chain).await;
    scenario.finish(sentinels.master()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn swaps_of_three_replicas_on_a_cluster_execute_whatever_is_killed() {
    let mut cluster = Cluster::start(1, Options::default());
    let store = SharedStore { wait_replicas: 1, ..SharedStore::from_cluster(&cluster) };
    let mut scenario = Scenario::start(&store).await;
    scenario.settle_half().await;
    let kill_master = async |_: &mut Replicas| {
        let owner = cluster.master_of_key("{firmquote}:signed");
        cluster.kill(owner);
        cluster.wait_until_ok();
        assert_ne!(cluster.master_of_key("{firmquote}:signed"), owner, "its replica took over");
        cluster.restart(owner);
        cluster.wait_until_ok();
    };
    scenario.sign_during(kill_master).await;
    scenario.sign_during(async |replicas| replicas.replace_last()).await;
    scenario.sign_during(Replicas::hang_chain).await;
    let owner = &cluster.nodes()[cluster.master_of_key("{firmquote}:signed")];
    scenario.finish(owner).await;
}
