//! Results computed in another language: by `vectors/generate.py` with 200 digits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, Decimals, PoolConstant, Price, Weight};
use firmquote_pricing::{PairAsset, PairState, input_for, output_for};
use serde_json::Value;

fn number<T: TryFrom<u64, Error: std::fmt::Debug>>(value: &Value) -> T {
    value.as_u64().unwrap().try_into().unwrap()
}

fn amount(value: &Value) -> Amount {
    value.as_str().unwrap().parse().unwrap()
}

fn side(value: &Value) -> PairAsset {
    PairAsset {
        reserve: amount(&value["reserve"]),
        price: Price::new(number(&value["price_e8"])).unwrap(),
        weight: Weight::new(number(&value["weight"])).unwrap(),
        decimals: Decimals::new(number(&value["decimals"])).unwrap(),
    }
}

#[test]
fn every_vector_is_reproduced_to_the_unit() {
    let vectors: Vec<Value> = serde_json::from_str(include_str!("vectors/prices.json")).unwrap();
    assert_eq!(vectors.len(), 300);
    for vector in vectors {
        let pair = PairState {
            input: side(&vector["input"]),
            output: side(&vector["output"]),
            k: PoolConstant::new(number(&vector["k_e18"])).unwrap(),
            fee: BasisPoints::from_hundredths(number(&vector["fee_hundredths_bp"])).unwrap(),
            max_improvement: None,
        };
        let (input, output) = (amount(&vector["input_amount"]), amount(&vector["output_amount"]));
        match vector["fixed"].as_str().unwrap() {
            "input_amount" => assert_eq!(output_for(&pair, input), Ok(output), "{vector}"),
            _ => assert_eq!(input_for(&pair, output), Ok(input), "{vector}"),
        }
    }
}
