//! Errors as responses (docs/api.md).

use std::time::Duration;

use firmquote_api as api;
use firmquote_desk::DeskError;
use firmquote_domain::Quote;
use serde_json::value::{RawValue, to_raw_value};

use super::ApiError;
use crate::{
    input::{Echo, InvalidInput},
    wire::json,
};

/// Serializes `error` as a response body; `quote_response` converts a fresh quote, and `link` returns the URL of the
/// page about a kind of invalid input.
pub(crate) fn write(
    error: &ApiError,
    quote_response: impl Fn(&Quote) -> api::Quote,
    link: impl Fn(&'static str) -> String,
) -> Vec<u8> {
    let reason = error.reason();
    let mut response = api::ErrorObject {
        error_message: error.message(),
        error_type: reason.status().1.name().into(),
        error_code: reason.code(),
        reason: Some(reason.name().into()),
        retry_after_ms: error.retry_after().map(whole_millis),
        ..api::ErrorObject::default()
    };
    match error {
        ApiError::InvalidInput(inputs) => {
            response.data = inputs.iter().map(|invalid| invalid_input(invalid, &link)).collect();
        }
        ApiError::NotReady(readiness) => {
            response.ready = Some(false);
            response.parts = Some(readiness.parts());
        }
        ApiError::Desk(error) => describe_refusal(&mut response, error, quote_response),
        _ => {}
    }
    json::bytes(&response).unwrap_or_default()
}

/// Adds the input at fault, and what would be served instead.
fn describe_refusal(response: &mut api::ErrorObject, error: &DeskError, quote_response: impl Fn(&Quote) -> api::Quote) {
    match error {
        DeskError::Unsupported { input, .. } => response.field = Some(input.field().into()),
        DeskError::TooLarge { field, limit } | DeskError::AmountAboveTradeLimit { field, limit } => {
            response.field = Some((*field).into());
            response.max_amount = Some((*limit).into());
        }
        DeskError::TooSmall { field, limit } => {
            response.field = Some((*field).into());
            response.min_amount = Some((*limit).into());
        }
        DeskError::TradeValueAboveLimit { limit, .. } => response.largest_trade_in_usd = Some((*limit).into()),
        DeskError::OutstandingLimit { room, .. } => response.output_left = room.map(Into::into),
        DeskError::Conflict(conflict) => {
            response.moved_bps = conflict.shortfall.map(Into::into);
            response.fresh_quote = conflict.fresh_quote.as_ref().map(|quote| Box::new(quote_response(quote)));
        }
        _ => {}
    }
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
