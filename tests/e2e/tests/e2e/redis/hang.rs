//! Redis hangs under load: connections stay open and nothing answers.

use std::time::{Duration, Instant};

use firmquote_e2e::{
    load::{Load, ask_again},
    replicas::{SharedStore, endpoints},
    service::Service,
};
use firmquote_test_servers::{
    patience::PATIENCE,
    redis::{Options, Server},
};
use tokio::time::sleep;

use crate::redis::setup::{BOUND, CLIENTS, SOME, check_answers, check_outage, print};

/// How long Redis hangs.
const HANG: Duration = Duration::from_secs(5);

/// What the service may need more than before while it hangs, in KiB.
const GROWTH_KIB: u64 = 32 * 1_024;

/// How long an answer of `/readyz` is shared, and as long again.
const SHARED: Duration = Duration::from_secs(2);

/// What was seen of the service meanwhile.
struct Seen {
    most_kib: u64,
    /// Answers to those who asked when none from before could be shared any more.
    readiness: Vec<u16>,
}

async fn watch(service: &Service, suspended: Instant) -> Seen {
    let mut seen = Seen { most_kib: 0, readiness: Vec::new() };
    while suspended.elapsed() < HANG {
        let asked = Instant::now();
        let answer = service.admin().get("/readyz").await.expect("an answer");
        assert!(asked.elapsed() < BOUND, "readiness took {:?}", asked.elapsed());
        if asked > suspended + SHARED {
            seen.readiness.push(answer.status);
        }
        seen.most_kib = seen.most_kib.max(service.resident_kib());
        sleep(Duration::from_millis(100)).await;
    }
    seen
}

/// Waits until `/readyz` says so; the answer from before is shared for a while.
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
    let replicas = SharedStore::of_server(&redis).replicas(1);
    let service = &replicas[0];
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(SOME).await;
    assert_eq!(service.admin().get("/readyz").await.expect("an answer").status, 200);
    let before_kib = service.resident_kib();
    redis.suspend();
    let suspended = Instant::now();
    let seen = watch(service, suspended).await;
    let resumed = Instant::now();
    redis.resume();
    let success = load.first_success_after(resumed).await;
    load.wait_for_signatures(SOME).await;
    let (trades, journal) = load.finish().await;
    print("redis hung", &trades, &journal);
    println!("redis hung: {before_kib} KiB before, at most {} KiB meanwhile", seen.most_kib);
    println!("redis hung: the first 200 came {success:?} after it went on");
    check_answers(&journal);
    check_outage(&journal, suspended, resumed);
    assert!(seen.readiness.iter().all(|status| *status == 503), "{:?}", seen.readiness);
    assert!(seen.most_kib < before_kib + GROWTH_KIB, "{before_kib} KiB grew to {}", seen.most_kib);
    wait_until_ready(service).await;
    ask_again(&trades.all_signed(), &endpoints(&replicas)).await;
}
