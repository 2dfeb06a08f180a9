//! A wallet with the real server and a real node: quote, sign, send; the destination is paid to the unit.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use alloy_sol_types::{SolCall, SolError};
use firmquote_calldata::{SwapFunction, decode, decode_swapped};
use firmquote_domain::{Address, B256, NativeSide, U256};
use firmquote_e2e::{
    batch,
    demo::{DAI, ETH, USDC},
    evm::CHAIN_ID,
    interface::{FirmquotePool, TestToken},
    transaction::Transaction,
    world::{Signed, SwapRoute, TestEnvironment, symbols},
};
use serde_json::json;

/// Each function once, with an input and an output amount.
const ROUTES: [(SwapRoute, SwapFunction, &str, &str); 5] = [
    (route((USDC, DAI), NativeSide::Neither, false), SwapFunction::Swap, "25000001", "24000000000000000003"),
    (
        route((DAI, ETH), NativeSide::Neither, true),
        SwapFunction::TransmitAndSwap,
        "25000000000000000007",
        "11000000000000005",
    ),
    (route((ETH, USDC), NativeSide::Input, false), SwapFunction::SellEthForToken, "12000000000000007", "23000001"),
    (route((USDC, ETH), NativeSide::Output, false), SwapFunction::SellTokenForEth, "25000003", "11000000000000007"),
    (
        route((DAI, ETH), NativeSide::Output, true),
        SwapFunction::TransmitAndSellTokenForEth,
        "26000000000000000001",
        "12000000000000001",
    ),
];

const PUSH: SwapRoute = ROUTES[0].0;
const PULL: SwapRoute = route((USDC, DAI), NativeSide::Neither, true);
const AMOUNT: &str = "input_amount=25000000";

const fn route(tokens: (usize, usize), native: NativeSide, transmit: bool) -> SwapRoute {
    SwapRoute { tokens, native, transmit }
}

const fn destination(number: u8) -> Address {
    Address::repeat_byte(number)
}

/// Returns the wallet's balance of the input and the destination's balance of the output.
async fn holdings(world: &TestEnvironment, route: SwapRoute, destination: Address) -> (U256, U256) {
    let input = match route.native {
        NativeSide::Input => world.node.native_balance(world.wallet).await,
        NativeSide::Neither | NativeSide::Output => world.balance(world.token(route.tokens.0), world.wallet).await,
    };
    let output = match route.native {
        NativeSide::Output => world.node.native_balance(destination).await,
        NativeSide::Neither | NativeSide::Input => world.balance(world.token(route.tokens.1), destination).await,
    };
    (input, output)
}

/// Executes a signed swap and compares the changed balances with the signed amounts.
async fn execute(world: &TestEnvironment, route: SwapRoute, signed: &Signed) {
    if route.native != NativeSide::Input {
        world.provide(world.token(route.tokens.0), world.wallet, signed.input).await;
    }
    let before = holdings(world, route, signed.destination).await;
    world.prepare(route, signed).await;
    let receipt = world.node.send(&world.transaction(route, signed)).await;
    assert!(receipt.is_executed, "{route:?} {receipt:?}");
    let after = holdings(world, route, signed.destination).await;
    let gas = if route.native == NativeSide::Input { receipt.gas_cost } else { U256::ZERO };
    assert_eq!(before.0 - after.0 - gas, signed.input, "{route:?}");
    assert_eq!(after.1 - before.1, signed.output, "{route:?}");

    let (_, topics, data) = receipt.logs.iter().find(|(emitter, ..)| *emitter == signed.pool).unwrap();
    let event = decode_swapped(topics, data).unwrap();
    assert_eq!((event.input_amount, event.output_amount), (signed.input, signed.output));
    assert_eq!(event.recipient, signed.destination);
    assert_eq!(event.aux_data, B256::right_padding_from(b"Firmquote").to_vec(), "the service's name");
}

#[tokio::test]
async fn swaps_of_every_form_and_kind_pay_to_the_unit() {
    let world = TestEnvironment::start().await;
    for (number, pool) in (1..).zip([world.plain, world.verified]) {
        for (route, function, input, output) in ROUTES {
            let by_input = world.sign(pool, route, &format!("input_amount={input}"), destination(number)).await;
            assert_eq!((by_input.pool, by_input.input.to_string().as_str()), (pool, input));
            assert_eq!(decode(&by_input.calldata).unwrap().function, function);
            execute(&world, route, &by_input).await;
            let by_output = world.sign(pool, route, &format!("output_amount={output}"), destination(number)).await;
            assert_eq!(by_output.output.to_string(), output);
            execute(&world, route, &by_output).await;
        }
    }
}

#[tokio::test]
async fn version_1_serves_the_same_swaps() {
    let world = TestEnvironment::start().await;
    let quote = json!({
        "chain_id": CHAIN_ID,
        "input_asset_symbol": "USDC",
        "output_asset_symbol": "DAI",
        "input_amount": 25_000_000,
    });
    let quote = world.service.post("/rfq/quote", &quote).await.ok();
    let mut terms = world.terms(PULL, destination(1));
    terms["quote_id"] = quote["id"].clone();
    let signed = Signed::from_response(&world.service.post("/rfq/sign", &terms).await.ok());
    assert_eq!(quote["output_amount"], signed.output.to_string());
    execute(&world, PULL, &signed).await;

    let repeated = Signed::from_response(&world.service.post("/rfq/sign", &terms).await.ok());
    assert_eq!(repeated.calldata, signed.calldata, "the same terms get the same signature");
    terms["destination_address"] = json!(destination(2).to_string());
    assert_eq!(world.service.post("/rfq/sign", &terms).await.body["errorCode"], 409);
}

#[tokio::test]
async fn one_round_trip_is_enough() {
    let world = TestEnvironment::start().await;
    for pool in [world.plain, world.verified] {
        for (route, _, input, _) in ROUTES {
            let query = format!(
                "{}&input_amount={input}&pool_address={pool}&destination_address={}&calldata=true\
                 &native_input={}&native_output={}&transmit={}",
                symbols(route),
                destination(1),
                route.native == NativeSide::Input,
                route.native == NativeSide::Output,
                route.transmit,
            );
            let answer = world.service.get(&format!("/rfq/v2/quote-sign/{CHAIN_ID}"), &query).await.ok();
            execute(&world, route, &Signed::from_response(&answer)).await;
        }
    }
}

#[tokio::test]
async fn push_and_swap_fit_in_one_transaction() {
    let world = TestEnvironment::start().await;
    for (number, pool) in (1..).zip([world.plain, world.verified]) {
        let signed = world.sign(pool, PUSH, AMOUNT, destination(number)).await;
        let input = world.token(USDC);
        // Minting is the wallet's last transaction before the one with the calls.
        let caller = world.wallet.create(world.node.nonce(world.wallet).await + 1);
        world.provide(input, caller, signed.input).await;
        let push = TestToken::transferCall { to: pool, amount: signed.input }.abi_encode();
        let calls = [(input, push), (pool, signed.calldata.clone())];
        world.execute(&Transaction::creating(world.wallet, batch::creation_code(&calls))).await;
        assert_eq!(world.balance(input, caller).await, U256::ZERO);
        assert_eq!(world.balance(world.token(DAI), signed.destination).await, signed.output);
    }
}

/// Returns a swap that would execute: the wallet holds the input and the pool has an allowance.
async fn prepared(world: &TestEnvironment, pool: Address, amount: &str) -> Signed {
    let signed = world.sign(pool, PULL, amount, destination(1)).await;
    world.provide(world.token(USDC), world.wallet, signed.input).await;
    world.prepare(PULL, &signed).await;
    signed
}

async fn assert_reverts(world: &TestEnvironment, transaction: &Transaction, error: &[u8]) {
    let before = world.balance(world.token(DAI), destination(1)).await;
    let receipt = world.node.send(transaction).await;
    assert!(!receipt.is_executed, "{receipt:?}");
    assert_eq!(world.balance(world.token(DAI), destination(1)).await, before);
    let reason = world.node.reason(transaction).await;
    assert!(reason.starts_with(error), "{reason}");
}

#[tokio::test]
async fn a_swap_executes_until_its_last_second_and_not_after() {
    // Afterwards the node's time is ahead of the server's, so each kind has its own environment.
    for choose in [|world: &TestEnvironment| world.plain, |world: &TestEnvironment| world.verified] {
        let world = TestEnvironment::start().await;
        let pool = choose(&world);
        let in_time = prepared(&world, pool, "input_amount=25000000").await;
        let late = prepared(&world, pool, "input_amount=25000001").await;
        let approval = TestToken::approveCall { spender: pool, amount: U256::MAX };
        world.execute(&Transaction::calling(world.wallet, world.token(USDC), &approval)).await;

        world.node.set_next_time(in_time.last_second()).await;
        let receipt = world.node.send(&world.transaction(PULL, &in_time)).await;
        assert_eq!((receipt.is_executed, receipt.unix_seconds), (true, in_time.last_second()));
        world.node.set_next_time(late.last_second() + 1).await;
        let expired = FirmquotePool::Expired { unixTime: U256::from(late.last_second()) };
        assert_reverts(&world, &world.transaction(PULL, &late), &expired.abi_encode()).await;
    }
}

#[tokio::test]
async fn tampered_calldata_reverts() {
    let world = TestEnvironment::start().await;
    for pool in [world.plain, world.verified] {
        let signed = prepared(&world, pool, AMOUNT).await;
        let untouched = world.transaction(PULL, &signed);
        // The last bytes of both amounts, good_until, destination and r.
        for word in [2, 3, 4, 5, 7] {
            let mut tampered = untouched.clone();
            tampered.data[4 + word * 32 + 31] ^= 1;
            let mut error = FirmquotePool::WrongSigner::SELECTOR.to_vec();
            if word == 7 {
                // Not every number is a valid r of a signature.
                error.clear();
            }
            assert_reverts(&world, &tampered, &error).await;
        }
        world.execute(&untouched).await;
        assert_eq!(world.balance(world.token(ETH), destination(1)).await, U256::ZERO);
    }
}

#[tokio::test]
async fn a_signature_executes_once() {
    let world = TestEnvironment::start().await;
    for pool in [world.plain, world.verified] {
        let signed = prepared(&world, pool, AMOUNT).await;
        let transaction = world.transaction(PULL, &signed);
        world.execute(&transaction).await;
        world.provide(world.token(USDC), world.wallet, signed.input).await;
        world.prepare(PULL, &signed).await;
        assert_reverts(&world, &transaction, &FirmquotePool::AlreadyUsed::SELECTOR).await;
    }
}
