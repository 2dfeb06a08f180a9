//! Which swaps are outstanding, from the end of a ledger file: what a process that starts anew has to know again.

use std::{collections::HashMap, io, path::Path, sync::Arc};

use firmquote_domain::{
    Address, Amount, BookEntry, BookedSwap, ChainId, Client, GoodUntil, NativeSide, Offer, PoolId, QuoteId, SwapState,
    Timestamp, U256, is_lapsed, parse_address,
};
use serde::Deserialize;

use super::{LedgerLine, LedgerReader};

/// The part of an entry about a signature that its swap consists of.
#[derive(Deserialize)]
struct SignedSwap {
    client: Option<String>,
    chain_id: u64,
    pool: String,
    input: SwapLeg,
    output: SwapLeg,
    block: Option<u64>,
    good_until: String,
    destination: String,
    native: String,
    signed_at_us: u64,
}

#[derive(Deserialize)]
struct SwapLeg {
    token: String,
    amount: String,
}

#[derive(Deserialize)]
struct Event {
    event: String,
    quote_id: String,
}

/// Returns the swaps that were signed at `since` or later and are neither settled nor lapsed at `now` according to the
/// ledger file at `path`; none if there is no file.
///
/// # Errors
/// When the file cannot be read.
pub fn outstanding_swaps(path: &Path, since: Timestamp, now: Timestamp) -> io::Result<Vec<BookedSwap>> {
    let mut reader = match LedgerReader::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?,
    };
    let mut swaps: HashMap<QuoteId, (BookEntry, bool)> = HashMap::new();
    for line in reader.since(since)? {
        let LedgerLine::Entry { text, .. } = line else { continue };
        let Ok(Event { event, quote_id }) = serde_json::from_slice(&text) else { continue };
        let Ok(quote_id) = quote_id.parse() else { continue };
        match event.as_str() {
            "signed" => {
                let swap = serde_json::from_slice::<SignedSwap>(&text).ok().and_then(|swap| swap.entry(quote_id));
                if let Some(swap) = swap {
                    swaps.insert(quote_id, (swap, true));
                }
            }
            event => {
                if let Some((_, is_open)) = swaps.get_mut(&quote_id) {
                    *is_open = event == "reorged";
                }
            }
        }
    }
    let outstanding = swaps.into_values().filter(|(swap, is_open)| {
        *is_open && (swap.block.is_some() || !is_lapsed(swap.offer.good_until.expires_at(), now))
    });
    Ok(outstanding.map(|(swap, _)| BookedSwap { swap: Arc::new(swap), state: SwapState::Outstanding }).collect())
}

impl SignedSwap {
    /// Returns the entry in the book; `None` for a line that this version does not write.
    fn entry(self, quote_id: QuoteId) -> Option<BookEntry> {
        let address = |text: &str| parse_address(text).ok();
        let leg = |leg: &SwapLeg| Some((address(&leg.token)?, leg.amount.parse::<Amount>().ok()?));
        let ((input_token, input_amount), (output_token, output_amount)) = (leg(&self.input)?, leg(&self.output)?);
        let pool = PoolId { chain_id: ChainId::new(self.chain_id)?, address: address(&self.pool)? };
        let destination: Address = address(&self.destination)?;
        let good_until = GoodUntil::from_word(self.good_until.parse::<U256>().ok()?).ok()?;
        Some(BookEntry {
            quote_id,
            client: self.client.map_or(Client::Anonymous, |name| Client::Named(name.into())),
            offer: Offer { pool, input_token, output_token, input_amount, output_amount, good_until, destination },
            native: match self.native.as_str() {
                "neither" => NativeSide::Neither,
                "input" => NativeSide::Input,
                "output" => NativeSide::Output,
                _ => return None,
            },
            signed_at: Timestamp::from_micros(self.signed_at_us),
            block: self.block,
        })
    }
}
