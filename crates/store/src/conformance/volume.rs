//! Volume limits: no minute exceeds the limit of a pool or of a client.

use firmquote_domain::{Client, Timestamp, Usd};

use super::sample::{Replicas, SampleCommitment, sample_pool};
use crate::{CommitOutcome, CommitRefusal, LimitExceeded, Store, VolumeCharge, VolumeRefusal};

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(
        store, now;
        admits_the_very_limit_and_no_step_more,
        counts_nothing_where_one_side_refuses,
        slides_by_whole_seconds,
        frees_nothing_when_a_clock_is_set_back,
        names_the_side_that_takes_longer,
        keeps_pools_and_clients_apart,
        keeps_nothing_without_a_limit,
        is_exact_for_the_largest_amounts,
    );
}

/// A trade of an anonymous client at the pool of the given number, without limits.
pub(super) fn trade(pool: u8, steps: u64, now: Timestamp) -> VolumeCharge {
    let (pool, client) = (sample_pool(pool, now), Client::Anonymous);
    VolumeCharge { pool, client, value: Usd::new(steps), pool_limit: None, client_limit: None }
}

fn pool_trade(pool: u8, steps: u64, limit: u64, now: Timestamp) -> VolumeCharge {
    VolumeCharge { pool_limit: Some(Usd::new(limit)), ..trade(pool, steps, now) }
}

fn excess(signed: u64, retry_after_seconds: impl Into<Option<u32>>) -> LimitExceeded {
    LimitExceeded { signed: Usd::new(signed), retry_after_seconds: retry_after_seconds.into() }
}

/// Charges a trade, with the signature of a quote of its own.
pub(super) async fn charge_volume(
    store: &dyn Store,
    charge: &VolumeCharge,
    now: Timestamp,
) -> Result<(), VolumeRefusal> {
    let commitment = SampleCommitment { charge: Some(charge.clone()), ..SampleCommitment::fresh(now) };
    match commitment.commit(store, now).await {
        CommitOutcome::Recorded { .. } => Ok(()),
        CommitOutcome::Refused(CommitRefusal::Volume(refusal)) => Err(refusal),
        outcome => panic!("only the volume can refuse it: {outcome:?}"),
    }
}

impl Replicas<'_> {
    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<(), VolumeRefusal> {
        charge_volume(self.next(), charge, now).await
    }
}

async fn admits_the_very_limit_and_no_step_more(store: &Replicas<'_>, now: Timestamp) {
    let at_most = |steps, limit| pool_trade(1, steps, limit, now);
    assert_eq!(
        store.charge_volume(&at_most(101, 100), now).await,
        Err(VolumeRefusal::PoolLimit(excess(0, None))),
        "it exceeds the limit alone"
    );
    assert_eq!(store.charge_volume(&at_most(60, 100), now).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(41, 100), now).await, Err(VolumeRefusal::PoolLimit(excess(60, 61))));
    assert_eq!(store.charge_volume(&at_most(40, 100), now).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(0, 100), now).await, Ok(()), "nothing is always within");
    assert_eq!(store.charge_volume(&at_most(1, 100), now).await, Err(VolumeRefusal::PoolLimit(excess(100, 61))));
    assert_eq!(store.charge_volume(&at_most(1, 101), now).await, Ok(()), "the limit is that of the moment");
    assert_eq!(store.charge_volume(&at_most(0, 100), now).await, Err(VolumeRefusal::PoolLimit(excess(101, 61))));
}

async fn counts_nothing_where_one_side_refuses(store: &Replicas<'_>, now: Timestamp) {
    let at_most = |steps, pool_limit, client_limit| VolumeCharge {
        pool_limit: Some(Usd::new(pool_limit)),
        client_limit: Some(Usd::new(client_limit)),
        ..trade(2, steps, now)
    };
    assert_eq!(store.charge_volume(&at_most(50, 100, 100), now).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(20, 100, 60), now).await, Err(VolumeRefusal::ClientLimit(excess(50, 61))));
    assert_eq!(store.charge_volume(&at_most(20, 60, 100), now).await, Err(VolumeRefusal::PoolLimit(excess(50, 61))));
    assert_eq!(
        store.charge_volume(&at_most(51, 100, 100), now).await,
        Err(VolumeRefusal::ClientLimit(excess(50, 61))),
        "both, nothing counted"
    );
    assert_eq!(store.charge_volume(&at_most(50, 100, 100), now).await, Ok(()));
}

async fn slides_by_whole_seconds(store: &Replicas<'_>, now: Timestamp) {
    let start = now.seconds().get();
    let at = |seconds: u32, micros: u64| {
        Timestamp::from_micros(Timestamp::from_seconds(start).plus_seconds(seconds).as_micros() + micros)
    };
    let at_most = |steps| pool_trade(3, steps, 100, now);
    for (seconds, micros, steps) in [(0, 0, 10), (0, 999_999, 50), (10, 0, 25), (10, 500_000, 15)] {
        assert_eq!(store.charge_volume(&at_most(steps), at(seconds, micros)).await, Ok(()));
    }
    for (seconds, micros, wait) in [(10, 999_999, 51), (11, 0, 50), (60, 0, 1), (60, 999_999, 1)] {
        let refused = store.charge_volume(&at_most(60), at(seconds, micros)).await;
        assert_eq!(refused, Err(VolumeRefusal::PoolLimit(excess(100, wait))), "{seconds} s {micros} us");
    }
    assert_eq!(store.charge_volume(&at_most(61), at(61, 0)).await, Err(VolumeRefusal::PoolLimit(excess(40, 10))));
    assert_eq!(store.charge_volume(&at_most(60), at(61, 0)).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(1), at(70, 999_999)).await, Err(VolumeRefusal::PoolLimit(excess(100, 1))));
    assert_eq!(store.charge_volume(&at_most(40), at(71, 0)).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(100), at(1_000, 0)).await, Ok(()), "all of it is long over");
    assert_eq!(store.charge_volume(&at_most(1), at(1_000, 0)).await, Err(VolumeRefusal::PoolLimit(excess(100, 61))));
}

async fn frees_nothing_when_a_clock_is_set_back(store: &Replicas<'_>, now: Timestamp) {
    let at_most = |steps| pool_trade(4, steps, 100, now);
    assert_eq!(store.charge_volume(&at_most(10), now).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(60), now.plus_seconds(45)).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(30), now).await, Ok(()), "counted with the newest");
    assert_eq!(
        store.charge_volume(&at_most(1), now.plus_seconds(20)).await,
        Err(VolumeRefusal::PoolLimit(excess(100, 16)))
    );
    assert_eq!(
        store.charge_volume(&at_most(11), now.plus_seconds(61)).await,
        Err(VolumeRefusal::PoolLimit(excess(90, 45)))
    );
    assert_eq!(store.charge_volume(&at_most(10), now.plus_seconds(61)).await, Ok(()));
    assert_eq!(store.charge_volume(&at_most(90), now.plus_seconds(106)).await, Ok(()));
}

async fn names_the_side_that_takes_longer(store: &Replicas<'_>, now: Timestamp) {
    let named = |name: &str, steps, pool_limit, client_limit| VolumeCharge {
        client: Client::Named(name.into()),
        pool_limit: Some(Usd::new(pool_limit)),
        client_limit: Some(Usd::new(client_limit)),
        ..trade(5, steps, now)
    };
    assert_eq!(store.charge_volume(&named("acme", 10, 100, 100), now).await, Ok(()));
    assert_eq!(store.charge_volume(&named("other", 90, 100, 100), now.plus_seconds(30)).await, Ok(()));
    let later = now.plus_seconds(40);
    for (steps, client_limit, expected) in [
        // The pool has room in 21 seconds, the client in 21.
        (10, 10, Err(VolumeRefusal::ClientLimit(excess(10, 21)))),
        // The pool in 51, the client in 21.
        (11, 11, Err(VolumeRefusal::PoolLimit(excess(100, 51)))),
        // The pool in 51, the client never.
        (11, 10, Err(VolumeRefusal::ClientLimit(excess(10, None)))),
    ] {
        assert_eq!(store.charge_volume(&named("acme", steps, 100, client_limit), later).await, expected);
    }
}

async fn keeps_pools_and_clients_apart(store: &Replicas<'_>, now: Timestamp) {
    let pools = [sample_pool(6, now), sample_pool(7, now)];
    // Names that a careless store would confuse with other totals.
    let names = ["", "acme", "acme2", "anonymous", "all", "client:acme", "}{", "a b\n1 1\n", "ü\u{1f4a7}"];
    let clients: Vec<_> = [Client::Anonymous].into_iter().chain(names.map(|name| Client::Named(name.into()))).collect();
    let sides = || pools.iter().flat_map(|pool| clients.iter().map(move |client| (*pool, client.clone())));
    for (pool, client) in sides() {
        let limit = Some(Usd::new(10));
        let first = VolumeCharge { pool, client, client_limit: limit, ..trade(6, 10, now) };
        assert_eq!(store.charge_volume(&first, now).await, Ok(()), "{first:?}");
    }
    for (pool, client) in sides() {
        let second = VolumeCharge { pool, client, client_limit: Some(Usd::new(10)), ..trade(6, 1, now) };
        assert_eq!(
            store.charge_volume(&second, now).await,
            Err(VolumeRefusal::ClientLimit(excess(10, 61))),
            "{second:?}"
        );
    }
    assert_eq!(store.charge_volume(&pool_trade(6, 10, 10, now), now).await, Ok(()), "the pool had no limit before");
}

async fn keeps_nothing_without_a_limit(store: &Replicas<'_>, now: Timestamp) {
    assert_eq!(store.charge_volume(&trade(8, u64::MAX, now), now).await, Ok(()));
    assert_eq!(store.charge_volume(&pool_trade(8, 1, 1, now), now).await, Ok(()));
    let client_trade = VolumeCharge { client_limit: Some(Usd::new(1)), ..trade(8, 1, now) };
    assert_eq!(store.charge_volume(&client_trade, now).await, Ok(()), "the client had no limit before");
    assert_eq!(store.charge_volume(&client_trade, now).await, Err(VolumeRefusal::ClientLimit(excess(1, 61))));
}

/// No step is lost above 2^53, where doubles are no longer exact, nor at the end of the 64-bit range.
async fn is_exact_for_the_largest_amounts(store: &Replicas<'_>, now: Timestamp) {
    for (pool, limit) in [(9, (1 << 53) + 3), (10, 9_000_000_000_000_000_003), (11, (1 << 63) + 1), (12, u64::MAX)] {
        let at_most = |steps| pool_trade(pool, steps, limit, now);
        assert_eq!(store.charge_volume(&at_most(limit / 2), now).await, Ok(()));
        assert_eq!(store.charge_volume(&at_most(limit - limit / 2 - 2), now.plus_seconds(1)).await, Ok(()));
        assert_eq!(store.charge_volume(&at_most(1), now.plus_seconds(1)).await, Ok(()));
        assert_eq!(store.charge_volume(&at_most(2), now).await, Err(VolumeRefusal::PoolLimit(excess(limit - 1, 60))));
        assert_eq!(store.charge_volume(&at_most(1), now.plus_seconds(1)).await, Ok(()));
        for steps in [1, limit] {
            let wait = if steps == 1 { 60 } else { 61 };
            assert_eq!(
                store.charge_volume(&at_most(steps), now).await,
                Err(VolumeRefusal::PoolLimit(excess(limit, wait))),
                "{steps} of {limit}"
            );
        }
    }
}
