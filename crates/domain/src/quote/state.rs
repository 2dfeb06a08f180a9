//! The lifecycle of a quote: `created -> signed -> (settled | lapsed)` and `created -> expired`; a reorganization of
//! the chain may lead back from `settled` or `lapsed` to `signed`.
//!
//! The two functions here are the only place that decides about expiry. A store's own expiry removes only quotes that
//! these functions already consider dead.

use alloy_primitives::{B256, U256};

use crate::{Quote, Timestamp, UnixSeconds};

/// Whether an unsigned quote can no longer be signed. The instant `must_accept_by` itself is too late.
pub fn is_expired(must_accept_by: Timestamp, now: Timestamp) -> bool {
    now >= must_accept_by
}

/// Whether a signed swap is no longer valid on chain. The second `good_until` itself is still valid.
pub fn is_lapsed(good_until: UnixSeconds, now: Timestamp) -> bool {
    now.seconds() > good_until
}

/// The lifecycle state of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteState {
    /// Made, not signed, and still signable.
    Created,
    /// Signed and valid on chain; the same terms get the same signature again.
    Signed,
    /// Signed and executed on chain: a [`Settlement`]. [`Self::at`] never returns it.
    Settled,
    /// Signed, never executed, no longer valid on chain.
    Lapsed,
    /// Never signed, and no longer signable.
    Expired,
}

impl QuoteState {
    /// Returns the state of `quote` that follows from the clock alone.
    pub fn at(quote: &Quote, is_signed: bool, now: Timestamp) -> Self {
        match is_signed {
            true if is_lapsed(quote.good_until.expires_at(), now) => Self::Lapsed,
            true => Self::Signed,
            false if is_expired(quote.must_accept_by, now) => Self::Expired,
            false => Self::Created,
        }
    }

    /// Whether a store must still keep the quote.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Created | Self::Signed)
    }
}

/// The outcome of a signed swap, unless the chain is reorganized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapOutcome {
    /// It was executed.
    Settled(Settlement),
    /// It was not executed and is no longer valid on chain.
    Lapsed,
}

/// The execution of a signed swap, as the event of its pool contract states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// The hash of the transaction.
    pub transaction_hash: B256,
    /// The position of the event among those of its block.
    pub log_index: u64,
    /// The number of the block.
    pub block_number: u64,
    /// The timestamp of the block.
    pub block_time: UnixSeconds,
    /// The amount paid to the pool, in base units.
    pub input_amount: U256,
    /// The amount paid by the pool, in base units.
    pub output_amount: U256,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiry_is_exclusive_and_good_until_is_inclusive() {
        let deadline = Timestamp::from_micros(12_345_678);
        assert!(!is_expired(deadline, Timestamp::from_micros(12_345_677)));
        assert!(is_expired(deadline, deadline));
        let last = UnixSeconds::new(12);
        assert!(!is_lapsed(last, Timestamp::from_micros(12_999_999)));
        assert!(is_lapsed(last, Timestamp::from_micros(13_000_000)));
    }
}
