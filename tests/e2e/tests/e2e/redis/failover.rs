//! The Redis master is killed under load and a replica takes over.

use std::time::{Duration, Instant};

use firmquote_e2e::{
    load::{Journal, Load, Step, check_signatures, destination, quote, sign, sign_with_retries},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::redis::{Cluster, Options, Sentinels, Server};
use tokio::time::sleep;

use crate::redis::{
    ledger::{self, LedgerCopies},
    setup::{CLIENTS, SIGNATURES, check_answers, print},
};

/// The maximum time without a response, on a busy machine.
const OUTAGE_BOUND: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn sentinels_replace_a_killed_master_without_lost_or_duplicate_signatures() {
    let mut sentinels = Sentinels::start(Options::default());
    let replicas = SharedStore { wait_replicas: 1, ..SharedStore::from_sentinels(&sentinels) }.replicas(2);
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SIGNATURES).await;
    sentinels.kill_master();
    let killed = Instant::now();
    sentinels.wait_for_failover();
    let failover = killed.elapsed();
    load.wait_for_signatures(SIGNATURES).await;
    // The old master returns empty, still as a master, and is made a replica.
    dead(&mut sentinels).for_each(Server::restart);
    sentinels.wait_for_replicas();
    load.wait_for_signatures(SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("sentinels", &trades, &journal);
    println!("sentinels: {} quotes forgotten, a new master {failover:?} after the kill", trades.forgotten());
    check_answers(&journal);
    check_silence(&journal);
    let signed = trades.signed();
    check_signatures(&signed, &endpoints(&replicas)).await;
    ledger::check(sentinels.master(), &signed);
}

#[tokio::test(flavor = "multi_thread")]
async fn signatures_known_only_to_a_lost_master_were_never_released() {
    let mut sentinels = Sentinels::start(Options { append_only: true, ..Options::default() });
    let replicas = SharedStore { wait_replicas: 1, ..SharedStore::from_sentinels(&sentinels) }.replicas(2);
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SIGNATURES).await;
    let (first, last) = (1, 2);
    sentinels.servers_mut()[first].kill();
    // The last replica has all released signatures: it acknowledged the most recent ones, after everything that the
    // first replica acknowledged.
    load.wait_for_signatures(SIGNATURES).await;
    sentinels.servers_mut()[last].kill();
    let alone = Instant::now();
    sleep(Duration::from_secs(1)).await;
    let killed = Instant::now();
    sentinels.kill_master();
    sentinels.servers_mut()[last].restart();
    sentinels.wait_for_failover();
    let failover = killed.elapsed();
    sentinels.servers_mut()[first].restart();
    load.wait_for_signatures(SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("master alone", &trades, &journal);
    println!("master alone: {} quotes forgotten, a new master {failover:?} after the kill", trades.forgotten());
    let meanwhile = journal.within(alone, killed);
    let released = meanwhile.iter().find(|entry| entry.step == Step::Sign && entry.status == Some(200));
    assert!(released.is_none(), "no replica has it: {released:?}");
    check_answers(&journal);
    check_silence(&journal);
    let signed = trades.signed();
    check_signatures(&signed, &endpoints(&replicas)).await;
    ledger::check(sentinels.master(), &signed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_replaces_a_killed_master_without_lost_or_duplicate_signatures() {
    let mut cluster = Cluster::start(1, Options::default());
    let replicas = SharedStore { wait_replicas: 1, ..SharedStore::from_cluster(&cluster) }.replicas(2);
    let service = replicas[0].public();
    let live = quote(service).await.expect("an answer").ok();
    let live = live["id"].as_str().expect("an id");
    let signed = sign_with_retries(service, live, destination(1)).await;
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SIGNATURES).await;
    let owner = cluster.master_of_key("{firmquote}:signed");
    cluster.kill(owner);
    let killed = Instant::now();
    cluster.wait_until_ok();
    let failover = killed.elapsed();
    // Signatures require a replica, and the new master has none until the old one returns.
    for _ in 0..3 {
        let response = sign(service, live, destination(1)).await.expect("an answer");
        assert!(response.is_retryable(), "no replica has it: {response:?}");
    }
    cluster.restart(owner);
    cluster.wait_until_ok();
    let (replicated_after, is_ok) = (killed.elapsed(), Instant::now());
    let repeated = sign_with_retries(service, live, destination(1)).await;
    assert_eq!((repeated.status, repeated.text), (200, signed.text));
    let answered = is_ok.elapsed();
    load.wait_for_signatures(SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("cluster", &trades, &journal);
    println!("cluster: {} quotes forgotten, a new master {failover:?} after the kill", trades.forgotten());
    println!("cluster: the new master had a replica {replicated_after:?} after the kill");
    println!("cluster: a signature of the killed master was returned {answered:?} later");
    check_answers(&journal);
    check_silence(&journal);
    let signed = trades.signed();
    check_signatures(&signed, &endpoints(&replicas)).await;
    let keeper = &cluster.nodes()[cluster.master_of_key("{firmquote}:signed")];
    let LedgerCopies { copies, .. } = ledger::find(keeper, &signed);
    assert!(!copies.contains(&0), "a signature is not in the ledger");
    println!("cluster: {} entries of {} signatures in the ledger", copies.iter().sum::<usize>(), signed.len());
}

fn dead(sentinels: &mut Sentinels) -> impl Iterator<Item = &mut Server> {
    sentinels.servers_mut().iter_mut().filter(|server| !server.is_running())
}

fn check_silence(journal: &Journal) {
    let silence = journal.longest_silence();
    assert!(silence < OUTAGE_BOUND, "no successful response for {silence:?}");
}
