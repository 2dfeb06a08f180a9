//! The ledger in Redis, as the service reads it again.

use std::ops::Range;

use firmquote_domain::Timestamp;
use firmquote_outbound::error_chain;
use firmquote_store::{
    EventStream,
    ledger::LedgerEvent,
    redis::{LedgerCursor, RedisStore},
};

/// Entries per request.
const ENTRIES_PER_PAGE: usize = 1_000;

/// Returns the time of the first entry; `None` for an empty ledger.
///
/// # Errors
/// The reason why it cannot be read.
pub(crate) async fn ledger_begins_at(store: &RedisStore) -> Result<Option<Timestamp>, String> {
    let whole = Timestamp::from_micros(0)..Timestamp::from_micros(u64::MAX);
    let first = store.page(EventStream::Ledger, &mut LedgerCursor::new(&whole), 1).await;
    let first = first.map_err(|error| error_chain(&error))?;
    Ok(first.first().and_then(|line| LedgerEvent::parse(line.as_bytes())).map(|event| event.time()))
}

/// Adds each line whose time is in `range` to `initial`.
///
/// # Errors
/// The reason why it cannot be read.
pub(crate) async fn fold_ledger<T>(
    store: &RedisStore,
    range: &Range<Timestamp>,
    initial: T,
    add: impl Fn(&mut T, &[u8]),
) -> Result<T, String> {
    let (mut result, mut cursor) = (initial, LedgerCursor::new(range));
    loop {
        let page = store.page(EventStream::Ledger, &mut cursor, ENTRIES_PER_PAGE).await;
        let page = page.map_err(|error| error_chain(&error))?;
        page.iter().for_each(|line| add(&mut result, line.as_bytes()));
        if page.len() < ENTRIES_PER_PAGE {
            return Ok(result);
        }
    }
}
