//! The document that `quote --json` and `sign --json` print and `verify` reads: the unmodified responses of the
//! service, the requested terms, and derived values. A bare response of the service is also a document.

use anyhow::{anyhow, bail};
use firmquote_api::{AddressText, AmountText, Bytes32, LevelsIdText};
use firmquote_client::{Quote, SignedSwap, SwapTerms, parse_signed_swap};
use firmquote_domain::{FixedSide, NativeSide, UnixSeconds};
use firmquote_verify::{PublishedPool, RequestedSwap};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::pool_data;

/// A quote, a signature or both, with the known request terms and pool data.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) quote: Option<Quote>,
    /// The unmodified quote.
    pub(crate) quote_body: Option<Box<RawValue>>,
    pub(crate) signed: Option<SignedSwap>,
    pub(crate) requested: RequestedTerms,
    /// The pools in the document.
    pub(crate) pools: Option<Vec<PublishedPool>>,
    /// Their unmodified data.
    pub(crate) pool_body: Option<Box<RawValue>>,
    /// Whether the pool published this data as the state that the quote names.
    pub(crate) pool_is_unchanged: bool,
}

/// The terms requested from the service, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestedTerms {
    /// The side whose amount the request fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fixed: Option<FixedSideName>,
    /// That amount, in base units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fixed_amount: Option<AmountText>,
    /// The tokens of the requested symbols in the pool data.
    #[serde(default, rename = "input_asset_address", skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<AddressText>,
    #[serde(default, rename = "output_asset_address", skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<AddressText>,
    /// The pool, if the command line named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pool_address: Option<AddressText>,
    #[serde(default, rename = "destination_address", skip_serializing_if = "Option::is_none")]
    pub(crate) destination: Option<AddressText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) native_input: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) native_output: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) transmit: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) aux_data: Option<Bytes32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) levels_id: Option<LevelsIdText>,
}

/// `input` or `output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct FixedSideName(#[serde(with = "FixedSideNames")] pub(crate) FixedSide);

#[derive(Serialize, Deserialize)]
#[serde(remote = "FixedSide", rename_all = "snake_case")]
enum FixedSideNames {
    Input,
    Output,
}

impl RequestedTerms {
    /// Converts the terms for verification.
    pub(crate) fn to_swap(&self) -> RequestedSwap {
        RequestedSwap {
            pool: self.pool_address.map(|address| *address),
            input_token: self.input.map(|address| *address),
            output_token: self.output.map(|address| *address),
            fixed_amount: self.fixed_amount.map(|amount| *amount),
            fixed: self.fixed(),
            destination: self.destination.map(|address| *address),
            native: self.native(),
            transmit: self.transmit,
            aux_data: self.aux_data.map(|aux_data| *aux_data),
            levels_id: self.levels_id.map(|id| *id),
        }
    }

    /// Returns the requested swap with the terms of its signature.
    pub(crate) fn with_terms(self, terms: &SwapTerms) -> Self {
        Self {
            destination: Some(terms.destination.into()),
            native_input: Some(terms.native == NativeSide::Input),
            native_output: Some(terms.native == NativeSide::Output),
            transmit: Some(terms.transmit),
            aux_data: terms.aux_data.map(Into::into),
            ..self
        }
    }

    /// Returns the side requested in native coin, if known.
    pub(crate) fn native(&self) -> Option<NativeSide> {
        NativeSide::from_flags(self.native_input?, self.native_output?)
    }

    /// Returns the side whose amount the request fixed, if known.
    pub(crate) fn fixed(&self) -> Option<FixedSide> {
        self.fixed.map(|FixedSideName(side)| side)
    }
}

/// The members on the wire; the aliases are those of earlier releases.
#[derive(Deserialize)]
struct DocumentMembers<'t> {
    #[serde(borrow)]
    quote: Option<&'t RawValue>,
    #[serde(borrow)]
    signed: Option<&'t RawValue>,
    #[serde(alias = "asked")]
    requested: Option<RequestedTerms>,
    #[serde(borrow)]
    pool: Option<&'t RawValue>,
    #[serde(alias = "pool_is_still")]
    pool_is_unchanged: Option<bool>,
    // The members that identify a bare response.
    #[serde(borrow)]
    must_accept_by: Option<&'t RawValue>,
    #[serde(borrow)]
    signature: Option<&'t RawValue>,
}

impl DocumentMembers<'_> {
    /// Returns the first member that only the output of a command contains.
    fn printed_member(&self) -> Option<&'static str> {
        let members = [
            ("quote", self.quote.is_some()),
            ("signed", self.signed.is_some()),
            ("requested", self.requested.is_some()),
            ("pool", self.pool.is_some()),
            ("pool_is_unchanged", self.pool_is_unchanged.is_some()),
        ];
        members.into_iter().find_map(|(name, is_there)| is_there.then_some(name))
    }
}

impl Document {
    /// Parses a document.
    ///
    /// # Errors
    /// For any other text, and for values that the service never returns.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let wire: DocumentMembers<'_> = serde_json::from_str(text).map_err(|error| {
            anyhow!("not the output of quote --json or sign --json, nor a response of the service: {error}")
        })?;
        let is_bare = wire.must_accept_by.is_some() || wire.signature.is_some();
        // Every member has to be checked: an ignored member could pass for a verified one.
        if let (true, Some(member)) = (is_bare, wire.printed_member()) {
            bail!(
                "a response of the service with an additional member {member}, which only quote --json and sign --json \
                 print"
            );
        }
        let pool_body = wire.pool.map(ToOwned::to_owned);
        let quote = wire.quote.map(RawValue::get).or_else(|| wire.must_accept_by.map(|_| text));
        let signed = wire.signed.map(RawValue::get).or_else(|| wire.signature.map(|_| text));
        if quote.is_none() && signed.is_none() {
            bail!("it contains neither a quote nor a signature");
        }
        let requested = wire.requested.unwrap_or_default();
        if (requested.native_input, requested.native_output) == (Some(true), Some(true)) {
            bail!("native_input and native_output cannot both be true");
        }
        let native = requested.native().unwrap_or_default();
        let quote_body = quote.and_then(|quote| RawValue::from_string(quote.to_owned()).ok());
        let quote = quote.map(serde_json::from_str).transpose().map_err(|error| anyhow!("invalid quote: {error}"))?;
        let signed = signed.map(|text| parse_signed_swap(text, native)).transpose();
        Ok(Self {
            quote,
            quote_body,
            signed: signed.map_err(|error| anyhow!("invalid signed swap: {error}"))?,
            requested,
            pools: wire.pool.map(|pool| pool_data::parse(pool.get())).transpose()?,
            pool_body,
            pool_is_unchanged: wire.pool_is_unchanged.unwrap_or_default(),
        })
    }

    /// Returns the last second in which the swap is valid on chain.
    pub(crate) fn good_until(&self) -> Option<UnixSeconds> {
        let signed = self.signed.as_ref().map(|signed| signed.good_until.expires_at());
        signed.or(self.quote.as_ref().map(|quote| *quote.good_until))
    }
}
