//! Restores the outstanding swaps from a ledger file when a process starts.

use std::{
    collections::HashMap,
    fs::{self, Metadata},
    io,
    path::Path,
    sync::Arc,
};

use firmquote_domain::{BookEntry, QuoteId, SignedSwap, SwapState, Timestamp, U256};
use serde::Deserialize;

use super::{
    LedgerLine, LedgerReader,
    entry::{SignatureEntry, Text},
    relevance::{LATE_SECONDS, relevant_swaps},
};

/// The members that identify an entry.
#[derive(Deserialize)]
struct EntryHeader {
    event: String,
    quote_id: Text<QuoteId>,
    /// Of an execution.
    block_number: Option<u64>,
    input_amount: Option<Text<U256>>,
}

/// The part of the books that a ledger file contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoredSwaps {
    /// Swaps that may still be executed or undone by a reorganization, and swaps that are needed to attribute events or
    /// to apply the limits of clients.
    pub swaps: Vec<BookEntry>,
    /// Swaps that were signed before this time may be missing: before the first entry of the file, or before an entry that
    /// follows a line which cannot be read. `None` without entries.
    pub since: Option<Timestamp>,
    /// The number of lines that are not entries, or not of this version: swaps in them are not restored.
    pub invalid_lines: usize,
}

/// The maximum validity of a signature in seconds, from its quote on: `acceptance_window_seconds` and
/// `max_time_in_seconds` at their largest.
const MAX_LIFETIME_SECONDS: u64 = 3_600 + 86_400;

/// Restores the books at `now` from the ledger file at `path`; empty if there is no file.
///
/// # Errors
/// When the file cannot be read.
pub fn outstanding_swaps(path: &Path, now: Timestamp) -> io::Result<RestoredSwaps> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(RestoredSwaps::default()),
        // A pipe or a device stores nothing.
        metadata if !metadata.as_ref().is_ok_and(Metadata::is_file) => {
            return metadata.map(|_| RestoredSwaps::default());
        }
        _ => {}
    }
    let reader = LedgerReader::open(path)?;
    let (mut since, mut invalid_lines, mut is_unreadable) = (None, 0, false);
    let window = 2 * (MAX_LIFETIME_SECONDS + u64::from(LATE_SECONDS)) * 1_000_000;
    let earliest = Timestamp::from_micros(now.as_micros().saturating_sub(window));
    let mut swaps: HashMap<QuoteId, (SignedSwap, SwapState)> = HashMap::new();
    // Line by line: a day of entries may not fit into memory.
    for line in reader.lines() {
        let LedgerLine::Entry { text, time } = line? else {
            // Torn by a crash, in which case its signature was never released; or damaged since, in which case a swap is
            // missing.
            (invalid_lines, is_unreadable) = (invalid_lines + 1, true);
            continue;
        };
        // A clock that was ahead does not make the file younger than it is. What cannot be read was written before this.
        if since.is_none() || std::mem::take(&mut is_unreadable) {
            since = Some(time.min(now));
        }
        if time < earliest {
            continue;
        }
        let Ok(EntryHeader { event, quote_id: Text(quote_id), block_number, input_amount }) =
            serde_json::from_slice(&text)
        else {
            (invalid_lines, is_unreadable) = (invalid_lines + 1, true);
            continue;
        };
        if event == "signed" {
            match serde_json::from_slice::<SignatureEntry<'_>>(&text).map(SignedSwap::try_from) {
                Ok(Ok(swap)) => _ = swaps.insert(quote_id, (swap, SwapState::Outstanding)),
                _ => (invalid_lines, is_unreadable) = (invalid_lines + 1, true),
            }
            continue;
        }
        let outcome = |swap: &SignedSwap| match (event.as_str(), block_number) {
            ("settled", Some(number)) => {
                Some(swap.settled(number, input_amount.map_or(U256::MAX, |Text(units)| units)))
            }
            ("lapsed", _) => Some(SwapState::Lapsed(None)),
            ("reorged", _) => Some(SwapState::Outstanding),
            _ => None,
        };
        if !["settled", "lapsed", "reorged"].contains(&event.as_str()) {
            // Of another version, or a damaged signature.
            (invalid_lines, is_unreadable) = (invalid_lines + 1, true);
        } else if let Some((swap, state)) = swaps.get_mut(&quote_id) {
            match outcome(swap) {
                Some(outcome) => *state = outcome,
                None => invalid_lines += 1,
            }
        }
    }
    let swaps = swaps.into_values().map(|(swap, state)| BookEntry { swap: Arc::new(swap), state }).collect();
    Ok(RestoredSwaps {
        swaps: relevant_swaps(swaps, now),
        since: if is_unreadable { Some(now) } else { since },
        invalid_lines,
    })
}
