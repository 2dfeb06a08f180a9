//! What the fuzz target `stored` feeds with values of keys: everything that is decoded of what stands in Redis.
//!
//! Built for fuzzing, and for the test that replays the target's corpus; part of no program.

use firmquote_domain::{QuoteId, Timestamp};

use super::stored::{decode_quote, decode_record, encode_quote, encode_record};
use crate::ledger;

const ID: QuoteId = QuoteId::from_bytes([7; 16]);

/// Decodes `data` as the value of a quote's key and of a record's.
///
/// # Panics
/// When what was decoded is another value once it is encoded and decoded again, or its entry in the ledger is not one
/// line of JSON.
pub fn stored(data: &[u8]) {
    if let Some(quote) = decode_quote(ID, data) {
        let again = encode_quote(&quote, 1).ok().and_then(|bytes| decode_quote(ID, &bytes));
        assert_eq!(again, Some(quote));
    }
    if let Some(recorded) = decode_record(ID, data) {
        let line = ledger::line(&recorded.signed, Timestamp::from_micros(u64::MAX)).unwrap_or_default();
        assert!(line.starts_with('{') && !line.contains('\n'), "{line:?}");
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
        let again = encode_record(&recorded.signed, recorded.is_in_ledger).ok();
        assert_eq!(again.and_then(|bytes| decode_record(ID, &bytes)), Some(recorded));
    }
}

#[cfg(test)]
#[path = "../../../../fuzz/replay.rs"]
mod replay;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_hold_for_all_that_fuzzing_kept() {
        replay::replay("stored", stored);
    }
}
