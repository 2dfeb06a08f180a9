//! Concurrent calls: one set of terms wins, one signature stays, and no limit is exceeded.

use std::sync::Arc;

use firmquote_domain::{Client, Timestamp, Usd};

use super::{
    sample::{sample_quote, sample_signed, sample_terms},
    volume::trade,
};
use crate::{ClaimOutcome, ClaimRefusal, QuoteStore, VolumeCharge, VolumeOutcome};

/// Tasks that race for one quote.
const CONCURRENT_CALLS: u8 = 64;

pub(super) async fn check(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    grants_one_of_many_terms(replicas, now).await;
    keeps_one_of_many_signatures(replicas, now).await;
    admits_no_more_than_the_limits(replicas, now).await;
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
            ClaimOutcome::Granted(_) => winners.push(racer),
            answer => assert_eq!(answer, ClaimOutcome::Refused(ClaimRefusal::OtherTerms)),
        }
    }
    assert_eq!(winners.len(), 1, "one set of terms wins: {winners:?}");
}

async fn keeps_one_of_many_signatures(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    let quote = sample_quote(71, now);
    insert(replicas, 71, now).await;
    let store = replicas.first().expect("at least one store");
    let claimed = store.claim(quote.id, &quote.client, &sample_terms(1), now).await;
    assert_eq!(claimed.expect("the store answers"), ClaimOutcome::Granted(quote.clone()));
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

/// Two clients with limits of 12 trades each, at a pool with a limit of 20, over some seconds.
async fn admits_no_more_than_the_limits(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    let race = racers(replicas).map(|(racer, store)| {
        let client = Client::Named(if racer.is_multiple_of(2) { "even" } else { "odd" }.into());
        let (pool_limit, client_limit) = (Some(Usd::new(20)), Some(Usd::new(12)));
        let spending = VolumeCharge { client, pool_limit, client_limit, ..trade(70, 1, now) };
        let now = now.plus_seconds(u32::from(racer) % 5);
        tokio::spawn(async move { (racer % 2, store.charge_volume(&spending, now).await) })
    });
    let mut admitted = [0, 0];
    for racer in race.collect::<Vec<_>>() {
        let (client, answer) = racer.await.expect("no racer panics");
        if answer.expect("the store answers") == VolumeOutcome::Within {
            admitted.iter_mut().skip(client.into()).take(1).for_each(|count| *count += 1);
        }
    }
    assert_eq!(admitted.iter().sum::<u32>(), 20, "all that the pool allows, and no more: {admitted:?}");
    assert!(admitted.iter().all(|count| *count <= 12), "{admitted:?}");
}

async fn insert(replicas: &[Arc<dyn QuoteStore>], seed: u8, now: Timestamp) {
    let store = replicas.first().expect("at least one store");
    store.insert(&sample_quote(seed, now), now).await.expect("there is room");
}

/// Each racer with the store it uses.
fn racers(replicas: &[Arc<dyn QuoteStore>]) -> impl Iterator<Item = (u8, Arc<dyn QuoteStore>)> {
    (1..=CONCURRENT_CALLS).zip(replicas.iter().cloned().cycle())
}
