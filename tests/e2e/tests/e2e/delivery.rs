//! Payouts of push functions when more or less than the signed input was delivered, and the use of a surplus.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use alloy_sol_types::SolError;
use firmquote_domain::{Address, GoodUntilKind, NativeSide, Offer, U256};
use firmquote_e2e::{
    demo::{self, DAI, DESTINATION, ETH, USDC},
    evm::Outcome,
    exchange::PoolHarness,
    interface::FirmquotePool,
    swapping::SignedSwap,
};

const KINDS: [GoodUntilKind; 2] = [GoodUntilKind::Plain, GoodUntilKind::Verified];

/// The resolution of the delivered fraction of an input, and the maximum fraction that counts.
const FRACTION_STEPS: u64 = 10_000_000_000;
const MAX_FRACTION: u64 = FRACTION_STEPS / 1000 * 1005;

/// Returns a signed swap. The trader has twice the input and has pushed nothing yet.
async fn signed(kind: GoodUntilKind, positions: (usize, usize)) -> (PoolHarness, SignedSwap) {
    let mut exchange = PoolHarness::open(demo::opening(kind));
    let offer = demo::offer(&mut exchange, positions);
    let swap = exchange.sign(offer, demo::terms(NativeSide::Neither, false)).await.unwrap();
    exchange.fund(&swap);
    exchange.fund(&swap);
    (exchange, swap)
}

#[tokio::test]
async fn a_push_pays_in_proportion_and_at_most_half_a_percent_more() {
    for kind in KINDS {
        for percent in [1_u64, 50, 99, 100, 200] {
            let (mut exchange, swap) = signed(kind, (USDC, DAI)).await;
            let (input, output) = (swap.offer.input_amount.base_units(), swap.offer.output_amount.base_units());
            let pushed = input * U256::from(percent) / U256::from(100);
            let fraction = (pushed * U256::from(FRACTION_STEPS) / input).min(U256::from(MAX_FRACTION));
            let before = exchange.reserves();
            exchange.push(swap.offer.input_token, pushed);
            exchange.chain.send(&swap.transaction()).executed();
            let paid = output * fraction / U256::from(FRACTION_STEPS);
            assert_eq!(exchange.balance(swap.offer.output_token, DESTINATION), paid, "{kind:?} {percent} %");
            let after = exchange.reserves();
            assert_eq!([after[USDC] - before[USDC], before[DAI] - after[DAI]], [pushed, paid]);
        }
    }
}

#[tokio::test]
async fn a_push_too_small_to_buy_a_unit_is_rejected() {
    let (mut exchange, swap) = signed(GoodUntilKind::Plain, (DAI, USDC)).await;
    // Less than one step of the signed input.
    exchange.push(swap.offer.input_token, U256::ONE);
    let Outcome::Reverted(data) = exchange.chain.attempt(&swap.transaction()) else { panic!("executed") };
    assert_eq!(data, FirmquotePool::InputTooSmall { received: U256::ONE }.abi_encode());
}

#[tokio::test]
async fn tokens_pushed_in_an_earlier_transaction_go_to_the_next_swapper() {
    let (mut exchange, swap) = signed(GoodUntilKind::Verified, (USDC, DAI)).await;
    exchange.push(swap.offer.input_token, swap.offer.input_amount.base_units());
    let mut offer = swap.offer;
    offer.destination = Address::repeat_byte(0x11);
    let second = exchange.sign(offer, swap.terms).await.unwrap();
    exchange.chain.send(&second.transaction()).executed();
    let output = swap.offer.output_amount.base_units();
    assert_eq!(exchange.balance(swap.offer.output_token, offer.destination), output);
    assert!(!exchange.chain.attempt(&swap.transaction()).is_executed());
}

#[tokio::test]
async fn excess_value_buys_nothing_and_stays_in_the_pool() {
    for kind in KINDS {
        let mut exchange = PoolHarness::open(demo::opening(kind));
        let swap = demo::ready(&mut exchange, (ETH, USDC), demo::terms(NativeSide::Input, false)).await;
        exchange.fund(&SignedSwap {
            offer: Offer {
                input_amount: swap.offer.input_amount.checked_add(swap.offer.input_amount).unwrap(),
                ..swap.offer
            },
            ..swap
        });
        let value = swap.offer.input_amount.base_units() * U256::from(2);
        let before = exchange.reserves();
        exchange.chain.send(&swap.transaction().with_value(value)).executed();
        assert_eq!(exchange.reserves()[ETH] - before[ETH], value);
        assert_eq!(exchange.balance(swap.offer.output_token, DESTINATION), swap.offer.output_amount.base_units());
    }
}
