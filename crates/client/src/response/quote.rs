//! The Quote object (docs/api.md).

use firmquote_domain::{
    Address, Amount, BasisPoints, ChainId, LevelsId, QuoteId, StateId, Timestamp, U256, UnixSeconds, Usd, is_expired,
};
use serde::Deserialize;

use super::read;

/// A firm quote: the amounts of a swap that the pool executes if it is signed in time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Quote {
    /// Identifies the quote when it is signed.
    #[serde(deserialize_with = "read::text")]
    pub id: QuoteId,
    /// The first instant at which it can no longer be signed, by the service's clock.
    #[serde(deserialize_with = "read::instant")]
    pub must_accept_by: Timestamp,
    /// The last second in which the signed swap is valid on chain.
    #[serde(deserialize_with = "read::seconds")]
    pub good_until: UnixSeconds,
    /// EIP-155 chain id.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The token that the pool receives; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub input_asset_address: Address,
    /// Base units that the pool receives.
    #[serde(deserialize_with = "read::text")]
    pub input_amount: Amount,
    /// The token that the pool pays; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub output_asset_address: Address,
    /// Base units that the pool pays.
    #[serde(deserialize_with = "read::text")]
    pub output_amount: Amount,
    /// Value of the input in US dollars. For display.
    #[serde(deserialize_with = "read::float")]
    pub input_value_in_usd: f64,
    /// Value of the output in US dollars. For display.
    #[serde(deserialize_with = "read::float")]
    pub output_value_in_usd: f64,
    /// When it was made.
    #[serde(deserialize_with = "read::seconds")]
    pub created_at: UnixSeconds,
    /// Whole output tokens per whole input token. For display: the amounts are authoritative.
    #[serde(deserialize_with = "read::float")]
    pub rate: f64,
    /// The pool contract that would pay; absent from earlier releases of the service.
    #[serde(default, deserialize_with = "read::optional_address")]
    pub pool_address: Option<Address>,
    /// The state that it was computed in, for a [`PoolRequest`](crate::PoolRequest); absent from earlier releases of
    /// the service.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub state_id: Option<StateId>,
    /// The fee included in the amounts, exactly; absent from earlier releases of the service.
    #[serde(default, deserialize_with = "read::optional_rate")]
    pub fee_in_basis_points: Option<BasisPoints>,
    /// The largest single trade that is signed for this client; `None` if only the reserves limit it, and for earlier
    /// releases of the service.
    #[serde(default, deserialize_with = "read::optional_usd")]
    pub largest_trade_in_usd: Option<Usd>,
    /// The requested levels.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub levels_id: Option<LevelsId>,
    /// The output of these levels for the input, at most the quoted one.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub levels_output: Option<Amount>,
    /// The client's remaining budget for these levels, in base units of the input.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub firm_budget_left_input: Option<U256>,
}

impl Quote {
    /// Whether it can still be signed at `now`, provided that this clock and the service's agree.
    pub fn is_open(&self, now: Timestamp) -> bool {
        !is_expired(self.must_accept_by, now)
    }
}
