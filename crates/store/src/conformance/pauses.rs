//! Pauses set by one replica apply to all.

use std::{collections::BTreeSet, sync::Arc};

use firmquote_domain::{PoolId, Timestamp};

use super::sample::sample_pool;
use crate::Store;

/// None of the pools is paused afterwards.
pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    check_rules!(replicas, now; shares_pauses, keeps_what_many_set_at_once);
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
                setter.set_paused(pool, is_paused).await.expect("the store answers");
                expect(replicas, mine, expected).await;
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
            tokio::spawn(async move { store.set_paused(pool, is_paused).await.expect("the store answers") })
        });
        for set in setting.collect::<Vec<_>>() {
            set.await.expect("nobody panics");
        }
        expect(replicas, &pools, if is_paused { &pools } else { &[] }).await;
    }
}
