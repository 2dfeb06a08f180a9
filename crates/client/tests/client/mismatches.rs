//! Responses that contradict the request or contain an invalid value.

use firmquote_client::{Error, Reaction};
use serde_json::{Value, json};

use crate::{
    server::{QUOTE, Server, request, response},
    wire::{DESTINATION, POOL, address, quoted_and_signed, signed, terms, to_sign},
};

#[tokio::test]
async fn responses_to_a_different_request_are_rejected() {
    let change = |member: &str, value: Value| {
        let mut object = quoted_and_signed();
        object[member] = value;
        object.to_string()
    };
    let mut without_calldata = quoted_and_signed();
    without_calldata.as_object_mut().unwrap().remove("calldata");
    for (body, reason) in [
        (change("destination_address", json!(POOL)), "it pays to another destination"),
        (change("expires_at", json!(1)), "its expires_at is not that of good_until"),
        (change("chain_id", json!(2)), "chain_id differs from the request"),
        (change("input_amount", json!("1000000000000000001")), "it is for another amount"),
        (without_calldata.to_string(), "it has unrequested calldata, or lacks requested calldata"),
    ] {
        let server = Server::responding(200, "", &body).await;
        let error = server.client().quote_and_sign(&request(), &terms()).await.unwrap_err();
        assert!(error.to_string().ends_with(reason), "{error}");
        assert_eq!(error.reaction(), Reaction::GiveUp);
    }
    let lower = signed().to_string().replace("2078539413", "2078539412");
    let server = Server::start(vec![response(200, "", QUOTE), response(200, "", &lower)]).await;
    let error = server.anonymous_client().quote_and_sign(&request(), &terms()).await.unwrap_err();
    assert!(error.to_string().contains("the swap differs from the quote; quote bdb2784e"), "{error}");
}

#[tokio::test]
async fn quotes_must_match_the_requested_levels_and_pool() {
    let levels_id = "0198c7a25f7e4b6a9d273c2f7b0e4a11";
    let mut request = request();
    request.levels_id = Some(levels_id.parse().unwrap());
    request.pool_address = Some(address(POOL));
    for (levels, pool, reason) in [
        (json!(levels_id), json!(POOL), None),
        (json!("0198c7a25f7e4b6a9d273c2f7b0e4a12"), json!(POOL), Some("levels_id differs from the request")),
        (Value::Null, json!(POOL), Some("levels_id differs from the request")),
        (json!(levels_id), json!(DESTINATION), Some("pool_address differs from the request")),
    ] {
        let mut quote: Value = serde_json::from_str(QUOTE).unwrap();
        (quote["levels_id"], quote["pool_address"]) = (levels, pool);
        let server = Server::responding(200, "", &quote.to_string()).await;
        let outcome = server.client().quote(&request).await;
        assert_eq!(outcome.is_ok(), reason.is_none());
        let error = outcome.err().map(|error| error.to_string());
        assert!(reason.is_none_or(|reason| error.as_ref().is_some_and(|error| error.contains(reason))), "{error:?}");
    }
}

#[tokio::test]
async fn swaps_must_match_the_requested_levels() {
    let levels_id = "0198c7a25f7e4b6a9d273c2f7b0e4a11";
    for (requested, levels, is_match) in [
        (Some(levels_id), json!(levels_id), true),
        (Some(levels_id), json!("0198c7a25f7e4b6a9d273c2f7b0e4a12"), false),
        (Some(levels_id), Value::Null, false),
        (None, json!(levels_id), false),
    ] {
        let mut swap = quoted_and_signed();
        swap["levels_id"] = levels;
        let server = Server::responding(200, "", &swap.to_string()).await;
        let mut request = request();
        request.levels_id = requested.map(|id| id.parse().unwrap());
        let outcome = server.client().quote_and_sign(&request, &terms()).await;
        let error = outcome.as_ref().err().map(ToString::to_string).unwrap_or_default();
        assert_eq!(outcome.is_ok(), is_match, "{error}");
        assert!(is_match || error.ends_with("levels_id differs from the request"), "{error}");
    }
}

#[tokio::test]
async fn signed_terms_must_match_the_quote() {
    for (member, value) in [
        ("output_amount", json!("1")),
        ("input_amount", json!("1000000000000000001")),
        ("output_asset_address", json!(POOL)),
        ("good_until", json!("1795223103")),
        ("chain_id", json!(2)),
        ("service_exchange_address", json!(DESTINATION)),
    ] {
        let mut swap = signed();
        swap["good_until"] = json!("1795223102");
        let mut quote: Value = serde_json::from_str(QUOTE).unwrap();
        quote["pool_address"] = json!(POOL);
        let quote = quote.to_string();
        let server = Server::start(vec![response(200, "", &quote), response(200, "", &swap.to_string())]).await;
        let quote = server.client().quote(&request()).await.unwrap();
        assert_eq!(server.client().sign_quote(&quote, &terms()).await.unwrap().output_amount, quote.output_amount);

        swap[member] = value;
        let server = Server::responding(200, "", &swap.to_string()).await;
        let error = server.client().sign_quote(&quote, &terms()).await.unwrap_err();
        assert!(error.to_string().ends_with("the swap differs from the quote"), "{member}: {error}");
    }
}

#[tokio::test]
async fn an_invalid_value_invalidates_the_response() {
    let quote: Value = serde_json::from_str(QUOTE).unwrap();
    for (member, value) in [
        ("input_amount", json!("0")),
        ("input_amount", json!(1.5)),
        ("output_amount", json!("1e9")),
        ("id", json!("7")),
        ("must_accept_by", json!("soon")),
        ("good_until", json!(-1)),
        ("chain_id", json!(0)),
        ("input_asset_address", json!("0xc02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")),
        ("rate", json!("x")),
    ] {
        let mut quote = quote.clone();
        quote[member] = value.clone();
        let server = Server::responding(200, "", &quote.to_string()).await;
        let error = server.client().quote(&request()).await.unwrap_err();
        assert!(matches!(error, Error::InvalidResponse { status: 200, .. }), "{member} {value}: {error:?}");
    }
    for (member, value) in [("good_until", json!("0x10")), ("calldata", json!("0x1"))] {
        let mut swap = signed();
        swap[member] = value;
        let server = Server::responding(200, "", &swap.to_string()).await;
        assert!(
            matches!(server.client().sign(&to_sign(terms())).await, Err(Error::InvalidResponse { .. })),
            "{member}"
        );
    }
    for (part, value) in [("v", json!(29)), ("r", json!("0x00")), ("s", json!(format!("0x{}", "ff".repeat(32))))] {
        let mut swap = signed();
        swap["signature"][part] = value;
        let server = Server::responding(200, "", &swap.to_string()).await;
        assert!(matches!(server.client().sign(&to_sign(terms())).await, Err(Error::InvalidResponse { .. })), "{part}");
    }
}
