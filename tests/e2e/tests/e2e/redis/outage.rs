//! Redis is killed under load and restarted.

use std::time::{Duration, Instant};

use firmquote_e2e::{
    load::{Load, check_signatures},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::redis::{Options, Server};
use tokio::time::sleep;

use crate::redis::{
    ledger,
    setup::{CLIENTS, SIGNATURES, check_answers, check_outage, print},
};

#[tokio::test(flavor = "multi_thread")]
async fn outages_are_logged_as_they_start_and_end() {
    let mut redis = Server::start(Options::default());
    let mut replicas = SharedStore::from_server(&redis).replicas(1);
    redis.kill();
    replicas[0].wait_for("a part of the service is not ready part=\"store\"");
    redis.restart();
    replicas[0].wait_for("a part of the service is ready again part=\"store\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_redis_loses_no_signature_and_signs_no_quote_twice() {
    let mut redis = Server::start(Options { append_only: true, ..Options::default() });
    let replicas = SharedStore::from_server(&redis).replicas(2);
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SIGNATURES).await;
    redis.kill();
    let killed = Instant::now();
    sleep(Duration::from_secs(2)).await;
    let restarted = Instant::now();
    redis.restart();
    let success = load.first_success_after(Instant::now()).await;
    load.wait_for_signatures(SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("redis killed", &trades, &journal);
    let refused = check_outage(&journal, killed, restarted);
    println!("redis killed: {refused} responses during the outage, the first 200 {success:?} after it was ready again");
    check_answers(&journal);
    // Earlier quotes are rejected, even those that Redis still has: promises that depend on them may be lost.
    let (signed, forgotten) = (trades.signed(), trades.forgotten());
    println!("redis killed: {forgotten} quotes forgotten");
    check_signatures(&signed, &endpoints(&replicas)).await;
    ledger::check(&redis, &signed);
}
