//! Valid requests for signatures.

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::{CredentialKind, DESTINATIONS, GeneratedRequest, Route, SignatureRequest, one, quotes};
use crate::storm::{expected_quotes::Terms, response_schema::ResponseKind, settings::CHAINS, wire::RawRequest};

/// Draws terms from a small set, so that the same terms recur.
pub(in crate::storm) fn terms(rng: &mut ChaCha8Rng) -> Terms {
    let destination = one(rng, &DESTINATIONS);
    Terms {
        destination,
        sender: if rng.random_ratio(1, 4) { one(rng, &DESTINATIONS) } else { destination },
        aux_data: rng
            .random_ratio(1, 6)
            .then_some("0xabababababababababababababababababababababababababababababababab"),
        native_input: rng.random_ratio(1, 12),
        native_output: rng.random_ratio(1, 12),
        transmit: rng.random_ratio(1, 4),
    }
}

/// Draws a request for the signature of a quote.
pub(in crate::storm) fn sign(
    rng: &mut ChaCha8Rng,
    credential_kind: CredentialKind,
    quote_id: &str,
    terms: Terms,
) -> GeneratedRequest {
    let route = if credential_kind == CredentialKind::AcmeBasic || rng.random() { Route::V1 } else { Route::V2 };
    let path = if route == Route::V1 { "/rfq/sign" } else { "/rfq/v2/sign" };
    let mut body = json!({"quote_id": quote_id, "destination_address": terms.destination});
    // Defaults may be omitted without changing the meaning.
    let mut put = |name: &str, value: serde_json::Value, is_default: bool| {
        if !is_default || rng.random_ratio(1, 4) {
            body[name] = value;
        }
    };
    put("sender_address", json!(terms.sender), terms.sender == terms.destination);
    put("native_input", json!(terms.native_input), !terms.native_input);
    put("native_output", json!(terms.native_output), !terms.native_output);
    put("transmit", json!(terms.transmit), !terms.transmit);
    put("aux_data", json!(terms.aux_data), terms.aux_data.is_none());
    put("calldata", json!(true), false);
    let raw_request = credential_kind.put_on(RawRequest::json(path, body.to_string()), rng);
    let signature = SignatureRequest { quote_id: Some(quote_id.to_owned()), terms };
    GeneratedRequest {
        raw_request,
        kind: ResponseKind::Sign,
        credential_kind,
        expected_client: credential_kind.expected_client(route),
        is_tampered: false,
        signature: Some(signature),
    }
}

/// Draws a request for a quote and its signature in one call.
pub(in crate::storm) fn quote_sign(rng: &mut ChaCha8Rng) -> GeneratedRequest {
    let (credential_kind, pool, terms) = (CredentialKind::any(rng), rng.random_range(0..3), terms(rng));
    let best = rng.random::<bool>().then_some(pool);
    let mut query = quotes::query(&quotes::parameters(rng, best));
    let Terms { destination, sender, native_input, native_output, transmit, aux_data } = terms;
    query.push_str(&format!("&destination_address={destination}&sender_address={sender}&native_input={native_input}"));
    query.push_str(&format!("&native_output={native_output}&transmit={transmit}&calldata=true"));
    if let Some(aux_data) = aux_data {
        query.push_str(&format!("&aux_data={aux_data}"));
    }
    let raw_request =
        credential_kind.put_on(RawRequest::new("GET", format!("/rfq/v2/quote-sign/{}?{query}", CHAINS[pool])), rng);
    let signature = SignatureRequest { quote_id: None, terms };
    GeneratedRequest {
        raw_request,
        kind: ResponseKind::QuoteSign,
        credential_kind,
        expected_client: credential_kind.expected_client(Route::V2),
        is_tampered: false,
        signature: Some(signature),
    }
}
