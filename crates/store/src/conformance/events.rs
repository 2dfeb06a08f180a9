//! The entries of a store as a feed reads them. Only for stores that keep any.

use std::sync::Arc;

use firmquote_domain::{SwapOutcome, Timestamp};

use super::sample::{sample_pool, sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms};
use crate::{EventCursor, EventStream, OperatorEntry, OperatorEvent, Store};

pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    if replicas.iter().all(|store| store.is_shared()) || replicas.len() == 1 {
        check_rules!(replicas, now; tells_events_in_order_from_every_cursor, gives_one_dispatcher_the_positions_of_deliveries);
    }
}

async fn tells_events_in_order_from_every_cursor(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let first = replicas.first().expect("a store");
    let Ok(start) = first.events(None, 1).await else { return };
    assert!(start.entries.is_empty() && !start.is_reset);
    let signed = sample_signed(&sample_quote(201, now), sample_terms(7), 1);
    let (swap, settlement) = (sample_swap(&signed), SwapOutcome::Settled(sample_settlement(&signed)));
    let pool = sample_pool(81, now);
    let entry = |event| OperatorEntry { event, actor: None, recorded_at: now };
    for store in replicas.iter().cycle().take(2) {
        store.append_entry(&entry(OperatorEvent::Paused(pool))).await.expect("the store answers");
        store.set_outcome(&swap, Some(settlement), now).await.expect("the store answers");
        store.append_entry(&entry(OperatorEvent::Resumed(pool))).await.expect("the store answers");
        store.set_outcome(&swap, None, now).await.expect("the store answers");
    }
    let event = |line: &str| line.split('"').nth(3).expect("an event").to_owned();
    let (mut cursor, mut entries) = (start.cursor.clone(), Vec::new());
    loop {
        let page = first.events(Some(&cursor), 3).await.expect("the store answers");
        assert!(!page.is_reset);
        if page.entries.is_empty() {
            assert_eq!(page.cursor, cursor);
            break;
        }
        cursor = page.cursor;
        entries.extend(page.entries);
    }
    let of = |stream| entries.iter().filter(move |entry| entry.stream == stream).map(|entry| event(&entry.line));
    assert_eq!(of(EventStream::Operator).collect::<Vec<_>>(), ["paused", "resumed", "paused", "resumed"]);
    // A swap that is not stored has no outcome before.
    let outcomes: Vec<String> = of(EventStream::Ledger).collect();
    assert!(outcomes.starts_with(&["settled".to_owned()]) && outcomes.len() >= 2, "{outcomes:?}");
    for (position, entry) in entries.iter().enumerate() {
        let rest = first.events(Some(&entry.cursor), 100).await.expect("the store answers");
        assert!(
            !rest.is_reset
                && rest.entries.iter().all(|later| entries.iter().skip(position).any(|one| one.line == later.line))
        );
    }
    let other = EventCursor { generation: "f".repeat(32), ..start.cursor };
    let reset = first.events(Some(&other), 3).await.expect("the store answers");
    assert_eq!((reset.is_reset, reset.entries.len(), reset.cursor), (true, 0, cursor));
}

async fn gives_one_dispatcher_the_positions_of_deliveries(replicas: &[Arc<dyn Store>], _now: Timestamp) {
    let (first, last) = (replicas.first().expect("a store"), replicas.last().expect("a store"));
    let Ok(page) = first.events(None, 1).await else { return };
    assert!(first.lease_deliveries("one").await.expect("the store answers").is_some());
    assert!(first.store_delivered("one", "endpoint", &page.cursor).await.expect("the store answers"));
    let positions = last.lease_deliveries("one").await.expect("the store answers").expect("the lease");
    assert_eq!(positions.get("endpoint"), Some(&page.cursor));
    if last.is_shared() {
        assert_eq!(last.lease_deliveries("other").await.expect("the store answers"), None);
        assert!(!last.store_delivered("other", "endpoint", &EventCursor::default()).await.expect("the store answers"));
        let positions = first.lease_deliveries("one").await.expect("the store answers").expect("the lease");
        assert_eq!(positions.get("endpoint"), Some(&page.cursor));
    }
}
