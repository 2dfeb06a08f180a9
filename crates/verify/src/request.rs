//! The request that responses belong to, and parts of responses.

use firmquote_api::Quote;
use firmquote_domain::{Address, Amount, B256, FixedSide, LevelsId, NativeSide};

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

impl QuotedLevels {
    /// Returns the levels that `quote` names, if any.
    pub(crate) fn from_quote(quote: &Quote) -> Option<Self> {
        Some(Self { id: *quote.levels_id?, output: *quote.levels_output? })
    }
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
