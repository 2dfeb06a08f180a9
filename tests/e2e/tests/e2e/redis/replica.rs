//! One replica of the service is killed under load.

use std::time::Instant;

use firmquote_e2e::{
    load::{Load, check_signatures},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::redis::{Options, Server};

use crate::redis::{
    ledger,
    setup::{CLIENTS, SIGNATURES, print},
};

#[tokio::test(flavor = "multi_thread")]
async fn killing_a_replica_costs_its_clients_one_retry_on_another() {
    let redis = Server::start(Options::default());
    // With this timeout even a slow machine causes no 503.
    let mut replicas = SharedStore { timeout_ms: 10_000, ..SharedStore::from_server(&redis) }.replicas(3);
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SIGNATURES).await;
    let before = Instant::now();
    replicas[0].kill();
    load.wait_for_signatures(SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("replica killed", &trades, &journal);
    let unanswered: Vec<_> = journal.entries().into_iter().filter(|entry| entry.status.is_none()).collect();
    assert!(unanswered.iter().all(|entry| entry.replica == 0 && entry.end >= before), "{unanswered:?}");
    assert!(!unanswered.is_empty(), "requests to the dead replica");
    let under_way = unanswered.iter().filter(|entry| entry.start < before).count();
    println!("replica killed: {under_way} of {} requests without a response were in flight", unanswered.len());
    assert_eq!(journal.count(Some(503)), 0, "the other replicas continue");
    let signed = trades.all_signed();
    check_signatures(&signed, &endpoints(&replicas[1..])).await;
    ledger::check(&redis, &signed);
}
