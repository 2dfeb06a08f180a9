//! The Error object (docs/api.md).

use firmquote_desk::Conflict;
use firmquote_domain::{BasisPoints, Quote};
use serde::Serialize;

use super::ApiError;
use crate::{
    input::{Echo, InvalidInput, Step},
    readiness::Readiness,
    wire::{Exact, QuoteResponse, json},
};

#[derive(Serialize)]
struct ErrorBody<'e> {
    #[serde(rename = "errorMessage")]
    error_message: &'e str,
    #[serde(rename = "errorType")]
    error_type: &'static str,
    #[serde(rename = "errorCode", skip_serializing_if = "Option::is_none")]
    error_code: Option<u16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data: Vec<InvalidItem<'e>>,
    /// The reason of a pool's policy or of levels; that of a conflict comes with its other members.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(flatten)]
    conflict: Option<ConflictMembers<'e>>,
    #[serde(flatten)]
    readiness: Option<&'e Readiness>,
}

/// What moved since a quote was made, and the fresh quote that replaces it.
#[derive(Serialize)]
struct ConflictMembers<'e> {
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_bps: Option<Exact<BasisPoints>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh_quote: Option<QuoteResponse<'e>>,
}

impl<'e> ConflictMembers<'e> {
    fn new(conflict: &Conflict, quote_response: impl Fn(&Quote) -> QuoteResponse<'e>) -> Self {
        Self {
            reason: conflict.reason.name(),
            moved_bps: conflict.shortfall.map(Exact),
            fresh_quote: conflict.fresh_quote.as_ref().map(quote_response),
        }
    }
}

#[derive(Serialize)]
struct InvalidItem<'e> {
    r#type: &'static str,
    loc: &'e [Step],
    msg: &'e str,
    input: &'e Echo,
    url: String,
}

impl<'e> InvalidItem<'e> {
    fn new(invalid: &'e InvalidInput, link: impl Fn(&'static str) -> String) -> Self {
        Self {
            r#type: invalid.kind.name(),
            loc: &invalid.path,
            msg: &invalid.message,
            input: &invalid.input,
            url: link(invalid.kind.name()),
        }
    }
}

/// Serializes `error` as a response body; `quote_response` converts a fresh quote, and `link` returns the URL of the
/// page about a kind of invalid input.
pub(crate) fn write<'e>(
    error: &ApiError,
    quote_response: impl Fn(&Quote) -> QuoteResponse<'e>,
    link: impl Fn(&'static str) -> String,
) -> Vec<u8> {
    let status = error.status();
    let response = ErrorBody {
        error_message: &error.message(),
        error_type: status.error_type.name(),
        error_code: status.error_code,
        data: error.invalid_inputs().iter().map(|invalid| InvalidItem::new(invalid, &link)).collect(),
        reason: error.refusal_reason(),
        conflict: error.conflict().map(|conflict| ConflictMembers::new(conflict, quote_response)),
        readiness: error.readiness(),
    };
    json::bytes(&response).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        input::{Field, InvalidKind},
        wire::Addresses,
    };

    #[test]
    fn members_match_the_specification() {
        let error = ApiError::InvalidInput(vec![InvalidInput {
            kind: InvalidKind::Missing,
            path: vec![Field::ChainId.into()],
            message: "Field required".into(),
            input: Echo::Absent,
        }]);
        let addresses = Addresses::default();
        let quote_response = |quote: &Quote| QuoteResponse::new(quote, None, &addresses);
        let body = write(&error, quote_response, |kind| format!("/errors/{kind}"));
        let expected = concat!(
            r#"{"errorMessage":"Invalid input data","errorType":"BadData","errorCode":422,"data":["#,
            r#"{"type":"missing","loc":["chain_id"],"msg":"Field required","input":null,"url":"/errors/missing"}]}"#,
        );
        assert_eq!(String::from_utf8(body).unwrap(), expected);
        let body = write(&ApiError::BadCredentials, quote_response, str::to_owned);
        assert_eq!(body, br#"{"errorMessage":"Access is forbidden","errorType":"Forbidden"}"#);
    }
}
