//! Calldata executed by a live deployment.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

use alloy_primitives::hex;
use firmquote_calldata::{SwapFunction, decode, encode, transaction_value};
use firmquote_domain::{
    Address, Amount, B256, ChainId, GoodUntil, NativeSide, Offer, PoolId, Signature, Terms, U256, parse_address,
};
use serde_json::Value;

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

fn address(case: &Value, key: &str) -> Address {
    parse_address(text(case, key)).unwrap()
}

fn word(value: &Value, key: &str) -> B256 {
    text(value, key).parse().unwrap()
}

fn amount(case: &Value, key: &str) -> Amount {
    text(case, key).parse().unwrap()
}

fn offer(case: &Value) -> Offer {
    let chain_id = ChainId::new(case["chain_id"].as_u64().unwrap()).unwrap();
    Offer {
        pool: PoolId { chain_id, address: address(case, "service_exchange_address") },
        input_token: address(case, "input_asset_address"),
        output_token: address(case, "output_asset_address"),
        input_amount: amount(case, "input_amount"),
        output_amount: amount(case, "output_amount"),
        good_until: GoodUntil::from_word(text(case, "good_until").parse().unwrap()).unwrap(),
        destination: address(case, "destination_address"),
    }
}

fn terms(case: &Value) -> Terms {
    let native = if text(case, "function") == "swap" { NativeSide::Neither } else { NativeSide::Input };
    let destination = address(case, "destination_address");
    Terms {
        destination,
        sender: destination,
        aux_data: word(case, "aux_data"),
        native,
        transmit: false,
        guarantee: false,
    }
}

#[test]
fn calldata_of_a_live_deployment_round_trips() {
    let vectors: Value = serde_json::from_str(include_str!("vectors/signatures.json")).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    let with_calldata: Vec<_> = cases.iter().filter(|case| case["calldata"].is_string()).collect();
    assert_eq!(with_calldata.len(), 2);
    for case in with_calldata {
        let (offer, terms, parts) = (offer(case), terms(case), &case["signature"]);
        let signature = Signature::new(word(parts, "r"), word(parts, "s"), parts["v"] == 28).unwrap();
        let calldata = encode(&offer, &terms, &signature);
        assert_eq!(hex::encode_prefixed(&calldata), text(case, "calldata"));

        let function = SwapFunction::new(terms.native, terms.transmit);
        assert_eq!(function.name(), text(case, "function"));
        let swap = decode(&calldata).unwrap();
        assert_eq!(swap.function, function);
        assert_eq!(swap.good_until, offer.good_until);
        assert_eq!(swap.aux_data.as_ref(), terms.aux_data.as_slice());
        let value = if function.is_payable() { offer.input_amount.base_units() } else { U256::ZERO };
        assert_eq!(transaction_value(&offer, terms.native), value);
    }
}
