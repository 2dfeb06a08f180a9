//! The signatures that left last, as this process remembers them. The full record is the ledger's.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use firmquote_domain::{Address, PoolSpec, Quote, SignedQuote, Symbol, Timestamp};

/// How many signatures are remembered.
pub const REMEMBERED: usize = 100;

/// A signature that left. The signature itself is not kept: who reads this can send nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentSignature {
    /// When its record was stored.
    pub signed_at: Timestamp,
    /// The quote that was signed.
    pub quote: Quote,
    /// What the input and the output were called; `None` for a token that the pool does not list.
    pub symbols: [Option<Symbol>; 2],
    /// Who receives the output.
    pub destination: Address,
}

/// The last [`REMEMBERED`] signatures of this process, those of other replicas and of the time before its start not
/// among them. Only signing and whoever looks take its lock, for as long as a copy takes.
#[derive(Debug, Default)]
pub struct RecentSignatures(Mutex<VecDeque<RecentSignature>>);

impl RecentSignatures {
    /// Remembers what was signed for a pool, once for each quote, and forgets the oldest beyond [`REMEMBERED`].
    pub(crate) fn note(&self, signed: &SignedQuote, pool: &PoolSpec, now: Timestamp) {
        let quote = &signed.quote;
        let symbol = |token| pool.assets.iter().find(|asset| asset.address == token).map(|asset| asset.symbol.clone());
        let symbols = [quote.input.token, quote.output.token].map(symbol);
        let destination = signed.terms.destination;
        let noted = RecentSignature { signed_at: now, quote: quote.clone(), symbols, destination };
        let mut kept = self.kept();
        // Two requests for the same terms may have met: both got the one signature that is on record.
        if kept.iter().all(|known| known.quote.id != noted.quote.id) {
            kept.truncate(REMEMBERED - 1);
            kept.push_front(noted);
        }
    }

    /// All that are remembered, the newest first.
    pub fn newest_first(&self) -> Vec<RecentSignature> {
        self.kept().iter().cloned().collect()
    }

    /// A writer that panicked left the list whole: every change is one call.
    fn kept(&self) -> MutexGuard<'_, VecDeque<RecentSignature>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
