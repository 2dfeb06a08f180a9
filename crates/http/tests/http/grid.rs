//! Hypothetical quotes of many sizes.

use reqwest::Method;
use serde_json::Value;

use crate::support::Rig;

const PAIR: &str = "input_asset_symbol=ETH&output_asset_symbol=USDC";

#[tokio::test]
async fn every_cell_matches_a_quote_in_the_same_state() {
    let rig = Rig::start().await;
    let path = format!("/rfq/v2/curve/1?{PAIR}&amounts=1000000000000000000,1,2000000000000000000&times=60,15");
    let grid = rig.get(&path).await.success();
    assert_eq!(grid["input_amounts"], serde_json::json!(["1000000000000000000", "1", "2000000000000000000"]));
    let rows = grid["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["time_in_seconds"].as_u64().unwrap()).collect::<Vec<_>>(), [60, 15]);
    for row in rows {
        let outputs = row["output_amounts"].as_array().unwrap();
        for (input, output) in grid["input_amounts"].as_array().unwrap().iter().zip(outputs) {
            let (input, time) = (input.as_str().unwrap(), &row["time_in_seconds"]);
            let query = format!("/rfq/v2/quote/1?{PAIR}&input_amount={input}&time_in_seconds={time}");
            let answer = rig.get(&query).await;
            if input == "1" {
                assert_eq!((answer.status, output), (400, &Value::Null));
                continue;
            }
            let quote = answer.success();
            for name in ["state_id", "pool_address", "chain_id", "input_asset_address", "output_asset_address"] {
                assert_eq!(quote[name], grid[name], "{name}");
            }
            assert_eq!((&quote["output_amount"], &quote["fee_in_basis_points"]), (output, &row["fee_in_basis_points"]));
        }
    }
}

#[tokio::test]
async fn a_request_is_validated_as_a_whole() {
    let rig = Rig::start().await;
    let get = async |query: &str| rig.get(&format!("/rfq/v2/curve/1?{query}")).await;
    let expected = ["missing amounts", "missing input_asset_symbol", "missing output_asset_symbol"];
    assert_eq!(sorted(get("").await.invalid()), expected);
    let many = vec!["1"; 33].join(",");
    for (list, expected) in [
        ("amounts=1,x", "int_parsing amounts.1"),
        ("amounts=1,,2", "int_parsing amounts.1"),
        ("amounts=0", "out_of_range amounts.0"),
        (&format!("amounts={many}"), "out_of_range amounts"),
        ("amounts=1&times=1,2,3,4,5,6,7,8,9", "out_of_range times"),
        ("amounts=1&times=15,100000", "out_of_range times"),
    ] {
        assert_eq!(get(&format!("{PAIR}&{list}")).await.invalid(), [expected], "{list}");
    }
    let keyless = rig.request(Method::GET, &format!("/rfq/v2/curve/1?{PAIR}&amounts=1"));
    assert_eq!(rig.send(keyless).await.error().0, 401);
}

fn sorted(mut items: Vec<String>) -> Vec<String> {
    items.sort();
    items
}
