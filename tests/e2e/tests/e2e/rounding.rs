//! Sizes from which the on-chain check leaves the correctly rounded price unchanged, and the price below them.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use firmquote_domain::{Amount, BasisPoints, GoodUntilKind, PoolConstant, SwapAmount, U256, Usd};
use firmquote_e2e::draw::{self, DOLLAR};
use firmquote_pricing::{PairAsset, PairState, input_for, min_amount_worth, output_for, price, would_execute};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Returns a pair as drawn by [`draw::opening`] with a fee of one basis point, and an input worth ten to twenty cents.
fn quoted_pair(rng: &mut ChaCha8Rng, k: PoolConstant) -> (PairState, Amount) {
    let opening = draw::opening(rng, GoodUntilKind::Verified);
    let first = rng.random_range(0..opening.listings.len());
    let second = (first + rng.random_range(1..opening.listings.len())) % opening.listings.len();
    let side = |position: usize| {
        let listing = opening.listings.get(position).unwrap();
        let reserve = Amount::new(listing.reserve).unwrap();
        PairAsset { reserve, price: listing.price, weight: listing.weight, decimals: listing.decimals }
    };
    let fee = BasisPoints::from_hundredths(100).unwrap();
    let pair = PairState { input: side(first), output: side(second), k, fee, max_improvement: None };
    let smallest = min_amount_worth(pair.input.price, pair.input.decimals, Usd::new(DOLLAR / 10));
    let largest = smallest.base_units() * U256::from(2);
    let input = draw::amount(rng, smallest, Amount::new(largest).unwrap());
    (pair, input)
}

#[test]
fn rounded_amounts_execute_unchanged_from_ten_cents_at_one_basis_point() {
    let mut rng = draw::generator(2);
    let mut count = 0;
    for _ in 0..60_000 {
        let k = draw::pool_constant(&mut rng);
        let (pair, input) = quoted_pair(&mut rng, k);
        let Ok(output) = output_for(&pair, input) else { continue };
        assert!(would_execute(&pair, input, output), "{pair:?} {input} {output}");
        let Some(more) = output.checked_add(Amount::ONE) else { continue };
        let Ok(input) = input_for(&pair, more) else { continue };
        assert!(would_execute(&pair, input, more), "{pair:?} {input} {more}");
        count += 1;
    }
    assert!(count > 45_000, "{count}");
}

#[test]
fn prices_worsen_to_the_nearest_executable_amount_where_the_contract_would_revert() {
    let mut rng = draw::generator(3);
    let mut worsened = 0;
    for _ in 0..20_000 {
        let k = PoolConstant::new(rng.random_range(97 * (PoolConstant::SCALE / 100)..PoolConstant::SCALE)).unwrap();
        let (pair, input) = quoted_pair(&mut rng, k);
        let (Ok(swap), Ok(rounded)) =
            (price(&pair, GoodUntilKind::Verified, SwapAmount::ExactInput(input)), output_for(&pair, input))
        else {
            continue;
        };
        assert!(would_execute(&pair, swap.input, swap.output), "{pair:?} {swap:?}");
        assert!(swap.output <= rounded, "{pair:?} {swap:?}");
        if swap.output < rounded {
            let next = swap.output.checked_add(Amount::ONE).unwrap();
            assert!(!would_execute(&pair, swap.input, next), "{pair:?} {swap:?}");
            worsened += 1;
        }
    }
    eprintln!("{worsened} worsened");
    assert!(worsened > 500, "{worsened}");
}
