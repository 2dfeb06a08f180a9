//! Random states of a pool, from one unit of a token without decimals to 1e30 units of one with 24.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{Amount, BasisPoints, Decimals, PoolConstant, Price, U256, U512, Weight};
use firmquote_pricing::{PairAsset, PairState};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of states for each property.
pub(crate) const STATES: u64 = 100_000;

/// Returns a generator that yields the same states on every run and machine.
pub(crate) fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Returns a number from 1 to `10^digits`; all lengths are equally likely.
pub(crate) fn amount(rng: &mut ChaCha8Rng, digits: u32) -> Amount {
    let length = rng.random_range(0..=digits);
    let top = U256::from(10).pow(U256::from(length));
    below(rng, top).checked_add(U256::ONE).and_then(Amount::new).unwrap()
}

/// Returns a number from 0 to `top - 1`.
pub(crate) fn below(rng: &mut ChaCha8Rng, top: U256) -> U256 {
    U256::from_limbs(rng.random()) % top
}

/// Returns an amount from 1 unit to 99.9 % of `reserve`; all lengths are equally likely.
pub(crate) fn trade(rng: &mut ChaCha8Rng, reserve: Amount) -> Amount {
    let max = (reserve.base_units() * U256::from(999) / U256::from(1000)).max(U256::ONE);
    let digits = u32::try_from(max.to_string().len()).unwrap();
    let size = amount(rng, digits).base_units().min(max);
    Amount::new(size).unwrap()
}

fn side(rng: &mut ChaCha8Rng) -> PairAsset {
    PairAsset {
        reserve: amount(rng, 30),
        price: Price::new(10_u64.pow(rng.random_range(0..16)).saturating_mul(rng.random_range(1..1000))).unwrap(),
        weight: Weight::new(if rng.random_ratio(1, 3) { 100 } else { rng.random_range(1..=u16::MAX) }).unwrap(),
        decimals: Decimals::new(rng.random_range(0..=24)).unwrap(),
    }
}

/// Returns any state; in three of four both reserves are worth about the same, as in traded pools.
pub(crate) fn state(rng: &mut ChaCha8Rng) -> PairState {
    let input = side(rng);
    let mut output = side(rng);
    if rng.random_ratio(3, 4) {
        balance(&input, &mut output);
    }
    let k = match rng.random_range(0..6) {
        0 => 0,
        1 => PoolConstant::SCALE / 2,
        2 => PoolConstant::SCALE / 100 * rng.random_range(0..50),
        _ => rng.random_range(0..PoolConstant::SCALE / 2),
    };
    let fee = match rng.random_range(0..3) {
        0 => rng.random_range(1..100),
        1 => 500,
        _ => rng.random_range(1..=50_000),
    };
    PairState {
        input,
        output,
        k: PoolConstant::new(k).unwrap(),
        fee: BasisPoints::from_hundredths(fee).unwrap(),
        max_improvement: None,
    }
}

/// Returns a bound of the offer: often a small one, which most states exceed in one direction.
pub(crate) fn bound(rng: &mut ChaCha8Rng) -> BasisPoints {
    BasisPoints::from_hundredths(rng.random_range(0..100_000) >> rng.random_range(0..17)).unwrap()
}

/// Sets the price of `output` so that both reserves are worth the same, within the range of prices.
pub(crate) fn balance(input: &PairAsset, output: &mut PairAsset) {
    let worth = U512::from(input.reserve.base_units())
        * U512::from(input.price.steps())
        * U512::from(output.decimals.units_per_token());
    let unit = U512::from(output.reserve.base_units()) * U512::from(input.decimals.units_per_token());
    let steps = u64::try_from(worth / unit).unwrap_or(u64::MAX);
    output.price = Price::new(steps.clamp(1, u64::MAX / 2)).unwrap();
}
