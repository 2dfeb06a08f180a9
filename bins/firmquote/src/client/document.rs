//! What `quote --json` and `sign --json` print and `verify` reads: the service's answers as they came, what was asked, and
//! what was derived. A bare answer of the service is a document too.

use alloy_primitives::B256;
use firmquote_client::{ParseError, Quote, SignedSwap, parse_signed_swap};
use firmquote_domain::{Address, FixedSide, NativeSide, Offer, PoolId, UnixSeconds};
use firmquote_verify::{QuoteResponse, RequestedSwap, SignResponse};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::pool_sets::PoolSets;

/// A quote, a signature or both, with the circumstances that are known.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) quote: Option<Quote>,
    pub(crate) signed: Option<SignedSwap>,
    pub(crate) asked: RequestedTerms,
    pub(crate) pool: Option<PoolSets>,
    /// Whether the pool published the same before and after the quote.
    pub(crate) pool_is_still: bool,
}

/// What the service was asked for, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestedTerms {
    /// The amount that was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fixed: Option<Fixed>,
    #[serde(default, rename = "destination_address", skip_serializing_if = "Option::is_none", with = "text")]
    pub(crate) destination: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) native_input: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) native_output: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transmit: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "text")]
    pub(crate) aux_data: Option<B256>,
}

/// The side whose amount was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fixed {
    Input,
    Output,
}

impl RequestedTerms {
    /// The same for a verification.
    pub(crate) fn requested(&self) -> RequestedSwap {
        RequestedSwap {
            input_token: None,
            output_token: None,
            fixed_amount: None,
            fixed: self.fixed(),
            destination: self.destination,
            native: self.native(),
            transmit: self.transmit,
            aux_data: self.aux_data,
        }
    }

    /// Which side was asked to be native coin, if that is known.
    pub(crate) fn native(&self) -> Option<NativeSide> {
        match (self.native_input?, self.native_output?) {
            (true, _) => Some(NativeSide::Input),
            (false, true) => Some(NativeSide::Output),
            (false, false) => Some(NativeSide::Neither),
        }
    }

    /// The side whose amount was named, if that is known.
    pub(crate) fn fixed(&self) -> Option<FixedSide> {
        self.fixed.map(|fixed| match fixed {
            Fixed::Input => FixedSide::Input,
            Fixed::Output => FixedSide::Output,
        })
    }
}

/// Why a text is no document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvalidDocument {
    #[error("it is not what quote --json, sign --json or the service answers: {0}")]
    Json(#[from] serde_json::Error),
    #[error("its quote is none: {0}")]
    Quote(#[source] serde_json::Error),
    #[error("its signed swap is none: {0}")]
    Signed(#[from] ParseError),
    #[error("it is an answer of the service, and holds {0} beside, as only quote --json and sign --json have it")]
    Mixed(&'static str),
    #[error("it holds neither a quote nor a signature")]
    Empty,
}

#[derive(Deserialize)]
struct Wire<'t> {
    #[serde(borrow)]
    quote: Option<&'t RawValue>,
    #[serde(borrow)]
    signed: Option<&'t RawValue>,
    asked: Option<RequestedTerms>,
    pool: Option<PoolSets>,
    pool_is_still: Option<bool>,
    // The members that a bare answer is known by.
    #[serde(borrow)]
    must_accept_by: Option<&'t RawValue>,
    #[serde(borrow)]
    signature: Option<&'t RawValue>,
}

impl Wire<'_> {
    /// The first member that only what a command printed has.
    fn printed_member(&self) -> Option<&'static str> {
        let members = [
            ("quote", self.quote.is_some()),
            ("signed", self.signed.is_some()),
            ("asked", self.asked.is_some()),
            ("pool", self.pool.is_some()),
            ("pool_is_still", self.pool_is_still.is_some()),
        ];
        members.into_iter().find_map(|(name, is_there)| is_there.then_some(name))
    }
}

impl Document {
    /// Reads a document.
    ///
    /// # Errors
    /// [`InvalidDocument`]; also for values in it that the service never answers.
    pub(crate) fn read(text: &str) -> Result<Self, InvalidDocument> {
        let wire: Wire<'_> = serde_json::from_str(text)?;
        let is_bare = wire.must_accept_by.is_some() || wire.signature.is_some();
        // What is looked at has to be all that is there: a member that nobody looks at could pass for verified.
        if let (true, Some(member)) = (is_bare, wire.printed_member()) {
            return Err(InvalidDocument::Mixed(member));
        }
        let quote = wire.quote.map(RawValue::get).or_else(|| wire.must_accept_by.map(|_| text));
        let signed = wire.signed.map(RawValue::get).or_else(|| wire.signature.map(|_| text));
        if quote.is_none() && signed.is_none() {
            return Err(InvalidDocument::Empty);
        }
        let asked = wire.asked.unwrap_or_default();
        let native = asked.native().unwrap_or_default();
        Ok(Self {
            quote: quote.map(serde_json::from_str).transpose().map_err(InvalidDocument::Quote)?,
            signed: signed.map(|text| parse_signed_swap(text, native)).transpose()?,
            asked,
            pool: wire.pool,
            pool_is_still: wire.pool_is_still.unwrap_or_default(),
        })
    }

    /// The last second in which the swap is valid on chain.
    pub(crate) fn good_until(&self) -> Option<UnixSeconds> {
        let signed = self.signed.as_ref().map(|signed| signed.good_until.expires_at());
        signed.or(self.quote.as_ref().map(|quote| quote.good_until))
    }
}

/// What of a quote is verified.
pub(crate) const fn quote_response(quote: &Quote) -> QuoteResponse {
    QuoteResponse {
        chain_id: quote.chain_id,
        input: (quote.input_asset_address, quote.input_amount),
        output: (quote.output_asset_address, quote.output_amount),
        input_value_in_usd: quote.input_value_in_usd,
        output_value_in_usd: quote.output_value_in_usd,
        rate: quote.rate,
        must_accept_by: quote.must_accept_by,
        good_until: quote.good_until,
    }
}

/// What of a signature is verified.
pub(crate) fn sign_response(signed: &SignedSwap) -> SignResponse {
    SignResponse {
        offer: Offer {
            pool: PoolId { chain_id: signed.chain_id, address: signed.service_exchange_address },
            input_token: signed.input_asset_address,
            output_token: signed.output_asset_address,
            input_amount: signed.input_amount,
            output_amount: signed.output_amount,
            good_until: signed.good_until,
            destination: signed.destination_address,
        },
        signature: signed.signature,
        calldata: signed.calldata.clone(),
    }
}

/// Values that are written as texts.
mod text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &Option<T>, output: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => output.collect_str(value),
            None => output.serialize_none(),
        }
    }

    pub(super) fn deserialize<'d, T: FromStr<Err: Display>, D: Deserializer<'d>>(
        input: D,
    ) -> Result<Option<T>, D::Error> {
        let text: Option<String> = Option::deserialize(input)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
