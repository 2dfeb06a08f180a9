//! Checks after a storm that the server still works, up to the capacity of its store.

use firmquote_test_servers::patience::wait_until;
use serde_json::{Value, json};

use super::{
    client::StormContext,
    draws::DESTINATIONS,
    response_schema::{self, ResponseKind},
    secrets::ACME_KEY,
    settings::MAX_QUOTES,
    wire::{Connection, RawRequest, Response},
};

/// Checks that the server still quotes, signs and enforces the limit of its store.
///
/// # Panics
/// If it does not.
pub(super) fn check(context: &StormContext<'_>) {
    // The store may still be full of quotes that have not expired yet.
    let id = wait_until("a quote is made", || quote(context, 137).map_err(|answer| format!("{answer:?}")));
    sign(context, &id);
    // A slot becomes free once another quote, or its signature, has expired.
    let long_lived = wait_until("a quote that is valid for an hour is made", || {
        quote(context, 10).map_err(|answer| format!("{answer:?}"))
    });
    let refused = (0..MAX_QUOTES).find_map(|_| quote(context, 10).err());
    let refused = refused.unwrap_or_else(|| panic!("the store exceeds its limit"));
    // One client cannot use more than its share.
    assert_eq!((refused.status, &refused.json()["errorType"]), (429, &json!("RateLimited")), "{refused:?}");
    sign(context, &long_lived);
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answer = exchange(context.admin, &RawRequest::new("GET", path));
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

fn quote(context: &StormContext<'_>, chain: u64) -> Result<String, Response> {
    let query = "input_asset_symbol=USDC&output_asset_symbol=DAI&input_amount=25000000";
    let answer = exchange(context.public, &RawRequest::new("GET", format!("/rfq/v2/quote/{chain}?{query}")));
    response_schema::check(&answer, "GET", ResponseKind::Quote);
    if answer.status == 200 { Ok(member(&answer.json(), "id")) } else { Err(answer) }
}

fn sign(context: &StormContext<'_>, id: &str) {
    let terms = json!({"quote_id": id, "destination_address": DESTINATIONS[0]});
    let answer = exchange(context.public, &RawRequest::json("/rfq/v2/sign", terms.to_string()));
    response_schema::check(&answer, "POST", ResponseKind::Sign);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(member(&answer.json(), "destination_address"), DESTINATIONS[0]);
}

fn exchange(address: std::net::SocketAddr, raw_request: &RawRequest) -> Response {
    let mut connection = Connection::open(address);
    connection.send(&raw_request.clone().header("x-api-key", ACME_KEY).bytes());
    connection.receive(raw_request.method).unwrap_or_else(|| panic!("no response to {raw_request:?}"))
}

fn member(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_else(|| panic!("no {name} in {body}")).to_owned()
}
