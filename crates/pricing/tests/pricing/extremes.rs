//! Values at the limits of what can be configured or requested: always a price or a reason, never a panic or an
//! undecided result.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, Decimals, GoodUntilKind, PoolConstant, Price, SwapAmount, U256, Weight};
use firmquote_pricing::{PairAsset, PairState, PricingError, input_for, output_for, price};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::states;

/// Returns one of the ends of a range, or a value between them.
fn edge<T>(rng: &mut ChaCha8Rng, low: T, high: T, between: T) -> T {
    match rng.random_range(0..3) {
        0 => low,
        1 => high,
        _ => between,
    }
}

fn amount(rng: &mut ChaCha8Rng) -> Amount {
    let random = U256::from_limbs(rng.random()) >> rng.random_range(0..256_usize);
    let between = Amount::new(random.max(U256::ONE)).unwrap();
    edge(rng, Amount::ONE, Amount::MAX, between)
}

fn side(rng: &mut ChaCha8Rng) -> PairAsset {
    let (price, weight) = (rng.random_range(1..=u64::MAX), rng.random_range(1..=u16::MAX));
    PairAsset {
        reserve: amount(rng),
        price: Price::new(edge(rng, 1, u64::MAX, price)).unwrap(),
        weight: Weight::new(edge(rng, 1, u16::MAX, weight)).unwrap(),
        decimals: Decimals::new(edge(rng, 0, 24, 18)).unwrap(),
    }
}

fn state(rng: &mut ChaCha8Rng) -> PairState {
    let one = PoolConstant::SCALE;
    let k = [0, 1, one / 2, one - 1, one - rng.random_range(1..1_000_000), rng.random_range(0..one)];
    let fee = edge(rng, 0, BasisPoints::SCALE - 1, 863);
    PairState {
        input: side(rng),
        output: side(rng),
        k: PoolConstant::new(*k.get(rng.random_range(0..k.len())).unwrap()).unwrap(),
        fee: BasisPoints::from_hundredths(fee).unwrap(),
        max_improvement: None,
    }
}

#[test]
fn every_price_is_decided_or_rejected_with_a_bound() {
    let mut rng = states::generator(21);
    let mut priced = 0;
    for _ in 0..30_000 {
        let (pair, fixed_amount) = (state(&mut rng), amount(&mut rng));
        match output_for(&pair, fixed_amount) {
            Ok(output) => {
                priced += 1;
                assert!(output < pair.output.reserve, "{pair:?}");
                assert!(input_for(&pair, output).is_ok_and(|cost| cost <= fixed_amount), "{fixed_amount} in {pair:?}");
            }
            Err(error) => assert_ne!(error, PricingError::Undecided, "{fixed_amount} in {pair:?}"),
        }
        match input_for(&pair, fixed_amount) {
            Ok(input) => {
                let result = output_for(&pair, input);
                assert!(
                    result.is_ok_and(|result| result >= fixed_amount)
                        || input == Amount::MAX
                        || exceeds_reserve(result),
                    "{fixed_amount} in {pair:?}"
                );
            }
            Err(error) => assert_ne!(error, PricingError::Undecided, "{fixed_amount} in {pair:?}"),
        }
    }
    assert!(priced > 2_000, "only {priced} states had a price");
}

/// One unit of input may buy more than the reserve: the requested output costs one unit, which is too large as an
/// input.
fn exceeds_reserve(result: Result<Amount, PricingError>) -> bool {
    matches!(result, Err(PricingError::TooLarge { .. } | PricingError::Empty))
}

#[test]
fn verified_pools_are_priced_at_the_extremes() {
    let mut rng = states::generator(22);
    for _ in 0..5_000 {
        let (pair, fixed_amount) = (state(&mut rng), amount(&mut rng));
        for fixed in [SwapAmount::ExactInput(fixed_amount), SwapAmount::ExactOutput(fixed_amount)] {
            if let Err(error) = price(&pair, GoodUntilKind::Verified, fixed) {
                assert_ne!(error, PricingError::Undecided, "{fixed:?} in {pair:?}");
            }
        }
    }
}
