//! The entry point of the fuzz target `nodes`: responses of nodes, over HTTP and over a WebSocket.
//!
//! Compiled for fuzzing and for the test that replays the target's corpus; not part of any program.

use alloy_json_rpc::{Id, ResponsePayload, RpcError};
use alloy_primitives::Bytes;
use alloy_sol_types::SolCall as _;
use firmquote_domain::Timestamp;
use hyper::StatusCode;
use serde_json::{Value, value::RawValue};

use super::{
    Call, Head, NodeFault,
    contract_call::{SwapPool, Token, contract_fault, decode_return},
    head::BlockHeader,
    node::node_fault,
    reserves,
    transport::{over_http, over_web_socket},
    url::NodeUrl,
};
use crate::{
    fuzzing::check_error_text,
    sources::chainlink::{Aggregator, fuzz_round},
};

/// The secrets in the address, which only the node may see.
const SECRETS: [&str; 2] = ["0123456789abcdef", "u0041bcdefgh"];

/// Reads `data` as the response to a request, and its result as a block and as the return data of contracts.
///
/// # Panics
/// If a response is accepted that contains a secret of the address, or an error is not one short line.
pub fn nodes(data: &[u8]) {
    let [path, query] = SECRETS;
    let Ok(url) = NodeUrl::parse(&format!("https://node.example/v3/{path}?key={query}"), 0) else { return };
    if over_web_socket(&url, &String::from_utf8_lossy(data)).is_some() {
        check_no_secret(&String::from_utf8_lossy(data));
    }
    match over_http(&url, StatusCode::OK, data, Some(Id::Number(1))) {
        Ok(answer) => {
            check_no_secret(&String::from_utf8_lossy(data));
            match answer.single_payload() {
                Some(ResponsePayload::Success(result)) => check_result(result),
                Some(ResponsePayload::Failure(error)) => {
                    check_error_text(&node_fault(Call::ChainId, RpcError::ErrorResp(error.clone())));
                    check_error_text(&contract_fault(Token::decimalsCall::SIGNATURE, error));
                }
                None => {}
            }
        }
        Err(fault) => check_error_text(&fault),
    }
}

fn check_result(json: &RawValue) {
    if let Ok(Some(header)) = serde_json::from_str::<Option<BlockHeader>>(json.get()) {
        match header.head() {
            Ok(head) => assert!(head.continues(&head), "{head:?}"),
            Err(fault) => check_error_text(&fault),
        }
    }
    if let Ok(bytes) = serde_json::from_str::<Bytes>(json.get()) {
        check_return_data(&bytes);
    }
}

/// Decodes `answer` as the return data of each contract function.
fn check_return_data(answer: &[u8]) {
    let head = Head {
        number: 1,
        hash: Default::default(),
        parent_hash: Default::default(),
        time: Timestamp::from_seconds(1_763_700_000),
    };
    let balances = decode_return::<SwapPool::allTokensBalanceCall>(answer)
        .and_then(|balances| reserves::reserves_from_balances(balances, &head));
    let faults = [
        balances.err(),
        decode_return::<SwapPool::DESIGNATED_SIGNERCall>(answer).err(),
        decode_return::<Token::decimalsCall>(answer).err(),
        decode_return::<Aggregator::latestRoundDataCall>(answer).map(|round| fuzz_round(&round, head.time)).err(),
    ];
    for fault in faults.into_iter().flatten() {
        assert!(matches!(fault, NodeFault::Contract(_)), "{fault}");
        check_error_text(&fault);
    }
}

/// Asserts that no string of a JSON value contains a secret once its escapes are decoded.
fn check_no_secret(json: &str) {
    let mut values: Vec<Value> = serde_json::from_str(json).into_iter().collect();
    while let Some(value) = values.pop() {
        let texts = match value {
            Value::String(text) => vec![text],
            Value::Array(entries) => {
                values.extend(entries);
                continue;
            }
            Value::Object(members) => {
                let (names, entries): (Vec<_>, Vec<_>) = members.into_iter().unzip();
                values.extend(entries);
                names
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => continue,
        };
        let is_leaked = texts.iter().any(|text| SECRETS.iter().any(|secret| text.contains(secret)));
        assert!(!is_leaked, "{texts:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firmquote_test_corpus::replay;

    #[test]
    fn node_responses_pass_the_fuzz_corpus() {
        replay("nodes", nodes);
    }
}
