//! Signed swaps, with and without their quotes.

use firmquote_domain::{Execution, Offer, PoolId, Signature};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    AddressText, AmountText, BaseUnits, BasisPointsNumber, CalldataText, ChainIdNumber, DisplayNumber, ExecutionName,
    GoodUntilText, LevelsIdText, Quote, QuoteIdText, SignatureObject, StateIdText, UnixSecondsNumber, UsdNumber,
};

/// Defines [`SignedSwap`], and [`QuotedSwap`] with the same members and those of its quote.
macro_rules! signed_swaps {
    (
        { $($(#[$signed_about:meta])* $signed:ident: $signed_type:ty,)* }
        { $($(#[$quoted_about:meta])* $quoted:ident: $quoted_type:ty,)* }
    ) => {
        /// A swap that the service has signed, for the pool contract to honor until `good_until`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub struct SignedSwap {
            $($(#[$signed_about])* pub $signed: $signed_type,)*
        }

        /// A swap that was quoted and signed in one request.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        pub struct QuotedSwap {
            $($(#[$signed_about])* pub $signed: $signed_type,)*
            $($(#[$quoted_about])* pub $quoted: $quoted_type,)*
        }

        impl QuotedSwap {
            /// Combines a quote and its signed swap.
            pub fn new(quote: Quote, swap: SignedSwap) -> Self {
                Self { $($signed: swap.$signed,)* $($quoted: quote.$quoted,)* }
            }
        }

        impl From<QuotedSwap> for SignedSwap {
            fn from(swap: QuotedSwap) -> Self {
                Self { $($signed: swap.$signed,)* }
            }
        }
    };
}

signed_swaps! {
    {
        /// The chain id (EIP-155).
        chain_id: ChainIdNumber,
        /// The token that the pool receives; the wrapped one for the native coin of the chain.
        input_asset_address: AddressText,
        /// The token that the pool pays; the wrapped one for the native coin of the chain.
        output_asset_address: AddressText,
        /// The amount that the pool receives, in base units.
        input_amount: AmountText,
        /// The amount that the pool pays, in base units.
        output_amount: AmountText,
        /// When the swap stops being valid on chain, as it is signed.
        good_until: GoodUntilText,
        /// The last Unix second in which the swap is valid on chain; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        expires_at: Option<UnixSecondsNumber>,
        /// The account that receives the output.
        destination_address: AddressText,
        /// The signature of the service.
        signature: SignatureObject,
        /// The pool contract, the recipient of the transaction.
        service_exchange_address: AddressText,
        /// Whether the swap executes regardless of other swaps; absent from earlier releases.
        #[serde(default, deserialize_with = "known_execution")]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        execution: Option<ExecutionName>,
        /// The encoded call; only if `calldata` was requested.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        calldata: Option<CalldataText>,
    }
    {
        /// The id of the quote. Signing it again for the same terms returns the same signature.
        id: QuoteIdText,
        /// The value of the input in US dollars, for display.
        input_value_in_usd: DisplayNumber,
        /// The value of the output in US dollars, for display.
        output_value_in_usd: DisplayNumber,
        /// The Unix second in which the quote was made.
        created_at: UnixSecondsNumber,
        /// Whole tokens of output for one whole token of input, for display.
        rate: DisplayNumber,
        /// The pool contract that would execute the swap; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        pool_address: Option<AddressText>,
        /// The state that the swap was computed in; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        state_id: Option<StateIdText>,
        /// The fee included in the amounts; absent from earlier releases.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schema(required, nullable = false))]
        fee_in_basis_points: Option<BasisPointsNumber>,
        /// The largest single trade of the pair that is signed for the client; null if only reserves limit it.
        #[cfg_attr(feature = "schema", schema(required))]
        largest_trade_in_usd: Option<UsdNumber>,
        /// The requested levels.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        levels_id: Option<LevelsIdText>,
        /// The output of the requested levels for the input, at most the quoted one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        levels_output: Option<AmountText>,
        /// The client's remaining budget for the requested levels, in base units of the input.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        firm_budget_left_input: Option<BaseUnits>,
    }
}

impl SignedSwap {
    /// Creates the signed swap of `offer`, without calldata and without a statement about its execution.
    pub fn new(offer: &Offer, signature: Signature) -> Self {
        Self {
            chain_id: offer.pool.chain_id.into(),
            input_asset_address: offer.input_token.into(),
            output_asset_address: offer.output_token.into(),
            input_amount: offer.input_amount.into(),
            output_amount: offer.output_amount.into(),
            good_until: offer.good_until.into(),
            expires_at: Some(offer.good_until.expires_at().into()),
            destination_address: offer.destination.into(),
            signature: signature.into(),
            service_exchange_address: offer.pool.address.into(),
            execution: None,
            calldata: None,
        }
    }

    /// Returns the pool that the swap is signed for.
    pub fn pool_id(&self) -> PoolId {
        PoolId { chain_id: *self.chain_id, address: *self.service_exchange_address }
    }

    /// Returns the offer that the signature covers.
    pub fn offer(&self) -> Offer {
        Offer {
            pool: self.pool_id(),
            input_token: *self.input_asset_address,
            output_token: *self.output_asset_address,
            input_amount: *self.input_amount,
            output_amount: *self.output_amount,
            good_until: *self.good_until,
            destination: *self.destination_address,
        }
    }
}

/// Reads the name of an execution, or `null`; `None` for a name of a later release.
pub(crate) fn known_execution<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ExecutionName>, D::Error> {
    let name: Option<String> = Option::deserialize(deserializer)?;
    let named = Execution::ALL.into_iter().find(|execution| name.as_deref() == Some(execution.name()));
    Ok(named.map(ExecutionName::from))
}
