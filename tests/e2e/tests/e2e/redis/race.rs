//! Many clients concurrently request the signature of one quote, each for its own terms from another replica.

use std::time::Instant;

use firmquote_domain::Address;
use firmquote_e2e::{
    endpoint::{Endpoint, Response},
    load::{destination, quote, sign},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::redis::{Options, Server};
use tokio::task::JoinSet;

/// Number of quotes.
const ROUNDS: u64 = 200;

/// Number of clients per quote.
const RACERS: u64 = 64;

const OTHER_TERMS: &str = "the quote is already signed for other terms";

/// Sends the requests of all clients concurrently, and returns the responses.
async fn race(replicas: &[Endpoint], quote_id: &str, round: u64) -> Vec<(Address, Response)> {
    let mut racers = JoinSet::new();
    for (replica, racer) in replicas.iter().cycle().zip(round * RACERS..(round + 1) * RACERS) {
        let (replica, quote_id, destination) = (replica.clone(), quote_id.to_owned(), destination(racer));
        racers.spawn(async move {
            (destination, sign(&replica, &quote_id, destination).await.expect("a replica that runs"))
        });
    }
    racers.join_all().await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_destinations_over_three_replicas_one_wins_everywhere() {
    let redis = Server::start(Options::default());
    // With this timeout even a slow machine causes no 503.
    let replicas = SharedStore { timeout_ms: 10_000, ..SharedStore::from_server(&redis) }.replicas(3);
    let (replicas, start) = (endpoints(&replicas), Instant::now());
    for (round, quoting) in (0..ROUNDS).zip(replicas.iter().cycle()) {
        let quote = quote(quoting).await.expect("a replica that runs").ok();
        let quote_id = quote["id"].as_str().expect("an id");
        let (won, lost): (Vec<_>, Vec<_>) =
            race(&replicas, quote_id, round).await.into_iter().partition(|(_, answer)| answer.status == 200);
        let [(winner, won)] = won.as_slice() else { panic!("{} destinations won: {won:?}", won.len()) };
        assert_eq!(won.body["destination_address"], winner.to_string());
        for (_, answer) in &lost {
            assert_eq!((answer.status, &answer.body["errorMessage"]), (400, &OTHER_TERMS.into()), "{answer:?}");
        }
        for (replica, (loser, _)) in replicas.iter().zip(&lost) {
            let repeated = sign(replica, quote_id, *winner).await.expect("a replica that runs");
            assert_eq!((repeated.status, repeated.text), (200, won.text.clone()));
            let refused = sign(replica, quote_id, *loser).await.expect("a replica that runs");
            assert_eq!((refused.status, &refused.body["errorCode"]), (400, &409.into()), "{refused:?}");
        }
    }
    println!("race: {ROUNDS} rounds of {RACERS} destinations in {:?}", start.elapsed());
}
