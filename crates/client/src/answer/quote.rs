//! The Quote object (specification 2.1).

use firmquote_domain::{Address, Amount, BasisPoints, ChainId, QuoteId, Timestamp, UnixSeconds, Usd, is_expired};
use serde::Deserialize;

use super::read;

/// A firm quote: what the pool gives for what, if it is signed in time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Quote {
    /// Its name, to be given when it is signed.
    #[serde(deserialize_with = "read::text")]
    pub id: QuoteId,
    /// The first instant at which it is no longer signed, by the service's clock.
    #[serde(deserialize_with = "read::instant")]
    pub must_accept_by: Timestamp,
    /// The last second in which the signed swap is valid on chain.
    #[serde(deserialize_with = "read::seconds")]
    pub good_until: UnixSeconds,
    /// The chain.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The token that the pool gets; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub input_asset_address: Address,
    /// Base units that the pool gets.
    #[serde(deserialize_with = "read::text")]
    pub input_amount: Amount,
    /// The token that the pool gives; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub output_asset_address: Address,
    /// Base units that the pool gives.
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
    /// Whole tokens of the output for one of the input. For display: amounts are what counts.
    #[serde(deserialize_with = "read::float")]
    pub rate: f64,
    /// The pool contract that would pay; services of an earlier release do not say.
    #[serde(default, deserialize_with = "read::optional_address")]
    pub pool_address: Option<Address>,
    /// The fee that the amounts contain, exactly; services of an earlier release do not say.
    #[serde(default, deserialize_with = "read::optional_rate")]
    pub fee_in_basis_points: Option<BasisPoints>,
    /// The largest trade that is signed for this client at once; `None` where only the reserves limit it, and of services of
    /// an earlier release.
    #[serde(default, deserialize_with = "read::optional_usd")]
    pub largest_trade_in_usd: Option<Usd>,
}

impl Quote {
    /// Whether it may still be signed at `now`, as far as this clock and the service's agree.
    pub fn is_open(&self, now: Timestamp) -> bool {
        !is_expired(self.must_accept_by, now)
    }
}
