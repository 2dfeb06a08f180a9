//! Error responses, and the reactions to them.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::time::Duration;

use firmquote_api as api;
use firmquote_client::{
    Amount, BasisPoints, Bounds, Error, ErrorType, Quote, Reaction, Reason, Refusal, SwapTerms, U256,
};
use serde_json::{Value, json};

use crate::server::{QUOTE, Server, request};

async fn refusal_of(status: u16, headers: &str, body: &str) -> Refusal {
    let server = Server::responding(status, headers, body).await;
    let error = server.client().quote(&request()).await.unwrap_err();
    error.refusal().unwrap().clone()
}

const fn after(seconds: u64) -> Reaction {
    Reaction::Retry { after: Some(Duration::from_secs(seconds)) }
}

#[tokio::test]
async fn every_invalid_input_is_listed() {
    let body = r#"{"errorMessage":"Invalid input data","errorType":"BadData","errorCode":422,"data":[
        {"type":"string_type","loc":["quote_id"],"msg":"Input should be a string","input":1,"url":"http://s/errors/string_type"},
        {"type":"missing","loc":["prices",3,"symbol"],"msg":"Field required","input":null,"url":"http://s/errors/missing"}]}"#;
    let refusal = refusal_of(400, "x-request-id: theirs\r\n", body).await;
    assert_eq!((refusal.status, refusal.error_type, refusal.error_code), (400, Some(ErrorType::BadData), Some(422)));
    assert_eq!((refusal.meta.request_id.as_str(), refusal.reaction()), ("theirs", Reaction::GiveUp));
    let [first, second] = refusal.invalid_fields.as_slice() else { panic!("{refusal:?}") };
    assert_eq!(
        (first.kind.as_str(), first.input.as_str(), first.url.as_str()),
        ("string_type", "1", "http://s/errors/string_type")
    );
    assert_eq!(second.location, ["prices", "3", "symbol"]);
    assert_eq!(
        Error::Refused(Box::new(refusal)).to_string(),
        "Invalid input data (HTTP 400); quote_id: Input should be a string; prices.3.symbol: Field required"
    );
}

#[tokio::test]
async fn a_conflict_carries_the_changes_and_a_fresh_quote() {
    let message = "Quote conflicts with latest prices. Please request a new quote.";
    let body_with = |members: &str| {
        format!(r#"{{"errorMessage":"{message}","errorType":"QuoteProblem","errorCode":409{members}}}"#)
    };
    let refusal =
        refusal_of(400, "", &body_with(&format!(r#","reason":"price","moved_bps":12.34,"fresh_quote":{QUOTE}"#))).await;
    assert_eq!(refusal.reaction(), Reaction::Requote);
    assert_eq!(refusal.reason, Some(Reason::Price));
    let conflict = refusal.conflict.unwrap();
    assert_eq!(conflict.moved, BasisPoints::from_hundredths(1_234));
    assert_eq!(conflict.fresh_quote.unwrap().output_amount.to_string(), "2078539413");

    let refusal = refusal_of(400, "", &body_with(r#","reason":"disabled""#)).await;
    assert_eq!(refusal.reaction(), Reaction::Requote);
    assert_eq!(refusal.reason, Some(Reason::Disabled));
    let conflict = refusal.conflict.unwrap();
    assert_eq!((conflict.moved, conflict.fresh_quote), (None, None));

    let refusal = refusal_of(400, "", &body_with("")).await;
    assert_eq!((refusal.reaction(), refusal.conflict), (Reaction::Requote, None));
}

#[tokio::test]
async fn an_invalid_optional_member_does_not_invalidate_the_others() {
    for (member, value) in [
        ("errorCode", json!("409")),
        ("data", json!([{"type": 1}])),
        ("reason", json!(7)),
        ("moved_bps", json!("12.34")),
        ("fresh_quote", json!({"id": "1"})),
    ] {
        let quote: Value = serde_json::from_str(QUOTE).unwrap();
        let mut body = json!({"errorMessage": "please request a new quote", "errorType": "QuoteProblem",
            "errorCode": 409, "data": [], "reason": "price", "moved_bps": 12.34, "fresh_quote": quote});
        body[member] = value;
        let refusal = refusal_of(400, "", &body.to_string()).await;
        assert_eq!(
            (refusal.error_type, refusal.reaction()),
            (Some(ErrorType::QuoteProblem), Reaction::Requote),
            "{member}"
        );
        assert_eq!(refusal.message, "please request a new quote");
        assert_eq!(refusal.error_code.is_none(), member == "errorCode");
        let conflict = refusal.conflict;
        assert_eq!(refusal.reason.is_none(), member == "reason");
        assert!(conflict.is_none_or(|conflict| {
            conflict.moved.is_none() == (member == "moved_bps")
                && conflict.fresh_quote.is_none() == (member == "fresh_quote")
        }));
    }
}

#[tokio::test]
async fn a_fresh_quote_must_be_for_the_quoted_swap() {
    const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";
    let mut quoted: Value = serde_json::from_str(QUOTE).unwrap();
    quoted["pool_address"] = json!(POOL);
    let quote: Quote =
        Server::responding(200, "", &quoted.to_string()).await.client().quote(&request()).await.unwrap().value;
    let terms = SwapTerms::transmit_and_swap(*quote.input_asset_address);
    for (changes, is_offered) in [
        (&[("output_amount", json!("2078539000"))][..], true),
        (&[("input_amount", json!("1000000000000000100"))], true),
        (&[("input_amount", json!("1000000000000000100")), ("output_amount", json!("2078539000"))], false),
        (&[("chain_id", json!(2))], false),
        (&[("input_asset_address", json!(POOL))], false),
        (&[("output_asset_address", json!(POOL))], false),
        (&[("pool_address", quoted["input_asset_address"].clone())], false),
    ] {
        let mut fresh = quoted.clone();
        for (member, value) in changes {
            fresh[member] = value.clone();
        }
        let body = json!({"errorMessage": "request a new quote", "errorType": "QuoteProblem", "errorCode": 409,
            "reason": "price", "fresh_quote": fresh});
        let server = Server::responding(400, "", &body.to_string()).await;
        let error = server.client().sign_quote(&quote, &terms).await.unwrap_err();
        assert_eq!(error.reaction(), Reaction::Requote);
        assert_eq!(error.fresh_quote().is_some(), is_offered, "{changes:?}");
        // The request says that the input is fixed.
        let error = server.client().quote_and_sign(&request(), &terms).await.unwrap_err();
        let is_requested = !changes.iter().any(|(member, _)| ["input_amount", "chain_id"].contains(member));
        assert_eq!(error.fresh_quote().is_some(), is_requested, "{changes:?}");
    }
}

#[tokio::test]
async fn retry_delays_and_limits_are_read_from_the_headers() {
    let body = r#"{"errorMessage":"Too many requests, please try again in 7 s","errorType":"RateLimited"}"#;
    let headers =
        "retry-after: 7\r\nratelimit: \"credential\";r=0;t=7\r\nratelimit-policy: \"credential\";q=5;w=35\r\n";
    let refusal = refusal_of(429, headers, body).await;
    assert_eq!((refusal.reaction(), refusal.error_type), (after(7), Some(ErrorType::RateLimited)));
    let limit = refusal.meta.rate_limit.unwrap();
    assert_eq!((limit.policy.as_str(), limit.remaining, limit.quota), ("credential", 0, Some(5)));

    for reason in ["pool_limit", "client_limit", "outstanding_limit"] {
        let body = format!(r#"{{"errorMessage":"no","errorType":"QuoteProblem","errorCode":409,"reason":"{reason}"}}"#);
        assert_eq!(refusal_of(400, "retry-after: 12\r\n", &body).await.reaction(), after(12), "{reason}");
        let refusal = refusal_of(400, "", &body).await;
        assert_eq!((refusal.reaction(), refusal.conflict), (Reaction::GiveUp, None), "{reason}");
    }
}

#[tokio::test]
async fn unknown_errors_are_classified_by_status() {
    let unknown = r#"{"errorMessage":"new","errorType":"SomethingNew"}"#;
    let later = Reaction::Retry { after: None };
    for body in [unknown, "<html>Bad Gateway</html>", "", "[1]", r#"{"errorType":7}"#] {
        for (status, reaction) in [
            (400, Reaction::GiveUp),
            (401, Reaction::GiveUp),
            (403, Reaction::GiveUp),
            (404, Reaction::GiveUp),
            (408, later),
            (409, Reaction::Requote),
            (429, later),
            (500, Reaction::GiveUp),
            (502, later),
            (503, later),
            (504, later),
        ] {
            let refusal = refusal_of(status, "", body).await;
            assert_eq!(refusal.reaction(), reaction, "{status} {body}");
            assert_eq!(refusal.error_type, None, "{body}");
        }
    }
}

#[tokio::test]
async fn each_reason_has_its_reaction_and_its_bounds() {
    for reason in Reason::ALL {
        let (status, error_type) = reason.status();
        let body = json!({"errorMessage": "no", "errorType": error_type.name(), "reason": reason.name()});
        let refusal = refusal_of(status, "", &body.to_string()).await;
        let expected = match reason.reaction() {
            api::Reaction::Retry => Reaction::Retry { after: None },
            api::Reaction::Requote => Reaction::Requote,
            api::Reaction::RetryIfTold | api::Reaction::GiveUp => Reaction::GiveUp,
        };
        assert_eq!((refusal.reason, refusal.reaction()), (Some(*reason), expected));
    }
    let body = json!({"errorMessage": "no", "errorType": "QuoteProblem", "reason": "too_large", "field": "input_amount",
        "max_amount": "12", "retry_after_ms": 250});
    let refusal = refusal_of(400, "retry-after: 1\r\n", &body.to_string()).await;
    let expected =
        Bounds { field: Some("input_amount".into()), max_amount: Amount::new(U256::from(12)), ..Bounds::default() };
    assert_eq!((refusal.bounds, refusal.retry_after), (expected, Some(Duration::from_millis(250))));
}
