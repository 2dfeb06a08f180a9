//! Hedges are appended once each. Only for stores that keep an operator's stream.

use std::sync::Arc;

use firmquote_domain::{Hedge, Symbol, Timestamp, Usd};

use crate::{Actor, EventStream, HEDGE_RETENTION_SECONDS, HedgeOutcome, Store};

pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    if replicas.iter().all(|store| store.is_shared()) || replicas.len() == 1 {
        check_rules!(replicas, now; appends_a_repeated_hedge_once, refuses_another_hedge_of_the_same_id);
    }
}

fn hedge(id: &str, sold: &str, now: Timestamp) -> Hedge {
    let quantity = |text: &str| text.parse().expect("a quantity");
    let symbol = |text: &str| Symbol::new(text).expect("a symbol");
    Hedge {
        // The suite may run on the same server again.
        id: format!("{id}-{}", now.as_micros()).parse().expect("a name"),
        venue: "binance".parse().expect("a name"),
        sold: (symbol("ETH"), quantity(sold)),
        bought: (symbol("USDC"), quantity("3120.79")),
        price: Some(quantity("2080.53")),
        fee: Usd::new(7),
        executed_at: now.minus_seconds(5),
    }
}

async fn appends_a_repeated_hedge_once(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let (first, last) = (replicas.first().expect("a store"), replicas.last().expect("a store"));
    let Ok(start) = first.events(None, 1).await else { return };
    let hedge = hedge("once", "1.5", now);
    let actor = Actor { name: Some("hedger".to_owned()), ..Actor::default() };
    let store = async |store: &Arc<dyn Store>, now| store.store_hedge(&hedge, Some(&actor), now).await;
    // A store that keeps no operator's stream.
    let Ok(outcome) = store(first, now).await else { return };
    assert_eq!(outcome, HedgeOutcome::Stored);
    assert_eq!(store(last, now.plus_seconds(1)).await.expect("the store answers"), HedgeOutcome::Duplicate);
    let late = now.plus_seconds(HEDGE_RETENTION_SECONDS - 1);
    assert_eq!(store(first, late).await.expect("the store answers"), HedgeOutcome::Duplicate);
    let page = first.events(Some(&start.cursor), 10).await.expect("the store answers");
    let entries: Vec<_> = page.entries.iter().filter(|entry| entry.stream == EventStream::Operator).collect();
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    for member in ["\"event\":\"hedged\"", "\"hedge_id\":\"once-", "\"operator\":\"hedger\"", "\"1.5\"", "\"2080.53\""]
    {
        assert!(entry.line.contains(member), "{member} in {}", entry.line);
    }
}

async fn refuses_another_hedge_of_the_same_id(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let (first, last) = (replicas.first().expect("a store"), replicas.last().expect("a store"));
    let one = hedge("other", "1.5", now);
    let Ok(outcome) = first.store_hedge(&one, None, now).await else { return };
    assert_eq!(outcome, HedgeOutcome::Stored);
    let start = first.events(None, 1).await.expect("the store answers").cursor;
    for changed in [
        hedge("other", "1.50001", now),
        Hedge { price: None, ..one.clone() },
        Hedge { fee: Usd::new(8), ..one.clone() },
        Hedge { executed_at: now, ..one.clone() },
    ] {
        let outcome = last.store_hedge(&changed, None, now).await.expect("the store answers");
        assert_eq!(outcome, HedgeOutcome::Conflict);
    }
    let page = first.events(Some(&start), 10).await.expect("the store answers");
    assert!(page.entries.iter().all(|entry| entry.stream != EventStream::Operator), "{:?}", page.entries);
}
