//! Reproducible random numbers of any length, and random pools.
#![expect(clippy::expect_used, reason = "a draw outside its own bounds is a failed test")]

use firmquote_domain::{
    Address, Amount, BasisPoints, Decimals, GoodUntilKind, PoolConstant, Price, U256, U512, Weight,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::exchange::{Listing, Opening};

/// One US dollar in price steps.
pub const DOLLAR: u64 = 100_000_000;

/// The decimals of a pool's tokens; wrapped native is the first.
const DECIMALS: [u8; 7] = [18, 6, 8, 18, 18, 24, 0];

/// Returns a generator that yields the same numbers for the same seed on every machine.
pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Draws a number from `low` to `high`, or returns `low` if it is greater than `high`. All bit lengths in the range are
/// equally likely.
pub fn log_uniform(rng: &mut ChaCha8Rng, low: U256, high: U256) -> U256 {
    let high = high.max(low);
    let bits = rng.random_range(low.bit_len()..=high.bit_len());
    let lowest = if bits == 0 { U256::ZERO } else { low.max(U256::ONE << (bits - 1)) };
    let highest = if bits == 0 { U256::ZERO } else { high.min(U256::MAX >> (256 - bits)) };
    let spread = (highest - lowest).saturating_add(U256::ONE);
    lowest + U256::from_limbs(rng.random()) % spread
}

/// [`log_uniform`] for 64-bit numbers.
pub fn log_uniform_u64(rng: &mut ChaCha8Rng, low: u64, high: u64) -> u64 {
    u64::try_from(log_uniform(rng, U256::from(low), U256::from(high))).expect("at most high")
}

/// Draws an unused address.
pub fn address(rng: &mut ChaCha8Rng) -> Address {
    Address::from(rng.random::<[u8; 20]>())
}

/// Draws a fee from 1 to 50 basis points.
pub fn fee(rng: &mut ChaCha8Rng) -> BasisPoints {
    let hundredths = if rng.random_ratio(1, 3) { 100 } else { rng.random_range(100..=5_000) };
    BasisPoints::from_hundredths(hundredths).expect("below the whole")
}

/// Draws a k from 0 to 0.5.
pub fn pool_constant(rng: &mut ChaCha8Rng) -> PoolConstant {
    const HALF: u64 = PoolConstant::SCALE / 2;
    let steps = match rng.random_range(0..8) {
        0 => 0,
        1 => HALF,
        2 => HALF / 50 * rng.random_range(1..50),
        3 => log_uniform_u64(rng, 1, HALF),
        _ => rng.random_range(0..=HALF),
    };
    PoolConstant::new(steps).expect("below one")
}

/// Draws a pool of seven tokens, each with a price from 1e-8 to 100,000 US dollars and a reserve worth from about a
/// hundred to twenty billion US dollars, within a factor of a few hundred of the others.
pub fn opening(rng: &mut ChaCha8Rng, kind: GoodUntilKind) -> Opening {
    let share = log_uniform_u64(rng, 2_000 * DOLLAR, 1_500_000_000 * DOLLAR);
    let k = pool_constant(rng);
    let max_decimals = match kind {
        GoodUntilKind::Plain => u8::MAX,
        GoodUntilKind::Verified => 18,
    };
    let listings = DECIMALS.into_iter().map(|decimals| listing(rng, share, decimals.min(max_decimals))).collect();
    Opening { kind, k, listings }
}

/// Draws a token whose reserve is worth a third to three times `share`, or less or more if its weight is unusual.
fn listing(rng: &mut ChaCha8Rng, share: u64, decimals: u8) -> Listing {
    let weight = if rng.random_ratio(1, 8) { rng.random_range(1..=u16::MAX) } else { rng.random_range(20..=500) };
    let usual = share / 300 * rng.random_range(100..=900);
    // The lower the weight of a token, the larger its reserve.
    let worth = usual / u64::from(weight.clamp(20, 500)) * 100;
    let units = U256::from(10).pow(U256::from(decimals));
    // At least a thousand base units, even for a token without decimals.
    let dearest = U512::from(worth) * U512::from(units) / U512::from(1_000);
    let dearest = u64::try_from(dearest).unwrap_or(u64::MAX).min(100_000 * DOLLAR);
    let price = log_uniform_u64(rng, 1, dearest);
    Listing {
        decimals: Decimals::new(decimals).expect("at most 24"),
        weight: Weight::new(weight).expect("above zero"),
        price: Price::new(price).expect("above zero"),
        reserve: U256::from(worth) * units / U256::from(price),
    }
}

/// Draws an amount, never zero.
pub fn amount(rng: &mut ChaCha8Rng, low: Amount, high: Amount) -> Amount {
    Amount::new(log_uniform(rng, low.base_units(), high.base_units())).unwrap_or(Amount::ONE)
}
