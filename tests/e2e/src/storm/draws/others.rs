//! Requests that are unrelated to quotes: pages, unknown paths, and requests to the admin listener.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::{Ask, Asker, Showing, one, values};
use crate::storm::{
    forms::ResponseKind,
    secrets::{ACME_KEY, ADMIN_TOKEN, WRONG},
    settings::POOLS,
    wire::Draft,
};

fn ask(draft: Draft, asker: Asker) -> Ask {
    Ask { draft, form: ResponseKind::Other, showing: Showing::Odd, asker, is_tampered: false, wanted: None }
}

/// Draws a request for a page or an unknown path of the public listener.
pub(in crate::storm) fn pages(rng: &mut ChaCha8Rng) -> Ask {
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
    ask(Draft::new(method, target), Asker::Unsure)
}

/// Draws a request to the admin listener, with or without a valid token. Only the operator pauses and resumes pools, so
/// those requests never succeed here.
pub(in crate::storm) fn operators(rng: &mut ChaCha8Rng) -> Ask {
    let price = match rng.random_range(0..3) {
        0 => values::json(rng),
        1 => json!(format!("12.{}", rng.random_range(0..100))).to_string(),
        _ => json!(rng.random_range(11..14)).to_string(),
    };
    let prices = format!("{{\"prices\":[{{\"symbol\":\"PSH\",\"price_usd\":{price}}}]}}");
    let put = Draft { method: "PUT", ..Draft::json("/prices", prices) };
    let pause = |word: &str, pool: &str| Draft::new("POST", format!("/pools/{pool}/{word}?chain_id=1"));
    let (draft, asker) = match rng.random_range(0..9) {
        0 => (Draft::new(one(rng, &["GET", "HEAD"]), one(rng, &["/healthz", "/readyz", "/metrics"])), Asker::Unsure),
        1 => (
            Draft::new(one(rng, &["POST", "GET", "BREW"]), one(rng, &["/healthz", "/pools", "/nothing"])),
            Asker::Unsure,
        ),
        2..5 => (put.header("authorization", format!("Bearer {ADMIN_TOKEN}")), Asker::Unsure),
        5 => (put.header("authorization", format!("Bearer {WRONG}")), Asker::Nobody),
        6 => (put, Asker::Nobody),
        7 => (
            pause(one(rng, &["pause", "resume"]), one(rng, &POOLS)).header("authorization", format!("Bearer {WRONG}")),
            Asker::Nobody,
        ),
        _ => {
            let unknown = values::query(rng).replace(['{', '}', '[', ']', '/'], "%5B");
            let draft = pause(one(rng, &["pause", "resume"]), &unknown);
            (draft.header("authorization", format!("bearer {ADMIN_TOKEN}")), Asker::Nobody)
        }
    };
    ask(draft, asker)
}
