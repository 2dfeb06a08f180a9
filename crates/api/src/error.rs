//! Errors.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{AmountText, BasisPointsNumber, Quote, ReadinessParts, UsdNumber, json::valid_or_default};

/// An error. A member that is malformed is read as absent, which does not invalidate the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ErrorObject {
    /// A human-readable description of the error.
    #[serde(rename = "errorMessage")]
    pub error_message: Cow<'static, str>,
    /// The type of the error.
    #[serde(rename = "errorType")]
    pub error_type: Cow<'static, str>,
    /// The service-specific error code.
    #[serde(
        default,
        rename = "errorCode",
        skip_serializing_if = "Option::is_none",
        deserialize_with = "valid_or_default"
    )]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub error_code: Option<u16>,
    /// Every invalid input of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub data: Vec<InvalidInput>,
    /// Why the request is refused, a stable name; absent from earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(required, nullable = false))]
    pub reason: Option<Cow<'static, str>>,
    /// The input that the reason is about.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub field: Option<Cow<'static, str>>,
    /// The largest amount for `field` that is served, in base units.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub max_amount: Option<AmountText>,
    /// The smallest amount for `field` that is served, in base units.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub min_amount: Option<AmountText>,
    /// The value of the largest trade that is signed.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub largest_trade_in_usd: Option<UsdNumber>,
    /// The output that would be signed now, in base units; absent if nothing would be.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub output_left: Option<AmountText>,
    /// When to send the same request again, in milliseconds after this response; `Retry-After` has whole seconds.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub retry_after_ms: Option<u64>,
    /// How much less the pool would give now, in basis points of the quoted output, rounded up; absent if the pool would
    /// give nothing, if it would give enough but its contract would not execute the swap, and with `disabled`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub moved_bps: Option<BasisPointsNumber>,
    /// A quote for the same amount at current prices, to be signed like any other; absent if none can be made.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fresh_quote: Option<Box<Quote>>,
    /// Whether requests should be routed here.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ready: Option<bool>,
    /// The state of every part.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "valid_or_default")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub parts: Option<ReadinessParts>,
}

/// An invalid input.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct InvalidInput {
    /// The type of the validation error.
    #[serde(rename = "type")]
    pub kind: Cow<'static, str>,
    /// The path to the input; empty for the body as a whole.
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub loc: Vec<Step>,
    /// The requirement that the input does not meet.
    pub msg: Cow<'static, str>,
    /// The received value.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required, value_type = serde_json::Value))]
    pub input: Option<Box<RawValue>>,
    /// A page that explains the type.
    pub url: String,
}

/// A step on the path to an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Step {
    /// An input, by its name.
    Name(Cow<'static, str>),
    /// An item of a list, counted from zero.
    Position(usize),
}
