//! The example `swap` of `firmquote-verify` itself: a wallet swaps on a node and is paid to the unit.

use alloy_provider::{
    ProviderBuilder,
    network::{EthereumWallet, ReceiptResponse as _},
};
use alloy_signer_local::PrivateKeySigner;
use firmquote_client::{SwapAmount, SwapTerms};
use firmquote_domain::{Address, B256, NativeSide, U256};
use firmquote_e2e::{
    configuration::SYMBOLS,
    demo::{DAI, ETH, USDC},
    world::TestEnvironment,
};

use crate::client::{
    example::{self, Contracts},
    setup::{api_key, client, get, give, request},
};

/// Base units of each token that the wallet gets.
const TOKENS: U256 = U256::from_limbs([10_000_000_000_000_000_000, 0, 0, 0]);

/// Returns the balance of `account` in the token at `position`, or in native coin.
async fn holding(world: &TestEnvironment, account: Address, position: usize, is_native: bool) -> U256 {
    if is_native {
        return world.node.native_balance(account).await;
    }
    world.balance(world.token(position), account).await
}

#[tokio::test]
async fn the_example_swaps_in_every_form_and_pays_to_the_unit() {
    let world = TestEnvironment::start().await;
    let client = client(&world.service, api_key());
    let key = PrivateKeySigner::from_bytes(&B256::repeat_byte(0x77)).unwrap();
    let wallet = key.address();
    let node = ProviderBuilder::new().wallet(EthereumWallet::from(key)).connect_http(world.node.url().parse().unwrap());
    world.provide_native(wallet).await;
    for token in [USDC, DAI] {
        world.provide(world.token(token), wallet, TOKENS).await;
    }
    let forms: [(usize, usize, NativeSide, SwapAmount); 6] = [
        (USDC, DAI, NativeSide::Neither, give("25000001")),
        (DAI, USDC, NativeSide::Neither, get("3000007")),
        (ETH, USDC, NativeSide::Input, give("12000000000000007")),
        (ETH, DAI, NativeSide::Input, get("20000000000000000003")),
        (USDC, ETH, NativeSide::Output, give("26000003")),
        (DAI, ETH, NativeSide::Output, get("11000000000000007")),
    ];
    for pool in [world.plain, world.verified] {
        for (input, output, native, amount) in forms {
            let (is_paid_in_coins, is_paid_out_in_coins) = (native == NativeSide::Input, native == NativeSide::Output);
            let before = (
                holding(&world, wallet, input, is_paid_in_coins).await,
                holding(&world, wallet, output, is_paid_out_in_coins).await,
            );
            let request = request(SYMBOLS[input], SYMBOLS[output], amount);
            let contracts = Contracts { pool, input: world.token(input), output: world.token(output) };
            let first = world.node.nonce(wallet).await;
            let terms = SwapTerms::transmit_and_swap(wallet).with_native(native);
            let (swap, receipt) = example::swap(&client, &node, wallet, request, contracts, terms).await.unwrap();
            assert_eq!((*swap.service_exchange_address, receipt.to), (pool, Some(pool)));
            // One transaction approves the input, unless it is native coin, and one swaps.
            let transactions = world.node.nonce(wallet).await - first;
            assert_eq!(transactions, if is_paid_in_coins { 1 } else { 2 });

            let after = (
                holding(&world, wallet, input, is_paid_in_coins).await,
                holding(&world, wallet, output, is_paid_out_in_coins).await,
            );
            let gas = U256::from(receipt.cost());
            let paid = before.0 - after.0 - if is_paid_in_coins { gas } else { U256::ZERO };
            assert_eq!(paid, swap.input_amount.base_units(), "{swap:?}");
            match is_paid_out_in_coins {
                // The approval cost gas as well, which this receipt does not include.
                true => assert!(after.1 > before.1 && after.1 + gas <= before.1 + swap.output_amount.base_units()),
                false => assert_eq!(after.1 - before.1, swap.output_amount.base_units(), "{swap:?}"),
            }
        }
    }
}
