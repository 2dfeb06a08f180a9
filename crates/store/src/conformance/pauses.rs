//! Pauses set by one replica apply to all.

use std::{collections::BTreeSet, sync::Arc};

use firmquote_domain::{Address, PoolId, Timestamp};

use super::sample::sample_pool;
use crate::{Actor, Breaker, BreakerStep, OperatorEntry, OperatorEvent, PoolSample, Store, Trip, TripKey};

/// None of the pools is paused afterwards.
pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    check_rules!(replicas, now; shares_pauses, shares_revocations, keeps_what_many_set_at_once, trips_once, keeps_samples);
}

async fn shares_pauses(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let (one, two) = (sample_pool(1, now), sample_pool(2, now));
    let mine = &[one, two];
    expect(replicas, mine, &[]).await;
    for setter in replicas {
        // Each step twice: setting the current value changes nothing.
        for (pool, is_paused, expected) in [
            (one, false, &[][..]),
            (one, true, &[one]),
            (two, true, &[one, two]),
            (one, false, &[two]),
            (two, false, &[]),
        ] {
            for _ in 0..2 {
                setter.set_paused(pool, is_paused, None, now).await.expect("the store answers");
                expect(replicas, mine, expected).await;
            }
        }
    }
}

async fn shares_revocations(replicas: &[Arc<dyn Store>], now: Timestamp) {
    // The suite may run on the same server again.
    let [one, two] = ["one", "two"].map(|name| format!("{name}-{}", now.as_micros()));
    let entry = OperatorEntry {
        event: OperatorEvent::Credentials { replica: None, changes: Vec::new() },
        actor: None,
        recorded_at: now,
    };
    for setter in replicas {
        for (credential, is_revoked, expected) in
            [(&one, true, &[&one][..]), (&two, true, &[&one, &two]), (&one, false, &[&two]), (&two, false, &[])]
        {
            for _ in 0..2 {
                setter.set_revoked(credential, is_revoked, Some(&entry)).await.expect("the store answers");
                for store in replicas {
                    let revoked = store.paused().await.expect("the store answers").revoked;
                    let revoked: Vec<_> = revoked.iter().filter(|id| [&one, &two].contains(id)).collect();
                    assert_eq!(revoked, expected);
                }
            }
        }
    }
}

async fn expect(replicas: &[Arc<dyn Store>], mine: &[PoolId], expected: &[PoolId]) {
    for store in replicas {
        let paused = store.paused().await.expect("the store answers");
        let paused: Vec<_> = paused.pools.into_iter().filter(|pool| mine.contains(pool)).collect();
        assert_eq!(paused, expected.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
    }
}

async fn keeps_what_many_set_at_once(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let pools: Vec<_> = (3..67).map(|number| sample_pool(number, now)).collect();
    for is_paused in [true, false] {
        let setting = pools.iter().copied().zip(replicas.iter().cloned().cycle()).map(|(pool, store)| {
            tokio::spawn(async move { store.set_paused(pool, is_paused, None, now).await.expect("the store answers") })
        });
        for set in setting.collect::<Vec<_>>() {
            set.await.expect("nobody panics");
        }
        expect(replicas, &pools, if is_paused { &pools } else { &[] }).await;
    }
}

/// A trip takes effect once, a further step replaces it, and only a resume ends a pause.
async fn trips_once(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let [pool, other] = [71, 72].map(|number| sample_pool(number, now));
    let trip = |pool, token, step| Trip {
        key: TripKey { pool, breaker: Breaker::Outflow, token },
        step,
        figures: format!("9 % of \"{pool}\" left"),
        at: now,
    };
    let [widened, paused] = [BreakerStep::Widen, BreakerStep::Pause].map(|step| trip(pool, None, step));
    let of_token = trip(other, Some(Address::repeat_byte(7)), BreakerStep::Pause);
    let entry = |event| OperatorEntry { event, actor: None, recorded_at: now };
    for setter in replicas {
        for (trip, is_new) in
            [(&widened, true), (&widened, false), (&paused, true), (&widened, false), (&paused, false)]
        {
            let tripped = setter.trip(trip, Some(&entry(OperatorEvent::Tripped(trip.clone())))).await;
            assert_eq!(tripped.expect("the store answers"), is_new, "{trip:?}");
        }
        assert!(setter.trip(&of_token, None).await.expect("the store answers"), "a token alone pauses no pool");
        expect(replicas, &[pool, other], &[pool]).await;
        for store in replicas {
            let read = store.paused().await.expect("the store answers");
            let [of_pool, of_other] = [&paused, &of_token].map(|trip| read.trips.get(&trip.key));
            assert_eq!((of_pool, of_other), (Some(&paused), Some(&of_token)));
        }
        let ended = entry(OperatorEvent::Ended(widened.clone()));
        assert!(!setter.end_trip(&widened, &ended).await.expect("the store answers"), "it is not the one in effect");
        assert!(setter.end_trip(&of_token, &ended).await.expect("the store answers"));
        let actor = Actor { name: Some("ada".to_owned()), address: None, reason: Some("looked at it".to_owned()) };
        let resumed = OperatorEntry { actor: Some(actor), ..entry(OperatorEvent::Resumed(pool)) };
        setter.set_paused(pool, false, Some(&resumed), now).await.expect("the store answers");
        expect(replicas, &[pool, other], &[]).await;
        for store in replicas {
            let read = store.paused().await.expect("the store answers");
            assert!(!read.trips.contains_key(&paused.key) && !read.trips.contains_key(&of_token.key));
            assert_eq!(read.resumed.get(&pool), Some(&now));
        }
        setter.append_entry(&resumed).await.expect("the store answers");
    }
}

/// One sample for each interval, in order, until the pool is resumed.
async fn keeps_samples(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let pool = sample_pool(73, now);
    let start = now.minus_seconds(60);
    let sample = |number: u64, seconds| PoolSample {
        block_number: number,
        block_hash: [u8::try_from(number).expect("a byte"); 32].into(),
        block_time: start.plus_seconds(seconds),
        balances: vec![firmquote_domain::U256::MAX, firmquote_domain::U256::from(number)],
        pool_tokens: firmquote_domain::U256::from(1_000),
    };
    let interval = PoolSample::INTERVAL_SECONDS;
    for store in replicas {
        for (number, seconds) in [(1, 0), (2, interval), (1, 0), (4, 3 * interval)] {
            store.store_sample(pool, &sample(number, seconds)).await.expect("the store answers");
        }
    }
    for store in replicas {
        let read = store.samples(pool, start).await.expect("the store answers");
        assert_eq!(read, [sample(1, 0), sample(2, interval), sample(4, 3 * interval)]);
        let later = store.samples(pool, start.plus_seconds(interval + 1)).await.expect("the store answers");
        assert_eq!(later, [sample(4, 3 * interval)]);
    }
    for store in replicas {
        store.set_paused(pool, false, None, now).await.expect("the store answers");
        assert_eq!(store.samples(pool, start).await.expect("the store answers"), []);
    }
}
