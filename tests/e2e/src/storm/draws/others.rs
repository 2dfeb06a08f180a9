//! Requests that are unrelated to quotes: pages, unknown paths, and requests to the admin listener.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::{CredentialKind, ExpectedClient, GeneratedRequest, one, values};
use crate::storm::{
    response_schema::ResponseKind,
    secrets::{ACME_KEY, ADMIN_TOKEN, WRONG},
    settings::POOLS,
    wire::RawRequest,
};

fn ask(raw_request: RawRequest, expected_client: ExpectedClient) -> GeneratedRequest {
    GeneratedRequest {
        raw_request,
        kind: ResponseKind::Other,
        credential_kind: CredentialKind::Odd,
        expected_client,
        is_tampered: false,
        signature: None,
    }
}

/// Draws a request for a page or an unknown path of the public listener.
pub(in crate::storm) fn pages(rng: &mut ChaCha8Rng) -> GeneratedRequest {
    let weird = values::query(rng).replace(['{', '}', '[', ']'], "%5D");
    let target = match rng.random_range(0..8) {
        0 => "/errors".to_owned(),
        1 => "/errors/missing".to_owned(),
        2 => format!("/errors/{weird}"),
        3 => format!("/{weird}"),
        4 => format!("/rfq/v2/{weird}/1?key={ACME_KEY}"),
        5 => "*".to_owned(),
        6 => "http://elsewhere.example/rfq/quote".to_owned(),
        _ => one(rng, &["/", "//", "/rfq", "/rfq/", "/rfq/quote/", "/RFQ/quote", "/metrics", "/prices", "/readyz"])
            .to_owned(),
    };
    let method = one(rng, &["GET", "GET", "HEAD", "POST", "OPTIONS", "CONNECT", "TRACE", "PROPFIND", "X"]);
    ask(RawRequest::new(method, target), ExpectedClient::Unsure)
}

/// Draws a request to the admin listener, with or without a valid token. Only the operator pauses and resumes pools, so
/// those requests never succeed here.
pub(in crate::storm) fn operators(rng: &mut ChaCha8Rng) -> GeneratedRequest {
    let price = match rng.random_range(0..3) {
        0 => values::json(rng),
        1 => json!(format!("12.{}", rng.random_range(0..100))).to_string(),
        _ => json!(rng.random_range(11..14)).to_string(),
    };
    let prices = format!("{{\"prices\":[{{\"symbol\":\"PSH\",\"price_usd\":{price}}}]}}");
    let put = RawRequest { method: "PUT", ..RawRequest::json("/prices", prices) };
    let pause = |word: &str, pool: &str| RawRequest::new("POST", format!("/pools/{pool}/{word}?chain_id=1"));
    let (raw_request, expected_client) = match rng.random_range(0..9) {
        0 => (
            RawRequest::new(one(rng, &["GET", "HEAD"]), one(rng, &["/healthz", "/readyz", "/metrics"])),
            ExpectedClient::Unsure,
        ),
        1 => (
            RawRequest::new(one(rng, &["POST", "GET", "BREW"]), one(rng, &["/healthz", "/pools", "/nothing"])),
            ExpectedClient::Unsure,
        ),
        2..5 => (put.header("authorization", format!("Bearer {ADMIN_TOKEN}")), ExpectedClient::Unsure),
        5 => (put.header("authorization", format!("Bearer {WRONG}")), ExpectedClient::Rejected),
        6 => (put, ExpectedClient::Rejected),
        7 => (
            pause(one(rng, &["pause", "resume"]), one(rng, &POOLS)).header("authorization", format!("Bearer {WRONG}")),
            ExpectedClient::Rejected,
        ),
        _ => {
            let unknown = values::query(rng).replace(['{', '}', '[', ']', '/'], "%5B");
            let raw_request = pause(one(rng, &["pause", "resume"]), &unknown);
            (raw_request.header("authorization", format!("bearer {ADMIN_TOKEN}")), ExpectedClient::Rejected)
        }
    };
    ask(raw_request, expected_client)
}
