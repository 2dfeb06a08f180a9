//! Restores the outstanding swaps and the signatures of a ledger file when a process starts.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, Metadata},
    io,
    path::Path,
    sync::Arc,
};

use firmquote_domain::{
    BookEntry, MAX_LIFETIME_SECONDS, QuoteId, Settlement, SignedQuote, SignedSwap, SwapOutcome, SwapState, Timestamp,
    U256, is_lapsed,
};

use super::{
    LedgerLine, LedgerReader,
    entry::{SettlementEntry, SignatureEntry, SwapEntry, Text},
    event::{EntryHeader, Event},
    relevance::{LATE_SECONDS, relevant_swaps},
};

/// What the entries of one quote say.
struct RestoredSwap {
    swap: SignedSwap,
    state: SwapState,
    /// The signature, if its entry contains all of it and its status may be requested.
    signed: Option<SignedQuote>,
    outcome: Option<SwapOutcome>,
}

/// What a ledger file contains of the state of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoredLedger {
    /// Swaps that may still be executed or undone by a reorganization, and swaps that are needed to attribute events or
    /// to apply the limits of clients.
    pub swaps: Vec<BookEntry>,
    /// Signatures whose status may be requested, each with its recorded outcome, in the order of their times; without
    /// those of earlier versions, whose entries contain less.
    pub signatures: Vec<(SignedQuote, Option<SwapOutcome>)>,
    /// Swaps that were signed before this time may be missing: before the first entry of the file, or before an entry that
    /// follows a line which cannot be read. `None` without entries.
    pub since: Option<Timestamp>,
    /// The number of lines that are not entries, or not of this version: swaps in them are not restored.
    pub invalid_lines: usize,
}

/// Restores the books at `now` from the ledger file at `path`, and the signatures that have ended less than
/// `status_retention_seconds` ago; empty if there is no file.
///
/// # Errors
/// When the file cannot be read.
pub fn restore(path: &Path, status_retention_seconds: u32, now: Timestamp) -> io::Result<RestoredLedger> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(RestoredLedger::default()),
        // A pipe or a device stores nothing.
        metadata if !metadata.as_ref().is_ok_and(Metadata::is_file) => {
            return metadata.map(|_| RestoredLedger::default());
        }
        _ => {}
    }
    let reader = LedgerReader::open(path)?;
    let (mut since, mut latest, mut invalid_lines, mut is_unreadable) = (None, Timestamp::from_micros(0), 0, false);
    let earliest = now.minus_seconds(2 * (MAX_LIFETIME_SECONDS + LATE_SECONDS));
    let mut quotes: HashMap<QuoteId, RestoredSwap> = HashMap::new();
    // Line by line: a day of entries may not fit into memory.
    for line in reader.lines() {
        let LedgerLine::Entry { text, time } = line? else {
            // Torn by a crash, in which case its signature was never released; or damaged since, in which case a swap is
            // missing.
            (invalid_lines, is_unreadable) = (invalid_lines + 1, true);
            continue;
        };
        // A clock that was ahead does not make the file younger than it is. What cannot be read was written before this;
        // entries may be in another order than their times.
        latest = latest.max(time.min(now));
        if since.is_none() || std::mem::take(&mut is_unreadable) {
            since = Some(latest);
        }
        if time < earliest {
            continue;
        }
        let Ok(EntryHeader { event, quote_id: Text(quote_id), block_number, input_amount, .. }) =
            serde_json::from_slice(&text)
        else {
            (invalid_lines, is_unreadable) = (invalid_lines + 1, true);
            continue;
        };
        if let Event::Signed = event {
            let Ok(Ok(swap)) = serde_json::from_slice::<SwapEntry<'_>>(&text).map(SignedSwap::try_from) else {
                (invalid_lines, is_unreadable) = (invalid_lines + 1, true);
                continue;
            };
            let signed = serde_json::from_slice::<SignatureEntry<'_>>(&text).ok();
            let signed = signed.and_then(|entry| SignedQuote::try_from(entry).ok());
            let signed = signed.filter(|signed| {
                let expires_at = signed.quote.good_until.expires_at();
                !is_lapsed(expires_at.saturating_add(status_retention_seconds), now)
            });
            let restored = RestoredSwap { swap, state: SwapState::Outstanding, signed, outcome: None };
            match quotes.entry(quote_id) {
                Entry::Vacant(entry) => _ = entry.insert(restored),
                // Only an id that a client chose comes again, once the first signature with it has expired.
                Entry::Occupied(mut first) if is_lapsed(first.get().swap.offer.good_until.expires_at(), time) => {
                    _ = first.insert(restored)
                }
                // An attempt that was repeated has several lines; the first signature is the one that was released.
                Entry::Occupied(_) => {}
            }
            continue;
        }
        let Some(RestoredSwap { swap, state, outcome, .. }) = quotes.get_mut(&quote_id) else { continue };
        match (event, block_number) {
            (Event::Settled, None) => invalid_lines += 1,
            (Event::Settled, Some(number)) => {
                *state = swap.settled(number, input_amount.map_or(U256::MAX, |Text(units)| units));
                let settlement = serde_json::from_slice::<SettlementEntry>(&text).ok();
                *outcome = settlement.map(|entry| SwapOutcome::Settled(Settlement::from(entry)));
            }
            (Event::Lapsed, _) => (*state, *outcome) = (SwapState::Lapsed(None), Some(SwapOutcome::Lapsed)),
            (Event::Reorged | Event::Signed, _) => (*state, *outcome) = (SwapState::Outstanding, None),
        }
    }
    let (mut swaps, mut signatures) = (Vec::with_capacity(quotes.len()), Vec::new());
    for RestoredSwap { swap, state, signed, outcome } in quotes.into_values() {
        swaps.push(BookEntry { swap: Arc::new(swap), state });
        signatures.extend(signed.map(|signed| (signed, outcome)));
    }
    signatures.sort_unstable_by_key(|(signed, _)| signed.signed_at);
    Ok(RestoredLedger {
        swaps: relevant_swaps(swaps, now),
        signatures,
        since: if is_unreadable { Some(now) } else { since },
        invalid_lines,
    })
}
