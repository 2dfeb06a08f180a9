//! Concurrent calls: one set of terms wins, one signature stays, and no limit is exceeded.

use std::sync::Arc;

use firmquote_domain::{Client, Timestamp, Usd};

use super::{
    sample::{SampleCommitment, sample_quote, sample_signed, sample_terms},
    volume::{charge_volume, trade},
};
use crate::{CommitOutcome, CommitRefusal, PrepareOutcome, QuoteRefusal, Store, VolumeCharge};

/// Tasks that race for one quote.
const CONCURRENT_CALLS: u8 = 64;

pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    check_rules!(
        replicas, now;
        binds_one_of_many_terms,
        records_one_of_many_signatures,
        admits_no_more_than_the_limits,
    );
}

async fn binds_one_of_many_terms(replicas: &[Arc<dyn Store>], now: Timestamp) {
    insert(replicas, 70, now).await;
    let race = racers(replicas).map(|(racer, store)| {
        let commitment = SampleCommitment::new(sample_signed(&sample_quote(70, now), sample_terms(racer), racer));
        tokio::spawn(async move { (racer, commitment.prepare(&*store, now).await) })
    });
    let mut winners = Vec::new();
    for racer in race.collect::<Vec<_>>() {
        let (racer, answer) = racer.await.expect("no racer panics");
        let other_terms = CommitRefusal::Quote(QuoteRefusal::OtherTerms);
        match answer {
            PrepareOutcome::Prepared => winners.push(racer),
            answer => assert_eq!(answer, PrepareOutcome::Refused(other_terms)),
        }
    }
    assert_eq!(winners.len(), 1, "one set of terms wins: {winners:?}");
}

async fn records_one_of_many_signatures(replicas: &[Arc<dyn Store>], now: Timestamp) {
    insert(replicas, 71, now).await;
    let race = racers(replicas).map(|(racer, store)| {
        // All without bounds, which are terms as well.
        let byte = if racer.is_multiple_of(6) { 1 } else { racer };
        let commitment = SampleCommitment::new(sample_signed(&sample_quote(71, now), sample_terms(1), byte));
        tokio::spawn(async move { commitment.commit(&*store, now).await })
    });
    let mut answers = Vec::new();
    for racer in race.collect::<Vec<_>>() {
        match racer.await.expect("no racer panics") {
            CommitOutcome::Recorded { signed, .. } | CommitOutcome::AlreadySigned(signed) => answers.push(signed),
            CommitOutcome::Refused(refusal) => panic!("{refusal:?}"),
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "every racer gets the signature that stays");
}

/// Two clients with limits of 12 trades each, at a pool with a limit of 20, over some seconds.
async fn admits_no_more_than_the_limits(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let race = racers(replicas).map(|(racer, store)| {
        let client = Client::Named(if racer.is_multiple_of(2) { "even" } else { "odd" }.into());
        let (pool_limit, client_limit) = (Some(Usd::new(20)), Some(Usd::new(12)));
        let spending = VolumeCharge { client, pool_limit, client_limit, ..trade(70, 1, now) };
        let now = now.plus_seconds(u32::from(racer) % 5);
        tokio::spawn(async move { (racer % 2, charge_volume(&*store, &spending, now).await) })
    });
    let mut admitted = [0, 0];
    for racer in race.collect::<Vec<_>>() {
        let (client, answer) = racer.await.expect("no racer panics");
        if answer.is_ok() {
            admitted.iter_mut().skip(client.into()).take(1).for_each(|count| *count += 1);
        }
    }
    assert_eq!(admitted.iter().sum::<u32>(), 20, "all that the pool allows, and no more: {admitted:?}");
    assert!(admitted.iter().all(|count| *count <= 12), "{admitted:?}");
}

async fn insert(replicas: &[Arc<dyn Store>], seed: u8, now: Timestamp) {
    let store = replicas.first().expect("at least one store");
    store.insert(&sample_quote(seed, now), now).await.expect("there is room");
}

/// Each racer with the store it uses.
fn racers(replicas: &[Arc<dyn Store>]) -> impl Iterator<Item = (u8, Arc<dyn Store>)> {
    (1..=CONCURRENT_CALLS).zip(replicas.iter().cloned().cycle())
}
