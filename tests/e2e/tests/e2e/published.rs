//! The data that the service publishes of a pool suffices to recompute its quotes to the unit.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::{fs, path::Path, process::Command};

use firmquote_domain::{Amount, BasisPoints, Decimals, GoodUntilKind, NativeSide, SwapAmount, U256, Weight};
use firmquote_e2e::{
    configuration::SYMBOLS,
    evm::CHAIN_ID,
    world::{SwapRoute, TestEnvironment},
};
use firmquote_pricing::{PairAsset, PairState, price};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Returns an asset, merged from both sets of pool data.
fn side(onchain: &Value, offchain: &Value) -> PairAsset {
    assert_eq!(onchain["name"], offchain["name"]);
    PairAsset {
        reserve: onchain["balance"].as_str().unwrap().parse().unwrap(),
        price: offchain["price_in_usd"].to_string().parse().unwrap(),
        weight: Weight::new(offchain["listing_weight"].as_u64().unwrap().try_into().unwrap()).unwrap(),
        decimals: Decimals::new(offchain["decimals"].as_u64().unwrap().try_into().unwrap()).unwrap(),
    }
}

/// Returns the state of a pair, merged from both sets of pool data.
fn state(onchain: &Value, offchain: &Value, (input, output): (usize, usize)) -> PairState {
    let asset = |position: usize| side(&onchain["assets"][position], &offchain["assets"][position]);
    let trades = |pair: &&Value| {
        let names: Vec<&str> = pair["assets"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        names.contains(&SYMBOLS[input]) && names.contains(&SYMBOLS[output])
    };
    let pair = offchain["pairs"].as_array().unwrap().iter().find(trades).unwrap();
    PairState {
        input: asset(input),
        output: asset(output),
        k: offchain["pool"]["k"].to_string().parse().unwrap(),
        fee: pair["fee_in_basis_points"].to_string().parse().unwrap(),
        max_improvement: match &onchain["pool"]["max_improvement_bps"] {
            Value::Null => None,
            bound => Some(bound.to_string().parse::<BasisPoints>().unwrap()),
        },
    }
}

/// Returns the program of `docs/recomputing-a-quote.md`.
fn documented_program() -> &'static str {
    let (_, rest) = include_str!("../../../../docs/recomputing-a-quote.md").split_once("```python\n").unwrap();
    rest.split_once("```").unwrap().0
}

/// Runs the program and returns its output, or the error that it reports.
fn recompute(directory: &Path, arguments: [&str; 4]) -> Result<String, String> {
    let run =
        Command::new("python3").arg("recompute.py").arg("pool.json").args(arguments).current_dir(directory).output();
    let run = run.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
    if run.status.success() { Ok(text(run.stdout)) } else { Err(text(run.stderr)) }
}

#[tokio::test]
async fn the_documented_program_recomputes_both_kinds_of_quote_and_rejects_oversized_ones() {
    let world = TestEnvironment::start().await;
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("recompute.py"), documented_program()).unwrap();
    let query = format!("fieldset=all&pool_address={}&time_in_seconds=600", world.plain);
    let pools = world.service.get(&format!("/rfq/v2/pool/{CHAIN_ID}"), &query).await.ok();
    fs::write(directory.path().join("pool.json"), pools.to_string()).unwrap();
    for (tokens, member, other) in [
        ((0, 1), "input_amount", "output_amount"),
        ((1, 2), "output_amount", "input_amount"),
        ((2, 0), "input_amount", "output_amount"),
        ((1, 0), "output_amount", "input_amount"),
    ] {
        let (side, _) = member.split_once('_').unwrap();
        let position = if side == "input" { tokens.0 } else { tokens.1 };
        let reserve: Amount = pools["pools"][0]["assets"][position]["balance"].as_str().unwrap().parse().unwrap();
        let recompute =
            |amount: &str| recompute(directory.path(), [SYMBOLS[tokens.0], SYMBOLS[tokens.1], side, amount]);
        let amount = (reserve.base_units() / U256::from(977)).to_string();
        let route = SwapRoute { tokens, native: NativeSide::Neither, transmit: false };
        let quote = world.quote(world.plain, route, &format!("{member}={amount}")).await;
        assert_eq!(recompute(&amount).as_deref(), Ok(quote[other].as_str().unwrap()), "{tokens:?} {member}");
        let beyond = recompute(&(reserve.base_units() * U256::from(1_000_000)).to_string()).unwrap_err();
        assert!(beyond.starts_with("more than "), "{beyond}");
    }
}

#[tokio::test]
async fn the_documented_program_keeps_to_the_bound_of_a_pool_away_from_its_target() {
    let world = TestEnvironment::start().await;
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("recompute.py"), documented_program()).unwrap();
    let query = format!("fieldset=all&pool_address={}&time_in_seconds=600", world.plain);
    let mut pools = world.service.get(&format!("/rfq/v2/pool/{CHAIN_ID}"), &query).await.ok();
    // Four times as much of the last token: the curve pays 8 % and more for taking it.
    let balance = |pools: &Value, position: usize| -> Amount {
        pools["pools"][0]["assets"][position]["balance"].as_str().unwrap().parse().unwrap()
    };
    let more = balance(&pools, 2).base_units() * U256::from(4);
    pools["pools"][0]["assets"][2]["balance"] = more.to_string().into();
    for bound in [json!(null), json!(0), json!(12.34), json!(100), json!(5000)] {
        pools["pools"][0]["pool"]["max_improvement_bps"] = bound.clone();
        fs::write(directory.path().join("pool.json"), pools.to_string()).unwrap();
        for tokens in [(0, 2), (1, 2), (2, 1)] {
            let pair = state(&pools["pools"][0], &pools["pools"][0], tokens);
            for share in [1, 100, 100_000] {
                let amount = |reserve: Amount| Amount::new(reserve.base_units() / U256::from(7 * share)).unwrap();
                let [input, output] = [pair.input.reserve, pair.output.reserve].map(amount);
                for (side, fixed) in
                    [("input", SwapAmount::ExactInput(input)), ("output", SwapAmount::ExactOutput(output))]
                {
                    let swap = price(&pair, GoodUntilKind::Plain, fixed).unwrap();
                    let (given, expected) =
                        if side == "input" { (swap.input, swap.output) } else { (swap.output, swap.input) };
                    let arguments = [SYMBOLS[tokens.0], SYMBOLS[tokens.1], side, &given.to_string()];
                    assert_eq!(
                        recompute(directory.path(), arguments),
                        Ok(expected.to_string()),
                        "{bound} {arguments:?}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn anyone_can_recompute_a_quote_from_the_pool_data() {
    let world = TestEnvironment::start().await;
    for (address, kind) in [(world.plain, GoodUntilKind::Plain), (world.verified, GoodUntilKind::Verified)] {
        let path = format!("/rfq/v2/pool/{CHAIN_ID}");
        let query = format!("pool_address={address}&time_in_seconds=600");
        let onchain = world.service.get(&path, &query).await.ok();
        let offchain = world.service.get(&path, &format!("{query}&fieldset=offchain-data")).await.ok();
        let (onchain, offchain) = (&onchain["pools"][0], &offchain["pools"][0]);
        for tokens in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
            let pair = state(onchain, offchain, tokens);
            for thousandths in [1_u64, 37, 250] {
                let share = |amount: Amount| {
                    let units = amount.base_units() / U256::from(1_000);
                    Amount::new(units * U256::from(thousandths)).unwrap()
                };
                let route = SwapRoute { tokens, native: NativeSide::Neither, transmit: false };
                for (member, fixed) in [
                    ("input_amount", SwapAmount::ExactInput(share(pair.input.reserve))),
                    ("output_amount", SwapAmount::ExactOutput(share(pair.output.reserve))),
                ] {
                    let expected = price(&pair, kind, fixed).unwrap();
                    let (SwapAmount::ExactInput(amount) | SwapAmount::ExactOutput(amount)) = fixed;
                    let quote = world.quote(address, route, &format!("{member}={amount}")).await;
                    assert_eq!(quote["input_amount"], expected.input.to_string());
                    assert_eq!(quote["output_amount"], expected.output.to_string());
                }
            }
        }
    }
}
