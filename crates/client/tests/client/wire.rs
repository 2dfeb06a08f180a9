//! Requests and responses, member by member.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use firmquote_client::{
    Address, Amount, B256, Bytes, ChainId, Error, Execution, GoodUntil, NativeSide, QuoteGridRequest, QuoteState,
    Reaction, SignRequest, SignedSwap, SwapAmount, SwapTerms, SwapsRequest, Symbol, Timestamp, Transaction, U256,
    UnixSeconds, parse_address,
};
use serde_json::{Value, json};

use crate::server::{QUOTE, Server, request, response};

pub(crate) const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
pub(crate) const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";
const GOOD_UNTIL: &str = "1305967964221884476954132374366490859220409286614282592359675628416574";

pub(crate) fn address(text: &str) -> Address {
    parse_address(text).unwrap()
}

pub(crate) fn signed() -> Value {
    json!({
        "chain_id": 1,
        "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
        "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
        "good_until": GOOD_UNTIL,
        "destination_address": DESTINATION,
        "signature": {
            "v": 28,
            "r": "0x1c5aefb43dba46e1f5f0e4f0ea0d1b4a7c8f51ed3a2f0b6c9d8e7f60514a3b2c",
            "s": "0x3264b5a1f0e9d8c7b6a5948372615049382716f5e4d3c2b1a09f8e7d6c5bfd6b"
        },
        "service_exchange_address": POOL,
        "calldata": "0x2b651a6c"
    })
}

pub(crate) fn quoted_and_signed() -> Value {
    let mut swap = signed();
    let quote: Value = serde_json::from_str(QUOTE).unwrap();
    for name in ["id", "input_value_in_usd", "output_value_in_usd", "created_at", "rate"] {
        swap[name] = quote[name].clone();
    }
    swap
}

pub(crate) fn terms() -> SwapTerms {
    SwapTerms::transmit_and_swap(address(DESTINATION))
}

pub(crate) fn to_sign(terms: SwapTerms) -> SignRequest {
    SignRequest { quote_id: "bdb2784e-107b-4dab-a125-b6f62540d958".parse().unwrap(), terms }
}

/// Returns the first line of a request, and its body as JSON.
pub(crate) fn line_and_body(request: &str) -> (&str, Value) {
    let body = request.split("\r\n\r\n").nth(1).unwrap_or_default();
    (request.lines().next().unwrap(), serde_json::from_str(body).unwrap_or_default())
}

#[tokio::test]
async fn quotes_are_parsed_to_the_last_digit() {
    let server = Server::responding(200, "x-request-id: theirs\r\n", QUOTE).await;
    let quote = server.client().quote(&request()).await.unwrap();
    assert_eq!((quote.meta.request_id.as_str(), quote.text.as_str()), ("theirs", QUOTE));
    assert_eq!(quote.must_accept_by, Timestamp::from_micros(1_795_223_042_704_406));
    assert!(quote.is_open(Timestamp::from_micros(1_795_223_042_704_405)) && !quote.is_open(*quote.must_accept_by));
    assert_eq!(
        (quote.good_until.get(), quote.created_at.get(), quote.chain_id.get()),
        (1_795_223_102, 1_795_223_030, 1)
    );
    assert_eq!(quote.rate.to_bits(), 2078.539413_f64.to_bits());
    let line = "GET /rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    assert_eq!(server.requests()[0].lines().next().unwrap(), format!("{line} HTTP/1.1"));
}

#[tokio::test]
async fn both_versions_request_the_same_quote() {
    let body = QUOTE.replace("2078539413\"", "7\"");
    let server = Server::responding(200, "", &body).await;
    let mut request = request();
    request.amount = SwapAmount::ExactOutput("7".parse().unwrap());
    request.time_in_seconds = Some(90);
    server.anonymous_client().quote(&request).await.unwrap();
    request.pool_address = Some(address(POOL));
    let error = server.client().quote(&request).await.unwrap_err();
    assert!(error.to_string().ends_with("pool_address differs from the request"), "the quote has no pool: {error}");
    let [first, second] = server.requests().try_into().unwrap();
    let members = json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC", "output_amount": "7",
        "time_in_seconds": "90"});
    assert_eq!(line_and_body(&first), ("POST /rfq/quote HTTP/1.1", members));
    let line = "GET /rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&output_amount=7&time_in_seconds=90";
    assert_eq!(line_and_body(&second).0, format!("{line}&pool_address={POOL} HTTP/1.1"));

    let error = server.anonymous_client().quote(&request).await.unwrap_err();
    assert!(matches!(error, Error::NeedsApiKey(_)), "{error:?}");
    assert_eq!((error.reaction(), server.requests().len()), (Reaction::GiveUp, 2));
}

#[tokio::test]
async fn a_signed_swap_is_parsed_with_its_transaction() {
    let server = Server::responding(200, "", &signed().to_string()).await;
    let swap: SignedSwap = server.client().sign(&to_sign(terms())).await.unwrap().value;
    assert_eq!(swap.good_until.to_word(), GOOD_UNTIL.parse::<U256>().unwrap());
    assert!(matches!(*swap.good_until, GoodUntil::Packed(packed) if packed.input_price.steps() == 208_052_700_000));
    assert_eq!((swap.signature.v(), swap.signature.r()[0], swap.signature.s()[31]), (28, 0x1c, 0x6b));
    let data = Bytes::from_static(&[0x2b, 0x65, 0x1a, 0x6c]);
    let transaction = Transaction { to: address(POOL), value: U256::ZERO, data };
    assert_eq!(swap.transaction(), Some(transaction.clone()));

    let native = server.client().sign(&to_sign(terms().with_native(NativeSide::Input))).await.unwrap();
    let value = U256::from(1_000_000_000_000_000_000_u64);
    assert_eq!(native.transaction(), Some(Transaction { value, ..transaction }));
}

#[tokio::test]
async fn only_terms_that_differ_from_the_service_defaults_are_sent() {
    let server = Server::responding(200, "", &signed().to_string()).await;
    let sender = Some(address(POOL));
    let terms = SwapTerms { sender, aux_data: Some(B256::repeat_byte(7)), native: NativeSide::Output, ..terms() };
    server.anonymous_client().sign(&to_sign(terms)).await.unwrap();
    server.client().sign(&to_sign(SwapTerms::swap(address(DESTINATION)))).await.unwrap();
    let [first, second] = server.requests().try_into().unwrap();
    let id = "bdb2784e-107b-4dab-a125-b6f62540d958";
    let members = json!({"quote_id": id, "destination_address": DESTINATION, "sender_address": POOL,
        "aux_data": format!("0x{}", "07".repeat(32)), "native_output": true, "transmit": true, "calldata": true});
    assert_eq!(line_and_body(&first), ("POST /rfq/sign HTTP/1.1", members));
    let members = json!({"quote_id": id, "destination_address": DESTINATION, "calldata": true});
    assert_eq!(line_and_body(&second), ("POST /rfq/v2/sign HTTP/1.1", members));
}

#[tokio::test]
async fn quote_and_sign_takes_one_round_trip_with_an_api_key_and_two_without() {
    let server = Server::responding(200, "", &quoted_and_signed().to_string()).await;
    let with_key = server.client().quote_and_sign(&request(), &terms()).await.unwrap();
    assert_eq!(server.requests().len(), 1);
    let query = "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";
    let line =
        format!("GET /rfq/v2/quote-sign/1?{query}&destination_address={DESTINATION}&transmit=true&calldata=true");
    assert_eq!(line_and_body(&server.requests()[0]).0, format!("{line} HTTP/1.1"));

    let server = Server::start(vec![response(200, "", QUOTE), response(200, "", &signed().to_string())]).await;
    let without = server.anonymous_client().quote_and_sign(&request(), &terms()).await.unwrap();
    assert_eq!((with_key.quote.id, with_key.quote.created_at), (without.quote.id, without.quote.created_at));
    assert_eq!(with_key.swap.transaction(), without.swap.transaction());
}

#[tokio::test]
async fn request_ids_are_generated_or_chosen_by_the_caller() {
    let server = Server::responding(200, "", QUOTE).await;
    let client = server.client();
    let ids = [client.quote(&request()).await.unwrap(), client.quote(&request()).await.unwrap()]
        .map(|response| response.meta.request_id);
    assert_ne!(ids[0], ids[1]);
    let quote = client.with_request_id("swap-7").unwrap().quote(&request()).await.unwrap();
    assert_eq!(quote.meta.request_id, "swap-7");
    assert!(server.requests()[2].contains("\r\nx-request-id: swap-7\r\n"));
    assert!(server.requests()[0].contains(&format!("\r\nx-request-id: {}\r\n", ids[0])));
    for id in ["", "a b", &"x".repeat(65)] {
        assert!(client.with_request_id(id).is_err(), "{id}");
    }
}

const STATUS: &str = r#"{"quote_id":"bdb2784e-107b-4dab-a125-b6f62540d958","state":"settled","chain_id":1,
    "pool_address":"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359","created_at":1795223030,
    "must_accept_by":"2026-11-21 01:04:02.704406+00:00","good_until":1795223102,
    "signed_at":"2026-11-21 01:03:55.120000+00:00","execution":"guaranteed",
    "settled":{"transaction_hash":"0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060","log_index":12,
        "block_number":21000000,"block_timestamp":1795223043,"confirmations":3,"input_amount":"1000000000000000000",
        "output_amount":"0"}}"#;

#[tokio::test]
async fn a_status_is_parsed_with_its_settlement() {
    let id = "bdb2784e-107b-4dab-a125-b6f62540d958".parse().unwrap();
    let server = Server::responding(200, "", STATUS).await;
    let status = server.client().quote_status(id).await.unwrap();
    let line = "GET /rfq/v2/quote-status/bdb2784e-107b-4dab-a125-b6f62540d958 HTTP/1.1";
    assert_eq!(line_and_body(&server.requests()[0]).0, line);
    assert_eq!((status.state, status.execution), (QuoteState::Settled, Some(Execution::Guaranteed.into())));
    assert_eq!(status.signed_at, Some(Timestamp::from_micros(1_795_223_035_120_000).into()));
    let settled = status.settled.unwrap();
    assert_eq!((settled.log_index, settled.block_number, settled.output_amount), (12, 21_000_000, U256::ZERO.into()));
    assert!(status.is_final(3) && !status.is_final(4));

    let mut created: Value = serde_json::from_str(STATUS).unwrap();
    for (member, value) in
        [("state", json!("created")), ("signed_at", Value::Null), ("execution", Value::Null), ("settled", Value::Null)]
    {
        created[member] = value;
    }
    let server = Server::responding(200, "", &created.to_string()).await;
    let status = server.client().quote_status(id).await.unwrap();
    assert_eq!((status.state, status.signed_at, status.execution), (QuoteState::Created, None, None));
    assert!(!status.is_final(0));
}

#[tokio::test]
async fn a_status_requires_an_api_key_and_must_be_of_the_requested_quote() {
    let other = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4".parse().unwrap();
    let server = Server::responding(200, "", STATUS).await;
    let error = server.client().quote_status(other).await.unwrap_err();
    assert!(error.to_string().contains("a different quote"), "{error}");
    assert!(matches!(server.anonymous_client().quote_status(other).await, Err(Error::NeedsApiKey(_))));
}

#[tokio::test]
async fn grids_are_requested_as_lists_and_parsed_with_gaps() {
    const GRID: &str = r#"{"chain_id":1,"pool_address":"0x655eDCE464CC797526600a462A8154650EEe4B77",
        "state_id":"70d694998af847a90115a30a7266ae1a","input_asset_address":"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
        "output_asset_address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","input_amounts":["1000","2"],
        "rows":[{"time_in_seconds":15,"fee_in_basis_points":7.62,"output_amounts":["3","1"]},
                {"time_in_seconds":60,"fee_in_basis_points":8.63,"output_amounts":["2",null]}]}"#;
    let amount = |units: &str| units.parse::<Amount>().unwrap();
    let request = QuoteGridRequest {
        chain_id: ChainId::new(1).unwrap(),
        input_asset: Symbol::new("ETH").unwrap(),
        output_asset: Symbol::new("USDC").unwrap(),
        inputs: vec![amount("1000"), amount("2")],
        times: vec![15, 60],
        pool_address: None,
    };
    let server = Server::responding(200, "", GRID).await;
    let grid = server.client().quote_grid(&request).await.unwrap();
    let line =
        "GET /rfq/v2/curve/1?input_asset_symbol=ETH&output_asset_symbol=USDC&amounts=1000%2C2&times=15%2C60 HTTP/1.1";
    assert_eq!(line_and_body(&server.requests()[0]).0, line);
    let [first, second] = &grid.rows[..] else { panic!("{grid:?}") };
    assert_eq!((first.time_in_seconds, first.fee_in_basis_points.hundredths()), (15, 762));
    assert_eq!(second.output_amounts, [Some(amount("2").into()), None]);
    let smaller = QuoteGridRequest { inputs: vec![amount("1000")], ..request.clone() };
    let error = server.client().quote_grid(&smaller).await.unwrap_err();
    assert!(error.to_string().contains("does not match the request"), "{error}");
    assert!(matches!(server.anonymous_client().quote_grid(&request).await, Err(Error::NeedsApiKey(_))));
}

#[tokio::test]
async fn signed_swaps_are_requested_and_parsed_by_page() {
    let swap = r#"{"quote_id":"bdb2784e-107b-4dab-a125-b6f62540d958","state":"lapsed","chain_id":1,
        "pool_address":"0x655eDCE464CC797526600a462A8154650EEe4B77","good_until":1795223102,
        "input_asset_address":"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2","input_amount":"7",
        "output_asset_address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","output_amount":"8",
        "destination_address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "signed_at":"2026-11-21 01:03:55.120000+00:00","execution":"guaranteed","settled":null}"#;
    let server = Server::responding(200, "", &format!(r#"{{"swaps":[{swap}],"next_cursor":"c1"}}"#)).await;
    let request = SwapsRequest {
        since: Some(UnixSeconds::new(1)),
        until: Some(UnixSeconds::new(2)),
        cursor: Some("c0".to_owned()),
        limit: Some(3),
    };
    let page = server.client().signed_swaps(&request).await.unwrap();
    let line = "GET /rfq/v2/swaps?since=1&until=2&cursor=c0&limit=3 HTTP/1.1";
    assert_eq!(line_and_body(&server.requests()[0]).0, line);
    assert_eq!((page.next_cursor.as_deref(), page.swaps.len()), (Some("c1"), 1));
    assert_eq!((page.swaps[0].state, page.swaps[0].output_amount), (QuoteState::Lapsed, U256::from(8).into()));
    let anonymous = server.anonymous_client().signed_swaps(&SwapsRequest::default()).await;
    assert!(matches!(anonymous, Err(Error::NeedsApiKey(_))));
}
