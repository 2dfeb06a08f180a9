//! The Sign object (specification 2.2), and the one that says what was quoted as well.

use alloy_primitives::{B256, Bytes};
use firmquote_domain::{
    Address, Amount, BasisPoints, ChainId, GoodUntil, InvalidValue, NativeSide, QuoteId, Signature, U256, UnixSeconds,
};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::read;
use crate::Quote;

/// A swap that the pool contract honours until `good_until`.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedSwap {
    /// The chain.
    pub chain_id: ChainId,
    /// The token that the pool gets; the wrapped one for the chain's native coin.
    pub input_asset_address: Address,
    /// The token that the pool gives; the wrapped one for the chain's native coin.
    pub output_asset_address: Address,
    /// Base units that the pool gets.
    pub input_amount: Amount,
    /// Base units that the pool gives.
    pub output_amount: Amount,
    /// Until when the contract takes it; [`GoodUntil::to_word`] is the number that is signed.
    pub good_until: GoodUntil,
    /// Who receives the output.
    pub destination_address: Address,
    /// The service's signature.
    pub signature: Signature,
    /// The pool contract, to which the transaction is sent.
    pub service_exchange_address: Address,
    /// The call of the pool contract, if it was asked for.
    pub calldata: Option<Bytes>,
    /// Which side is native coin, as it was asked for; not on the wire.
    pub native: NativeSide,
}

/// What to send to the chain, as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The pool contract.
    pub to: Address,
    /// Wei to send along: the whole input where that is native coin, else nothing. More would stay in the pool.
    pub value: U256,
    /// The call.
    pub data: Bytes,
}

impl SignedSwap {
    /// The transaction that executes it; `None` if the calldata was not asked for. Where the input is a token, it has to
    /// be in the pool before, or, with `transmit`, the pool needs an allowance of it.
    pub fn transaction(&self) -> Option<Transaction> {
        let value = match self.native {
            NativeSide::Input => self.input_amount.base_units(),
            NativeSide::Neither | NativeSide::Output => U256::ZERO,
        };
        Some(Transaction { to: self.service_exchange_address, value, data: self.calldata.clone()? })
    }
}

/// A swap that was quoted and signed at once.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedSwap {
    /// The name of the quote. Signed again for the same terms, it gives the same signature.
    pub quote_id: QuoteId,
    /// When it was made.
    pub created_at: UnixSeconds,
    /// Value of the input in US dollars. For display.
    pub input_value_in_usd: f64,
    /// Value of the output in US dollars. For display.
    pub output_value_in_usd: f64,
    /// Whole tokens of the output for one of the input. For display: amounts are what counts.
    pub rate: f64,
    /// The fee that the amounts contain, exactly; services of an earlier release do not say.
    pub fee_in_basis_points: Option<BasisPoints>,
    /// What was signed.
    pub swap: SignedSwap,
}

impl QuotedSwap {
    /// `swap` and the quote that it is of.
    pub(crate) fn new(quote: &Quote, swap: SignedSwap) -> Self {
        let Quote { id, created_at, input_value_in_usd, output_value_in_usd, rate, fee_in_basis_points, .. } = *quote;
        Self { quote_id: id, created_at, input_value_in_usd, output_value_in_usd, rate, fee_in_basis_points, swap }
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
    #[serde(deserialize_with = "read::word")]
    good_until: GoodUntil,
    #[serde(deserialize_with = "read::address")]
    destination_address: Address,
    #[serde(deserialize_with = "signature")]
    signature: Signature,
    #[serde(deserialize_with = "read::address")]
    service_exchange_address: Address,
    #[serde(default, deserialize_with = "read::optional_text")]
    calldata: Option<Bytes>,
}

impl SignObject {
    /// The same, with the native side that was asked for.
    pub(crate) fn with_native(self, native: NativeSide) -> SignedSwap {
        SignedSwap {
            chain_id: self.chain_id,
            input_asset_address: self.input_asset_address,
            output_asset_address: self.output_asset_address,
            input_amount: self.input_amount,
            output_amount: self.output_amount,
            good_until: self.good_until,
            destination_address: self.destination_address,
            signature: self.signature,
            service_exchange_address: self.service_exchange_address,
            calldata: self.calldata,
            native,
        }
    }
}

/// What the answer to quote-sign adds to the Sign object.
#[derive(Deserialize)]
pub(crate) struct QuoteMembers {
    #[serde(deserialize_with = "read::text")]
    id: QuoteId,
    #[serde(deserialize_with = "read::float")]
    input_value_in_usd: f64,
    #[serde(deserialize_with = "read::float")]
    output_value_in_usd: f64,
    #[serde(deserialize_with = "read::seconds")]
    created_at: UnixSeconds,
    #[serde(deserialize_with = "read::float")]
    rate: f64,
    #[serde(default, deserialize_with = "read::optional_rate")]
    fee_in_basis_points: Option<BasisPoints>,
}

impl QuoteMembers {
    /// Both together.
    pub(crate) fn with_swap(self, swap: SignedSwap) -> QuotedSwap {
        let Self { id, input_value_in_usd, output_value_in_usd, created_at, rate, fee_in_basis_points } = self;
        QuotedSwap {
            quote_id: id,
            created_at,
            input_value_in_usd,
            output_value_in_usd,
            rate,
            fee_in_basis_points,
            swap,
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
