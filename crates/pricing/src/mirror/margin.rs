//! A fast sufficient condition for the contract to execute a swap, without the contract's arithmetic: the pool's gain
//! from the fee exceeds all possible truncation in the contract.
//!
//! With reals, `u(q) = (p q)^a / w^k`, `a = 1 - k` and `S` the sum of both terms, a swap that is no better for the
//! client than the curve's solution has `uX(qX + M in) + uY(qY - out) >= S before`. As `uX` is concave, the fee adds to
//! it
//!
//! ```text
//! S after - S before >= uX(qX + in) - uX(qX + M in) >= a * fee * in / (qX + in) * uX after
//! ```
//!
//! Each term that the contract computes has a relative error of at most `D = (50 + w) * 1e-18`, if its value `p q` is
//! at least `2^64` in 18 decimals:
//!
//! - the value is truncated by less than 1 in `2^64`: 6e-20;
//! - `log2` is too small by at most 64e-18: 59 rounds, whose truncations of 1.45e-18 each are halved from round to
//!   round and sum to 2.9e-18, the bits after them, 1.8e-18, and 59 truncated steps of 1e-18; `k * log2` is truncated
//!   once more, so that the power is too small by at most `65e-18 * ln 2` of itself;
//! - `exp2` truncates the fraction to 64 bits and multiplies by 64 factors rounded to 64 bits, `2^-59` to either side
//!   in all, and truncates the power, at least one, to 18 decimals: it lies within 48e-18 below and 2e-18 above;
//! - the quotient, at least `1e18 / w`, is truncated by less than 1: `w * 1e-18`.
//!
//! So the contract finds growth if `S after - S before > 2 D * S after`. `uY after` is at most `uY before`, and `uX
//! after` at least `uX before`: `S after <= uX after * (1 + R)` with `R = uY / uX before <= max(1, VY / VX) * max(1, wX
//! / wY)`, `V` the values. The remaining comparison,
//!
//! ```text
//! a * fee * in / (qX + in) >= 2 D * 2 * max(1, VY / VX) * max(1, wX / wY)
//! ```
//!
//! is made in powers of two, with each factor rounded against the swap.

use firmquote_domain::{Amount, BasisPoints, PoolConstant, U256};

use crate::{PairAsset, PairState, Swap};

/// Power of two up to which nothing in the contract's arithmetic overflows: the values, at most `2^174`, are multiplied
/// by a weight and by 1e18, and exponents are below 192.
const MAX_VALUE: i32 = 200;

/// Power of two from which a value divided by `1e8 < 2^26.6` is at least `2^64`.
const MIN_VALUE: i32 = 91;

/// Decimals of the contract's quantities.
const EIGHTEEN: u8 = 18;

/// Whether a verified pool certainly executes `swap`; `false` is inconclusive.
///
/// Valid only for swaps whose output is at most the curve's for their input, at the pair's own fee.
pub(crate) fn certainly_executes(pair: &PairState, swap: &Swap) -> bool {
    certainly_executes_between(pair, swap, swap).unwrap_or(false)
}

/// Whether a verified pool certainly executes every swap with an input from that of `smallest` to that of `largest` and an
/// output up to that of `largest`; `None` if that cannot be decided, for example without a fee.
///
/// The share of the input in the reserve rises with the input, so that its lower bound for `smallest` holds for all.
///
/// Valid only for swaps whose output is at most the curve's for their input, at the pair's own fee.
pub(crate) fn certainly_executes_between(pair: &PairState, smallest: &Swap, largest: &Swap) -> Option<bool> {
    let (input, output) = (&pair.input, &pair.output);
    let smallest_after = input.reserve.checked_add(smallest.input)?;
    let input_value = value(input, input.reserve)?;
    let output_value = value(output, output.reserve)?;
    let is_in_range = input_value.at_least >= MIN_VALUE
        && value(output, output.reserve.checked_sub(largest.output)?)?.at_least >= MIN_VALUE
        && value(input, input.reserve.checked_add(largest.input)?)?.below <= MAX_VALUE
        && output_value.below <= MAX_VALUE;
    let a = ratio(PoolConstant::SCALE - pair.k.steps(), PoolConstant::SCALE)?;
    let fee = ratio(pair.fee.hundredths(), BasisPoints::SCALE)?;
    let share = power_of_two(smallest.input.base_units())?.at_least - power_of_two(smallest_after.base_units())?.below;
    let [input_weight, output_weight] = [input, output].map(|side| side.weight.get());
    // 4 D; 1e-18 is less than 2^-59.
    let cuts = power_of_two(U256::from(50 + u32::from(input_weight.max(output_weight))))?.below + 2 - 59;
    let values = (output_value.below - input_value.at_least).max(0);
    let weights = -ratio(output_weight, input_weight)?.min(0);
    Some(is_in_range && a + fee + share >= cuts + values + weights)
}

/// The powers of two between which a positive number lies.
#[derive(Clone, Copy)]
struct PowersOfTwo {
    at_least: i32,
    below: i32,
}

fn power_of_two(number: U256) -> Option<PowersOfTwo> {
    let below = i32::try_from(number.bit_len()).ok()?;
    (below > 0).then_some(PowersOfTwo { at_least: below - 1, below })
}

/// A power of two that `one / other` is certain to reach.
fn ratio<T>(one: T, other: T) -> Option<i32>
where
    u64: From<T>,
{
    let [one, other] = [one, other].map(|number| power_of_two(U256::from(u64::from(number))));
    Some(one?.at_least - other?.below)
}

/// The value of `quantity` in 18 decimals, times 1e8: the contract's product of quantity and price. `None` for tokens
/// with more than 18 decimals, which the contract truncates.
fn value(side: &PairAsset, quantity: Amount) -> Option<PowersOfTwo> {
    let decimals = EIGHTEEN.checked_sub(side.decimals.get())?;
    let factors = [quantity.base_units(), U256::from(side.price.steps()), U256::from(10_u64.pow(u32::from(decimals)))];
    let mut product = PowersOfTwo { at_least: 0, below: 0 };
    for factor in factors {
        let factor = power_of_two(factor)?;
        product.at_least += factor.at_least;
        product.below += factor.below;
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Decimals, Price, Weight};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{output_for, would_execute};

    /// A random number of 1 to `bits` bits, with every length equally likely.
    fn number(rng: &mut ChaCha8Rng, bits: usize) -> Amount {
        let number = U256::from_limbs(rng.random()) >> rng.random_range(256 - bits..256);
        Amount::new(number.max(U256::ONE)).unwrap()
    }

    fn side(rng: &mut ChaCha8Rng) -> PairAsset {
        PairAsset {
            reserve: number(rng, 120),
            price: Price::new(rng.random_range(1_u64..1 << 40) >> rng.random_range(0..20) | 1).unwrap(),
            weight: Weight::new(if rng.random_ratio(1, 3) { 100 } else { rng.random_range(1..=u16::MAX) }).unwrap(),
            decimals: Decimals::new(rng.random_range(6..=19)).unwrap(),
        }
    }

    fn pair(rng: &mut ChaCha8Rng) -> PairState {
        let k = match rng.random_range(0..3) {
            0 => PoolConstant::SCALE / 100 * rng.random_range(0..100),
            1 => PoolConstant::SCALE - 1 - (rng.random_range(0..PoolConstant::SCALE) >> rng.random_range(0..60)),
            _ => rng.random_range(0..PoolConstant::SCALE / 2),
        };
        PairState {
            input: side(rng),
            output: side(rng),
            k: PoolConstant::new(k).unwrap(),
            fee: BasisPoints::from_hundredths(rng.random_range(0..2_000) >> rng.random_range(0..11)).unwrap(),
            max_improvement: None,
        }
    }

    #[test]
    fn certain_swaps_execute_in_the_contract() {
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        let (mut certain, mut close) = (0, 0);
        while certain < 20_000 {
            let pair = pair(&mut rng);
            let input = number(&mut rng, 120);
            let Ok(output) = output_for(&pair, input) else { continue };
            if certainly_executes(&pair, &Swap { input, output }) {
                assert!(would_execute(&pair, input, output), "{input} for {output} in {pair:?}");
                certain += 1;
                let quarter = Amount::new(input.base_units() >> 2).unwrap_or(Amount::ONE);
                close += u32::from(!certainly_executes(&pair, &Swap { input: quarter, output }));
            }
        }
        assert!(close > 400, "{close} at the edge of what is certain");
    }

    #[test]
    fn a_pair_without_a_fee_is_never_certain() {
        let mut rng = ChaCha8Rng::seed_from_u64(22);
        for _ in 0..10_000 {
            let pair = PairState { fee: BasisPoints::default(), ..pair(&mut rng) };
            let swap = Swap { input: number(&mut rng, 120), output: number(&mut rng, 120) };
            assert!(!certainly_executes(&pair, &swap), "{swap:?} in {pair:?}");
        }
    }

    #[test]
    fn ordinary_swaps_of_a_live_pool_are_certain() {
        let side = |reserve: &str, price: &str, weight, decimals| PairAsset {
            reserve: reserve.parse().unwrap(),
            price: price.parse().unwrap(),
            weight: Weight::new(weight).unwrap(),
            decimals: Decimals::new(decimals).unwrap(),
        };
        let (eth, usdc) = (side("476877882758190421102", "2080.527", 79, 18), side("417751254142", "1", 188, 6));
        let k = "0.06".parse::<PoolConstant>().unwrap();
        let fee = "8.63".parse::<BasisPoints>().unwrap();
        // From about 10 cents to a tenth of the reserve.
        for (input, output, amount) in [
            (eth, usdc, "50000000000000"),
            (eth, usdc, "1000000000000000000"),
            (eth, usdc, "20000000000000000000"),
            (usdc, eth, "100000"),
            (usdc, eth, "40000000000"),
        ] {
            let (pair, input) = (PairState { input, output, k, fee, max_improvement: None }, amount.parse().unwrap());
            let output = output_for(&pair, input).unwrap();
            assert!(certainly_executes(&pair, &Swap { input, output }), "{amount}");
        }
    }
}
