//! What a quote or a signature says of a swap, in one form to be recomputed.

use firmquote_client::{Quote, SignedSwap};
use firmquote_domain::{Address, Amount, ChainId, FixedSide, GoodUntil, GoodUntilKind};

use super::stated::Stated;

/// A swap as it was answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    pub(crate) chain_id: ChainId,
    /// The pool, if it is known; a quote does not name it.
    pub(crate) pool: Option<Address>,
    pub(crate) input: (Address, Amount),
    pub(crate) output: (Address, Amount),
    /// The amount that the client named, if that is known.
    pub(crate) fixed: Option<FixedSide>,
    /// What the fee is for, if that is known.
    pub(crate) time_in_seconds: Option<u32>,
    /// What the pool's contract reads, if that is known.
    pub(crate) kind: Option<GoodUntilKind>,
    pub(crate) stated: Stated,
}

impl Claim {
    /// What `quote` says.
    pub(crate) fn of_quote(quote: &Quote, pool: Option<Address>, fixed: Option<FixedSide>) -> Self {
        Self {
            chain_id: quote.chain_id,
            pool,
            input: (quote.input_asset_address, quote.input_amount),
            output: (quote.output_asset_address, quote.output_amount),
            fixed,
            time_in_seconds: time_in_seconds(quote),
            kind: None,
            stated: Stated::Values { input: quote.input_value_in_usd, output: quote.output_value_in_usd },
        }
    }

    /// What `signed` says, and where it is silent, `quoted`, the quote that it is of.
    pub(crate) fn of_signed(signed: &SignedSwap, quoted: Option<&Self>) -> Self {
        Self {
            chain_id: signed.chain_id,
            pool: Some(signed.service_exchange_address),
            input: (signed.input_asset_address, signed.input_amount),
            output: (signed.output_asset_address, signed.output_amount),
            fixed: quoted.and_then(|quoted| quoted.fixed),
            time_in_seconds: quoted.and_then(|quoted| quoted.time_in_seconds),
            kind: Some(signed.good_until.kind()),
            stated: match (signed.good_until, quoted) {
                (GoodUntil::Packed(packed), _) => Stated::Packed(packed),
                (GoodUntil::Plain(_), Some(quoted)) => quoted.stated,
                (GoodUntil::Plain(_), None) => Stated::Nothing,
            },
        }
    }
}

/// The `time_in_seconds` of a quote: its `good_until` is its `must_accept_by` cut to seconds, plus it. `None` for a quote
/// that says otherwise.
pub(crate) fn time_in_seconds(quote: &Quote) -> Option<u32> {
    quote.good_until.get().checked_sub(quote.must_accept_by.seconds().get())
}
