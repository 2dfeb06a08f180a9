//! Errors as responses (docs/api.md).

use std::{borrow::Cow, time::Duration};

use firmquote_api as api;
use firmquote_domain::Quote;
use serde_json::value::{RawValue, to_raw_value};

use super::ApiError;
use crate::{
    input::{Echo, InvalidInput},
    readiness::Readiness,
    wire::json,
};

/// Serializes `error` as a response body; `quote_response` converts a fresh quote, and `link` returns the URL of the
/// page about a kind of invalid input.
pub(crate) fn write(
    error: &ApiError,
    quote_response: impl Fn(&Quote) -> api::Quote,
    link: impl Fn(&'static str) -> String,
) -> Vec<u8> {
    let (status, bounds, conflict, readiness) = (error.status(), error.bounds(), error.conflict(), error.readiness());
    let response = api::ErrorObject {
        error_message: error.message(),
        error_type: status.error_type.name().into(),
        error_code: status.error_code,
        data: error.invalid_inputs().iter().map(|invalid| invalid_input(invalid, &link)).collect(),
        reason: Some(status.reason.name().into()),
        field: bounds.field.map(Cow::Borrowed),
        max_amount: bounds.max_amount.map(Into::into),
        min_amount: bounds.min_amount.map(Into::into),
        largest_trade_in_usd: bounds.largest_trade.map(Into::into),
        output_left: bounds.output_left.map(Into::into),
        retry_after_ms: error.retry_after().map(whole_millis),
        moved_bps: conflict.and_then(|conflict| conflict.shortfall).map(Into::into),
        fresh_quote: conflict
            .and_then(|conflict| conflict.fresh_quote.as_ref())
            .map(|quote| quote_response(quote).into()),
        ready: readiness.map(|_| false),
        parts: readiness.map(Readiness::parts),
    };
    json::bytes(&response).unwrap_or_default()
}

/// Rounded up, so that a client that waits as long is not early.
fn whole_millis(time: Duration) -> u64 {
    u64::try_from(time.as_micros().div_ceil(1_000)).unwrap_or(u64::MAX).max(1)
}

fn invalid_input(invalid: &InvalidInput, link: impl Fn(&'static str) -> String) -> api::InvalidInput {
    api::InvalidInput {
        kind: invalid.kind.name().into(),
        loc: invalid.path.clone(),
        msg: invalid.message.clone(),
        input: echo(&invalid.input),
        url: link(invalid.kind.name()),
    }
}

fn echo(received: &Echo) -> Option<Box<RawValue>> {
    match received {
        Echo::Absent => None,
        Echo::Json(value) => Some(value.clone()),
        // A string always serializes.
        Echo::Text(text) => to_raw_value(text).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        input::{CHAIN_ID, InvalidKind},
        wire,
    };

    #[test]
    fn members_match_the_specification() {
        let error = ApiError::InvalidInput(vec![InvalidInput {
            kind: InvalidKind::Missing,
            path: vec![(&CHAIN_ID.field).into()],
            message: "Field required".into(),
            input: Echo::Absent,
        }]);
        let quote_response = |quote: &Quote| wire::quote_response(quote, None);
        let body = write(&error, quote_response, |kind| format!("/errors/{kind}"));
        let expected = concat!(
            r#"{"errorMessage":"Invalid input data","errorType":"BadData","errorCode":422,"data":["#,
            r#"{"type":"missing","loc":["chain_id"],"msg":"Field required","input":null,"url":"/errors/missing"}],"reason":"invalid_input"}"#,
        );
        assert_eq!(String::from_utf8(body).unwrap(), expected);
        let body = write(&ApiError::BadCredentials, quote_response, str::to_owned);
        assert_eq!(
            body,
            br#"{"errorMessage":"Access is forbidden","errorType":"Forbidden","reason":"bad_credentials"}"#
        );
    }
}
