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
    /// When the first entry of the file was made: signatures from before it are not in the file. `None` without
    /// entries.
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
    let (mut since, mut invalid_lines, mut is_complete) = (None, 0, true);
    let window = 2 * (MAX_LIFETIME_SECONDS + u64::from(LATE_SECONDS)) * 1_000_000;
    let earliest = Timestamp::from_micros(now.as_micros().saturating_sub(window));
    let mut swaps: HashMap<QuoteId, (SignedSwap, SwapState)> = HashMap::new();
    // Line by line: a day of entries may not fit into memory.
    for line in reader.lines() {
        let LedgerLine::Entry { text, time } = line? else {
            // Torn by a crash: its signature was never released. Or damaged since.
            invalid_lines += 1;
            continue;
        };
        // A clock that was ahead does not make the file younger than it is.
        since.get_or_insert(time.min(now));
        if time < earliest {
            continue;
        }
        let Ok(EntryHeader { event, quote_id: Text(quote_id), block_number, input_amount }) =
            serde_json::from_slice(&text)
        else {
            invalid_lines += 1;
            continue;
        };
        if event == "signed" {
            match serde_json::from_slice::<SignatureEntry<'_>>(&text).map(SignedSwap::try_from) {
                Ok(Ok(swap)) => _ = swaps.insert(quote_id, (swap, SwapState::Outstanding)),
                _ => {
                    invalid_lines += 1;
                    is_complete = false;
                }
            }
        } else if let Some((swap, state)) = swaps.get_mut(&quote_id) {
            *state = match (event.as_str(), block_number) {
                ("settled", Some(number)) => {
                    swap.settled(number, input_amount.map_or(U256::MAX, |Text(amount)| amount))
                }
                ("lapsed", _) => SwapState::Lapsed(None),
                _ => SwapState::Outstanding,
            };
        }
    }
    let swaps = swaps.into_values().map(|(swap, state)| BookEntry { swap: Arc::new(swap), state }).collect();
    Ok(RestoredSwaps {
        swaps: relevant_swaps(swaps, now),
        since: if is_complete { since } else { Some(now) },
        invalid_lines,
    })
}
