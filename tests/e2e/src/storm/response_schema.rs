//! Checks that responses have a documented form.

use serde_json::Value;

use super::{secrets, wire::Response};

/// The allowed `errorType` values of each error status.
const ERRORS: [(u16, &[&str]); 11] = [
    (400, &["BadData", "QuoteProblem"]),
    (401, &["Unauthorized"]),
    (403, &["Forbidden"]),
    (404, &["NotFound"]),
    (405, &["MethodNotAllowed"]),
    (408, &["BadData"]),
    (413, &["BadData"]),
    (415, &["BadData"]),
    (429, &["RateLimited"]),
    (503, &["ExternalServiceError"]),
    // Has no body, see `check_any`.
    (431, &[]),
];

/// The allowed `type` values of the items in `data`.
const INVALID: [&str; 14] = [
    "missing",
    "int_parsing",
    "decimal_parsing",
    "string_type",
    "bool_type",
    "list_type",
    "object_type",
    "uuid_parsing",
    "address_parsing",
    "hex_bytes",
    "out_of_range",
    "mutually_exclusive",
    "one_required",
    "json_invalid",
];

const QUOTE: [&str; 16] = [
    "id",
    "must_accept_by",
    "good_until",
    "chain_id",
    "input_amount",
    "output_amount",
    "input_value_in_usd",
    "output_value_in_usd",
    "created_at",
    "rate",
    "input_asset_address",
    "output_asset_address",
    "pool_address",
    "fee_in_basis_points",
    "largest_trade_in_usd",
    "state_id",
];

/// The members of a sign response.
pub(super) const SIGN: [&str; 11] = [
    "chain_id",
    "input_asset_address",
    "output_asset_address",
    "input_amount",
    "output_amount",
    "good_until",
    "destination_address",
    "signature",
    "service_exchange_address",
    "execution",
    "expires_at",
];

const QUOTE_SIGN: [&str; 9] = [
    "id",
    "input_value_in_usd",
    "output_value_in_usd",
    "created_at",
    "rate",
    "pool_address",
    "fee_in_basis_points",
    "largest_trade_in_usd",
    "state_id",
];

/// The kind of response expected for a 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseKind {
    Quote,
    Sign,
    QuoteSign,
    Other,
}

/// Checks the response to a request that the server could parse.
///
/// # Panics
/// If the response is not a documented one, or contains a secret.
pub(super) fn check(answer: &Response, method: &str, kind: ResponseKind) {
    secrets::check(&format!("{answer:?}"));
    assert!(
        matches!(answer.status, 200 | 308) || ERRORS.iter().any(|(status, _)| *status == answer.status),
        "{answer:?}"
    );
    let is_named = answer.header("x-request-id").is_some_and(|id| (1..=64).contains(&id.len()));
    assert!(is_named, "without x-request-id: {answer:?}");
    match (answer.status, method) {
        (_, "HEAD") => assert_eq!(answer.text, ""),
        // The root and paths with an extra slash redirect to the page that explains the service.
        (308, _) => assert!(answer.text.is_empty() && answer.header("location").is_some(), "{answer:?}"),
        (200, _) => check_success(answer, kind),
        _ => check_error(answer),
    }
}

/// Checks a response to bytes that may not be valid HTTP: 400 and 431 without a body are also allowed.
///
/// # Panics
/// As [`check`].
pub(super) fn check_any(answer: &Response) {
    let is_bare = matches!(answer.status, 400 | 431) && answer.text.is_empty();
    if is_bare {
        return secrets::check(&format!("{answer:?}"));
    }
    // Responses cannot be matched to requests here, so any success is allowed; without a body, the method may be HEAD.
    let method = if answer.text.is_empty() { "HEAD" } else { "GET" };
    check(answer, method, ResponseKind::Other);
}

fn check_success(answer: &Response, kind: ResponseKind) {
    let has_all = |names: &[&str], optional: &[&str]| {
        let body = answer.json();
        let members: Vec<&String> = body.as_object().map(|object| object.keys().collect()).unwrap_or_default();
        let is_known = |name: &str| names.contains(&name) || optional.contains(&name);
        let is_whole = members.len() >= names.len() && members.iter().all(|name| is_known(name));
        // `largest_trade_in_usd` is null if trades are limited by the reserves only.
        let is_present = |name: &str| !body[name].is_null() || name == "largest_trade_in_usd";
        assert!(is_whole && names.iter().all(|name| is_present(name)), "{answer:?}");
    };
    match kind {
        ResponseKind::Quote => has_all(&QUOTE, &[]),
        ResponseKind::Sign => has_all(&SIGN, &["calldata"]),
        ResponseKind::QuoteSign => has_all(&[&SIGN[..], &QUOTE_SIGN].concat(), &["calldata"]),
        ResponseKind::Other => {}
    }
}

fn check_error(answer: &Response) {
    let body = answer.json();
    let types = ERRORS.iter().find(|(status, _)| *status == answer.status).map(|(_, types)| *types);
    let error_type = body["errorType"].as_str().unwrap_or_else(|| panic!("no errorType: {answer:?}"));
    assert!(types.is_some_and(|types| types.contains(&error_type)), "{answer:?}");
    assert!(body["errorMessage"].as_str().is_some_and(|message| !message.is_empty()), "{answer:?}");
    let code = body.get("errorCode").and_then(Value::as_u64);
    let data = body.get("data").and_then(Value::as_array);
    match (error_type, code) {
        ("BadData", Some(422)) => assert!(data.is_some_and(|items| !items.is_empty()), "{answer:?}"),
        ("QuoteProblem", Some(409)) => {}
        (other, None) => assert!(other != "QuoteProblem" && data.is_none(), "{answer:?}"),
        _ => panic!("{answer:?}"),
    }
    for item in data.into_iter().flatten() {
        let is_known = item["type"].as_str().is_some_and(|kind| INVALID.contains(&kind));
        let is_whole = item["loc"].is_array() && item["msg"].is_string() && item["url"].is_string();
        assert!(is_known && is_whole && item.get("input").is_some(), "{answer:?}");
    }
    if matches!(answer.status, 429 | 503) {
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
    }
}
