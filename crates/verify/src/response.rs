//! The responses to verify, and the request that they belong to.

use alloy_primitives::Bytes;
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, FixedSide, LevelsId, NativeSide, Offer, Signature, StateId, Timestamp,
    UnixSeconds,
};

/// The verified members of a Quote object (docs/api.md).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuoteResponse {
    /// The chain.
    pub chain_id: ChainId,
    /// The pool contract that would pay, if the quote names it.
    pub pool: Option<Address>,
    /// Paid to the pool.
    pub input: TokenAmount,
    /// Paid by the pool.
    pub output: TokenAmount,
    /// Value of the input in US dollars, the nearest double.
    pub input_value_in_usd: f64,
    /// Value of the output in US dollars, the nearest double.
    pub output_value_in_usd: f64,
    /// Whole tokens of output for one whole token of input.
    pub rate: f64,
    /// The first instant at which the quote can no longer be signed.
    pub must_accept_by: Timestamp,
    /// The last second in which the signed swap is valid on chain.
    pub good_until: UnixSeconds,
    /// The state that it was computed in, if the quote names it.
    pub state_id: Option<StateId>,
    /// The fee included in the amounts, if the quote names it.
    pub fee: Option<BasisPoints>,
    /// The firm levels that it names, if any.
    pub levels: Option<QuotedLevels>,
}

/// An amount of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenAmount {
    /// The token contract; the wrapped one for the chain's native coin.
    pub token: Address,
    /// The amount, in base units.
    pub amount: Amount,
}

/// The members of a quote that names firm levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedLevels {
    /// The levels. They count only if the request named them.
    pub id: LevelsId,
    /// The output of the levels for the input (`levels_output`): the output of the quote is at least this.
    pub output: Amount,
}

/// A Sign object (docs/api.md): the signed offer, and its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignResponse {
    /// The signed offer.
    pub offer: Offer,
    /// The second of `good_until`, if the response states it.
    pub expires_at: Option<UnixSeconds>,
    /// The signature.
    pub signature: Signature,
    /// The call of the pool contract, if it was requested.
    pub calldata: Option<Bytes>,
}

/// The known parts of the request; `None` is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestedSwap {
    /// The pool contract.
    pub pool: Option<Address>,
    /// The input token.
    pub input_token: Option<Address>,
    /// The output token.
    pub output_token: Option<Address>,
    /// The side whose amount was requested.
    pub fixed: Option<FixedSide>,
    /// That amount, in base units.
    pub fixed_amount: Option<Amount>,
    /// The account that receives the output.
    pub destination: Option<Address>,
    /// The side that is native coin.
    pub native: Option<NativeSide>,
    /// Whether the input is transferred to the pool beforehand (`transmit`).
    pub transmit: Option<bool>,
    /// The auxiliary data.
    pub aux_data: Option<B256>,
    /// The requested levels. If there are none, those of the quote are ignored.
    pub levels_id: Option<LevelsId>,
}

impl QuoteResponse {
    /// Returns the `time_in_seconds` of the quote: `good_until` minus `must_accept_by`, the latter truncated to
    /// seconds. `None` if that is negative.
    pub fn time_in_seconds(&self) -> Option<u32> {
        self.good_until.get().checked_sub(self.must_accept_by.seconds().get())
    }
}
