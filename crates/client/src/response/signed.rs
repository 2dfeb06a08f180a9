//! The Sign object (docs/api.md), and the variant that also contains the quote.

use alloy_primitives::{B256, Bytes};
use firmquote_domain::{
    Address, Amount, BasisPoints, ChainId, Execution, GoodUntil, InvalidValue, LevelsId, NativeSide, Offer, PoolId,
    QuoteId, Signature, U256, UnixSeconds,
};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::read;
use crate::Quote;

/// A swap that the service has signed, for the pool contract to honor until `good_until`.
///
/// Its members are claims of the service. The client compares them with the quote or the request, as documented at each
/// method, but does not recover the signer and does not decode the calldata: a dishonest service may return the
/// signature of another account, or an arbitrary call. Before anything is approved or sent, verify both with
/// `firmquote-verify`, against a pool, tokens and a signer that do not come from the service.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedSwap {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// The token that the pool receives; the wrapped one for the chain's native coin.
    pub input_asset_address: Address,
    /// The token that the pool pays; the wrapped one for the chain's native coin.
    pub output_asset_address: Address,
    /// Base units that the pool receives.
    pub input_amount: Amount,
    /// Base units that the pool pays.
    pub output_amount: Amount,
    /// When the swap stops being valid on chain; [`GoodUntil::to_word`] is the number that is signed.
    pub good_until: GoodUntil,
    /// The second of `good_until`, as the service states it; absent from earlier releases of the service.
    pub expires_at: Option<UnixSeconds>,
    /// The account that receives the output.
    pub destination_address: Address,
    /// The service's signature. Not verified.
    pub signature: Signature,
    /// The pool contract that the transaction is sent to.
    pub service_exchange_address: Address,
    /// Whether the swap executes regardless of other swaps; absent from earlier releases of the service.
    pub execution: Option<Execution>,
    /// The call of the pool contract, if requested. Not verified.
    pub calldata: Option<Bytes>,
    /// Which side is native coin, as requested; not on the wire.
    pub native: NativeSide,
}

/// A transaction, to be sent to the chain unchanged once the [swap](SignedSwap) is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The pool contract.
    pub to: Address,
    /// Wei to send along: the whole input if it is native coin, otherwise zero. Any excess would stay in the pool.
    pub value: U256,
    /// The calldata of the service.
    pub data: Bytes,
}

impl SignedSwap {
    /// Returns the pool that the swap is signed for.
    pub const fn pool_id(&self) -> PoolId {
        PoolId { chain_id: self.chain_id, address: self.service_exchange_address }
    }

    /// Returns the offer that the signature covers.
    pub const fn offer(&self) -> Offer {
        Offer {
            pool: self.pool_id(),
            input_token: self.input_asset_address,
            output_token: self.output_asset_address,
            input_amount: self.input_amount,
            output_amount: self.output_amount,
            good_until: self.good_until,
            destination: self.destination_address,
        }
    }

    /// Returns the transaction that executes the swap; `None` if no calldata was requested. If the input is a token, it
    /// must be in the pool beforehand or, with `transmit`, the pool needs an allowance for it.
    pub fn transaction(&self) -> Option<Transaction> {
        let value = match self.native {
            NativeSide::Input => self.input_amount.base_units(),
            NativeSide::Neither | NativeSide::Output => U256::ZERO,
        };
        Some(Transaction { to: self.service_exchange_address, value, data: self.calldata.clone()? })
    }
}

/// A swap that was quoted and signed in one step.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedSwap {
    /// Its quote.
    pub quote: QuoteSummary,
    /// The signed swap.
    pub swap: SignedSwap,
}

/// The members of a quote that its signed swap lacks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct QuoteSummary {
    /// The id of the quote. Signing it again for the same terms returns the same signature.
    #[serde(deserialize_with = "read::text")]
    pub id: QuoteId,
    /// When the quote was made.
    #[serde(deserialize_with = "read::seconds")]
    pub created_at: UnixSeconds,
    /// Value of the input in US dollars. For display.
    #[serde(deserialize_with = "read::float")]
    pub input_value_in_usd: f64,
    /// Value of the output in US dollars. For display.
    #[serde(deserialize_with = "read::float")]
    pub output_value_in_usd: f64,
    /// Whole output tokens per whole input token. For display: the amounts are authoritative.
    #[serde(deserialize_with = "read::float")]
    pub rate: f64,
    /// The fee included in the amounts, exactly; absent from earlier releases of the service.
    #[serde(default, deserialize_with = "read::optional_rate")]
    pub fee_in_basis_points: Option<BasisPoints>,
    /// The requested levels.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub levels_id: Option<LevelsId>,
    /// The output of the requested levels for the input, at most the quoted one.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub levels_output: Option<Amount>,
    /// The client's remaining budget for these levels, in base units of the input.
    #[serde(default, deserialize_with = "read::optional_text")]
    pub firm_budget_left_input: Option<U256>,
}

impl From<&Quote> for QuoteSummary {
    fn from(quote: &Quote) -> Self {
        Self {
            id: quote.id,
            created_at: quote.created_at,
            input_value_in_usd: quote.input_value_in_usd,
            output_value_in_usd: quote.output_value_in_usd,
            rate: quote.rate,
            fee_in_basis_points: quote.fee_in_basis_points,
            levels_id: quote.levels_id,
            levels_output: quote.levels_output,
            firm_budget_left_input: quote.firm_budget_left_input,
        }
    }
}

/// The Sign object.
#[derive(Deserialize)]
pub(crate) struct SignObject {
    #[serde(deserialize_with = "read::chain_id")]
    chain_id: ChainId,
    #[serde(deserialize_with = "read::address")]
    input_asset_address: Address,
    #[serde(deserialize_with = "read::address")]
    output_asset_address: Address,
    #[serde(deserialize_with = "read::text")]
    input_amount: Amount,
    #[serde(deserialize_with = "read::text")]
    output_amount: Amount,
    #[serde(deserialize_with = "read::good_until")]
    good_until: GoodUntil,
    #[serde(default, deserialize_with = "read::optional_seconds")]
    expires_at: Option<UnixSeconds>,
    #[serde(deserialize_with = "read::address")]
    destination_address: Address,
    #[serde(deserialize_with = "signature")]
    signature: Signature,
    #[serde(deserialize_with = "read::address")]
    service_exchange_address: Address,
    #[serde(default, deserialize_with = "read::optional_execution")]
    execution: Option<Execution>,
    #[serde(default, deserialize_with = "read::optional_text")]
    calldata: Option<Bytes>,
}

impl SignObject {
    /// Adds the native side of the request.
    pub(crate) fn with_native(self, native: NativeSide) -> SignedSwap {
        SignedSwap {
            chain_id: self.chain_id,
            input_asset_address: self.input_asset_address,
            output_asset_address: self.output_asset_address,
            input_amount: self.input_amount,
            output_amount: self.output_amount,
            good_until: self.good_until,
            expires_at: self.expires_at,
            destination_address: self.destination_address,
            signature: self.signature,
            service_exchange_address: self.service_exchange_address,
            execution: self.execution,
            calldata: self.calldata,
            native,
        }
    }
}

#[derive(Deserialize)]
struct SignatureObject {
    v: u8,
    #[serde(deserialize_with = "read::text")]
    r: B256,
    #[serde(deserialize_with = "read::text")]
    s: B256,
}

fn signature<'de, D: Deserializer<'de>>(source: D) -> Result<Signature, D::Error> {
    const PARITY: InvalidValue = InvalidValue::OutOfRange { allowed: "v of 27 or 28" };
    let SignatureObject { v, r, s } = SignatureObject::deserialize(source)?;
    let is_y_odd = match v {
        27 => Ok(false),
        28 => Ok(true),
        _ => Err(PARITY),
    };
    is_y_odd.and_then(|is_y_odd| Signature::new(r, s, is_y_odd)).map_err(D::Error::custom)
}
