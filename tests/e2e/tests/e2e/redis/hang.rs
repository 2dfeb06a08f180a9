//! Redis hangs under load: connections stay open and requests get no reply.

use std::time::{Duration, Instant};

use firmquote_e2e::{
    load::{Load, check_signatures},
    replicas::{SharedStore, endpoints},
    service::Service,
};
use firmquote_test_servers::{
    patience::PATIENCE,
    redis::{Options, Server},
};
use tokio::time::sleep;

use crate::redis::setup::{BOUND, CLIENTS, SIGNATURES, check_answers, check_outage, print};

/// How long Redis hangs.
const HANG: Duration = Duration::from_secs(5);

/// Maximum memory growth of the service while Redis hangs, in KiB.
const GROWTH_KIB: u64 = 32 * 1_024;

/// Twice the time for which a response of `/readyz` is cached.
const CACHED: Duration = Duration::from_secs(2);

/// Observations of the service while Redis hangs.
struct Observations {
    max_kib: u64,
    /// Responses after the cached ones had expired.
    readiness: Vec<u16>,
}

async fn watch(service: &Service, suspended: Instant) -> Observations {
    let mut observations = Observations { max_kib: 0, readiness: Vec::new() };
    while suspended.elapsed() < HANG {
        let start = Instant::now();
        let answer = service.admin().get("/readyz").await.expect("an answer");
        assert!(start.elapsed() < BOUND, "readiness took {:?}", start.elapsed());
        if start > suspended + CACHED {
            observations.readiness.push(answer.status);
        }
        observations.max_kib = observations.max_kib.max(service.resident_kib());
        sleep(Duration::from_millis(100)).await;
    }
    observations
}

/// Waits until `/readyz` returns 200; an earlier response is cached for a while.
async fn wait_until_ready(service: &Service) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = service.admin().get("/readyz").await.expect("an answer");
        if answer.status == 200 {
            return;
        }
        assert!(Instant::now() < deadline, "{answer:?}");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hung_redis_delays_requests_briefly_and_is_used_again_once_it_recovers() {
    let mut redis = Server::start(Options::default());
    let replicas = SharedStore::from_server(&redis).replicas(1);
    let service = &replicas[0];
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SIGNATURES).await;
    assert_eq!(service.admin().get("/readyz").await.expect("an answer").status, 200);
    let before_kib = service.resident_kib();
    redis.suspend();
    let suspended = Instant::now();
    let observations = watch(service, suspended).await;
    let resumed = Instant::now();
    redis.resume();
    let success = load.first_success_after(resumed).await;
    load.wait_for_signatures(SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("redis hung", &trades, &journal);
    println!("redis hung: {before_kib} KiB before, at most {} KiB during the hang", observations.max_kib);
    println!("redis hung: the first 200 came {success:?} after it was resumed");
    check_answers(&journal);
    check_outage(&journal, suspended, resumed);
    assert!(observations.readiness.iter().all(|status| *status == 503), "{:?}", observations.readiness);
    assert!(observations.max_kib < before_kib + GROWTH_KIB, "{before_kib} KiB grew to {}", observations.max_kib);
    wait_until_ready(service).await;
    check_signatures(&trades.all_signed(), &endpoints(&replicas)).await;
}
