//! Estimates stored by one replica are read by all.

use std::{collections::BTreeMap, sync::Arc};

use firmquote_domain::Timestamp;

use crate::Store;

pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    check_rules!(replicas, now; shares_estimates);
}

async fn shares_estimates(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let mut expected = BTreeMap::new();
    for (round, store) in replicas.iter().cycle().take(2 * replicas.len()).enumerate() {
        expected.insert("contract:ETH=1.5:0.3".to_owned(), format!("{round} 1 2 3"));
        expected.insert(format!("contract:{round}"), "4 5".to_owned());
        store.store_estimates(&expected, now).await.expect("the store answers");
        for reader in replicas {
            let found = reader.estimates().await.expect("the store answers");
            assert!(expected.iter().all(|(name, estimate)| found.get(name) == Some(estimate)), "{found:?}");
        }
    }
}
