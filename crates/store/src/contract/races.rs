//! Many at once: one set of terms wins, and one signature stays.

use std::sync::Arc;

use firmquote_domain::Timestamp;

use super::sample::{sample_quote, sample_signed, sample_terms};
use crate::{Claim, QuoteStore};

/// How many tasks race for one quote.
const RACERS: u8 = 64;

pub(super) async fn check(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    grants_one_of_many_terms(replicas, now).await;
    keeps_one_of_many_signatures(replicas, now).await;
}

async fn grants_one_of_many_terms(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    let quote = sample_quote(70, now);
    insert(replicas, 70, now).await;
    let race = racers(replicas).map(|(racer, store)| {
        let quote = quote.clone();
        tokio::spawn(async move { (racer, store.claim(quote.id, &quote.client, &sample_terms(racer), now).await) })
    });
    let mut winners = Vec::new();
    for racer in race.collect::<Vec<_>>() {
        let (racer, answer) = racer.await.expect("no racer panics");
        match answer.expect("the store answers") {
            Claim::Granted(_) => winners.push(racer),
            answer => assert_eq!(answer, Claim::OtherTerms),
        }
    }
    assert_eq!(winners.len(), 1, "one set of terms wins: {winners:?}");
}

async fn keeps_one_of_many_signatures(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    let quote = sample_quote(71, now);
    insert(replicas, 71, now).await;
    let race = racers(replicas).map(|(racer, store)| {
        let signed = sample_signed(&quote, sample_terms(1), racer);
        tokio::spawn(async move { store.record(signed, now).await })
    });
    let mut answers = Vec::new();
    for racer in race.collect::<Vec<_>>() {
        answers.push(racer.await.expect("no racer panics").expect("there is room"));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "every racer gets the signature that stays");
}

async fn insert(replicas: &[Arc<dyn QuoteStore>], seed: u8, now: Timestamp) {
    let store = replicas.first().expect("at least one store");
    store.insert(&sample_quote(seed, now), now).await.expect("there is room");
}

/// Each racer with the store it goes through.
fn racers(replicas: &[Arc<dyn QuoteStore>]) -> impl Iterator<Item = (u8, Arc<dyn QuoteStore>)> {
    (1..=RACERS).zip(replicas.iter().cloned().cycle())
}
