//! Quotes.

use firmquote_domain::{Timestamp, is_expired};
use serde::{Deserialize, Serialize};

use crate::{
    AddressText, AmountText, BaseUnits, BasisPointsNumber, ChainIdNumber, DisplayNumber, LevelsIdText, QuoteIdText,
    StateIdText, UnixSecondsNumber, UsdNumber, UtcTime,
};

/// A firm quote: the amounts of a swap that the pool executes if it is signed before `must_accept_by`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Quote {
    /// The id; pass it as `quote_id` to sign the quote.
    pub id: QuoteIdText,
    /// The first instant at which the quote can no longer be signed, by the clock of the service.
    pub must_accept_by: UtcTime,
    /// The last Unix second in which the signed swap is valid on chain.
    pub good_until: UnixSecondsNumber,
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The amount that the pool receives, in base units.
    pub input_amount: AmountText,
    /// The amount that the pool pays, in base units.
    pub output_amount: AmountText,
    /// The value of the input in US dollars, for display.
    pub input_value_in_usd: DisplayNumber,
    /// The value of the output in US dollars, for display.
    pub output_value_in_usd: DisplayNumber,
    /// The Unix second in which the quote was made.
    pub created_at: UnixSecondsNumber,
    /// Whole tokens of output for one whole token of input, for display.
    pub rate: DisplayNumber,
    /// The token that the pool receives; the wrapped one for the native coin of the chain.
    pub input_asset_address: AddressText,
    /// The token that the pool pays; the wrapped one for the native coin of the chain.
    pub output_asset_address: AddressText,
    /// The pool contract that would execute the swap; absent from earlier releases.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, nullable = false))]
    pub pool_address: Option<AddressText>,
    /// The state that the swap was computed in; absent from earlier releases.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, nullable = false))]
    pub state_id: Option<StateIdText>,
    /// The fee included in the amounts; absent from earlier releases.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, nullable = false))]
    pub fee_in_basis_points: Option<BasisPointsNumber>,
    /// The largest single trade of the pair that is signed for the client; null if only reserves limit it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub largest_trade_in_usd: Option<UsdNumber>,
    /// The requested levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub levels_id: Option<LevelsIdText>,
    /// The output of the requested levels for the input, at most the quoted one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub levels_output: Option<AmountText>,
    /// The client's remaining budget for the requested levels, in base units of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub firm_budget_left_input: Option<BaseUnits>,
}

impl Quote {
    /// Whether the quote can still be signed at `now`, provided that this clock and that of the service agree.
    pub fn is_open(&self, now: Timestamp) -> bool {
        !is_expired(*self.must_accept_by, now)
    }

    /// Returns the `time_in_seconds` of the quote: `good_until` minus `must_accept_by`, the latter truncated to
    /// seconds. `None` if that is negative.
    pub fn time_in_seconds(&self) -> Option<u32> {
        self.good_until.get().checked_sub(self.must_accept_by.seconds().get())
    }
}
