//! Values in US dollars, rates and costs for display.

use firmquote_domain::{Amount, BasisPoints, Decimals, PoolConstant, Price, U512};

use crate::{PairAsset, PairState, Swap};

/// The value of `amount` at `price` in US dollars, as the nearest double. For display only.
pub fn value_in_usd(amount: Amount, price: Price, decimals: Decimals) -> f64 {
    let steps = U512::from(amount.base_units()) * U512::from(price.steps());
    nearest(steps, decimals.get() + Price::DECIMALS)
}

/// Whole tokens of output per whole token of input, as a double within two units in the last place. For display only.
pub fn rate(input: (Amount, Decimals), output: (Amount, Decimals)) -> f64 {
    let whole = |(amount, decimals): (Amount, Decimals)| nearest(U512::from(amount.base_units()), decimals.get());
    whole(output) / whole(input)
}

/// The cost of a swap, fee included: the value of the input minus that of the output at the two prices, in basis points
/// of the input's value; negative if the output is worth more. A double within about 1e-11. For display only.
pub fn cost_in_basis_points(swap: &Swap, pair: &PairState) -> f64 {
    let [input, output] = values_in_usd(swap, pair);
    10_000.0 * (1.0 - output / input)
}

/// The part of [`cost_in_basis_points`] that is not the fee: the value of the input after the fee minus that of the
/// output, in basis points of the former. For display only.
pub fn price_impact_in_basis_points(swap: &Swap, pair: &PairState) -> f64 {
    let [input, output] = values_in_usd(swap, pair);
    let after_fee = f64::from(BasisPoints::SCALE - pair.fee.hundredths()) / f64::from(BasisPoints::SCALE);
    10_000.0 * (1.0 - output / (input * after_fee))
}

/// How much more than the value of its input the best swap of the pair gives, which is the smallest: in basis points of that
/// value, after the fee and up to the pool's bound; negative if it gives less. Of the curve without rounding, a double
/// within about 1e-9. For display only.
///
/// The derivative of the curve is `p * (p * q * w)^-k`, so the smallest swap gives `M * ((pY qY wY) / (pX qX wX))^k`.
pub fn best_improvement_in_basis_points(pair: &PairState) -> f64 {
    let weighted_value =
        |side: &PairAsset| value_in_usd(side.reserve, side.price, side.decimals) * f64::from(side.weight.get());
    let after_fee = f64::from(BasisPoints::SCALE - pair.fee.hundredths()) / f64::from(BasisPoints::SCALE);
    let k = nearest(U512::from(pair.k.steps()), PoolConstant::DECIMALS);
    let curve = 10_000.0 * (after_fee * libm::pow(weighted_value(&pair.output) / weighted_value(&pair.input), k) - 1.0);
    let bound = pair.max_improvement.map_or(f64::INFINITY, |bound| f64::from(bound.hundredths()) / 100.0);
    curve.min(bound)
}

fn values_in_usd(swap: &Swap, pair: &PairState) -> [f64; 2] {
    let legs = [(swap.input, &pair.input), (swap.output, &pair.output)];
    legs.map(|(amount, side)| value_in_usd(amount, side.price, side.decimals))
}

/// The value of each asset in the pool's target composition, as doubles within a few units in the last
/// place: the pool's value split in proportion to `1 / weight`. For display only.
pub fn target_values_in_usd(assets: &[PairAsset]) -> Vec<f64> {
    let values = assets.iter().map(|asset| value_in_usd(asset.reserve, asset.price, asset.decimals));
    split_by_inverse_weight(values.sum(), assets.iter().map(|asset| asset.weight.get()))
}

/// The powers of ten that are exact doubles.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The double nearest to `number / 10^decimals`.
pub(super) fn nearest(number: U512, decimals: u8) -> f64 {
    /// Integers up to this one are exact doubles, so their quotient by a power of ten is rounded once.
    const EXACT: u64 = 1 << 53;
    if let Ok(small) = u64::try_from(number)
        && small <= EXACT
        && usize::from(decimals) < POWERS_OF_TEN.len()
    {
        #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
        return POWERS_OF_TEN.get(usize::from(decimals)).map_or(f64::INFINITY, |power| small as f64 / power);
    }
    // The standard library parses decimals to the nearest double.
    by_division(number, decimals).unwrap_or_else(|| format!("{number}e-{decimals}").parse().unwrap_or(f64::INFINITY))
}

/// The double nearest to `number / 10^decimals`; `None` for zero, and for so many decimals that `5^decimals` exceeds 63
/// bits.
///
/// `10^d = 5^d * 2^d`. The leading 128 bits of the number divided by `5^d < 2^63` have 65 bits or more, of which a
/// double keeps 53. Everything cut off below is collapsed into one sticky bit, which only decides on which side of a
/// half the quotient lies.
fn by_division(number: U512, decimals: u8) -> Option<f64> {
    const MAX_DECIMALS: u8 = 27;
    let bits = number.bit_len();
    if bits == 0 || decimals > MAX_DECIMALS {
        return None;
    }
    let (leading, shift) = if bits > 128 { (number >> (bits - 128), bits - 128) } else { (number << (128 - bits), 0) };
    let is_cut = number.trailing_zeros() < shift;
    let (leading, divisor) = (u128::try_from(leading).ok()?, 5_u128.pow(u32::from(decimals)));
    let (quotient, rest) = (leading / divisor, leading % divisor);
    // Shifted down to 64 bits, the lowest of which is the sticky bit.
    let excess = 64 - quotient.leading_zeros();
    let is_cut = is_cut || rest != 0 || quotient.trailing_zeros() < excess;
    let significand = u64::try_from(quotient >> excess).ok()? | u64::from(is_cut);
    let exponent = i32::try_from(bits).ok()? - 128 - i32::from(decimals) + i32::try_from(excess).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "the one rounding, to the nearest")]
    Some(libm::ldexp(significand as f64, exponent))
}

/// `total` split in proportion to `1 / weight`.
fn split_by_inverse_weight(total: f64, weights: impl Iterator<Item = u16> + Clone) -> Vec<f64> {
    let shares = weights.map(|weight| 1.0 / f64::from(weight));
    let sum: f64 = shares.clone().sum();
    shares.map(|share| total * share / sum).collect()
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{U256, Weight};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Reserve, price, decimals, weight, value and target of a live pool.
    const LIVE: [(&str, &str, u8, u16, f64, f64); 4] = [
        ("417751254142", "1", 6, 188, 417_751.254142, 416_727.893_563_917_26),
        ("259059412007", "1", 6, 305, 259_059.412007, 256_868.340_950_873_6),
        ("309714519494182375269440", "1", 18, 250, 309_714.519_494_182_4, 313_379.375_960_065_8),
        ("476877882758190421102", "2080.527", 18, 79, 992_157.310_781_249_7, 991_706.885_949_575_2),
    ];

    fn live() -> Vec<PairAsset> {
        let side = |(reserve, price, decimals, weight, _, _): &(&str, &str, u8, u16, f64, f64)| PairAsset {
            reserve: reserve.parse().unwrap(),
            price: price.parse().unwrap(),
            weight: Weight::new(*weight).unwrap(),
            decimals: Decimals::new(*decimals).unwrap(),
        };
        LIVE.iter().map(side).collect()
    }

    #[test]
    fn values_and_targets_match_a_live_pool() {
        let is_near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-12;
        let pool = live();
        for ((side, target), expected) in pool.iter().zip(target_values_in_usd(&pool)).zip(LIVE) {
            assert!(is_near(value_in_usd(side.reserve, side.price, side.decimals), expected.4), "{expected:?}");
            assert!(is_near(target, expected.5), "{target} {expected:?}");
        }
    }

    #[test]
    fn the_cost_of_a_swap_is_fee_plus_impact() {
        let [input, output] = [3, 0].map(|position| live()[position]);
        let fee = "25".parse::<BasisPoints>().unwrap();
        let pair = PairState { input, output, k: "0.06".parse().unwrap(), fee, max_improvement: None };
        let swap = |units: &str| Swap { input: "1000000000000000000".parse().unwrap(), output: units.parse().unwrap() };
        for (units, cost, impact) in [
            ("2080527000", 0.0, -25.062_656_641),
            ("2075325682", 25.000_002, 0.000_002),
            ("2059721730", 100.0, 75.187_97),
        ] {
            let swap = swap(units);
            assert!((cost_in_basis_points(&swap, &pair) - cost).abs() < 1e-5, "{units}");
            assert!((price_impact_in_basis_points(&swap, &pair) - impact).abs() < 1e-5, "{units}");
        }
    }

    #[test]
    fn the_best_improvement_is_that_of_a_small_swap() {
        let sides = live();
        for (input, output) in [(0, 1), (1, 0), (3, 0), (2, 3)] {
            let fee = "8.63".parse::<BasisPoints>().unwrap();
            let k = "0.5".parse::<PoolConstant>().unwrap();
            let mut pair = PairState { input: sides[input], output: sides[output], k, fee, max_improvement: None };
            // Twice the share: far enough from the target for a difference, and enough units for eight digits.
            pair.output.reserve = Amount::new(pair.output.reserve.base_units() * U256::from(2)).unwrap();
            pair.input.decimals = Decimals::new(pair.input.decimals.get() - 4).unwrap();
            pair.output.decimals = Decimals::new(pair.output.decimals.get() - 4).unwrap();
            let small = pair.input.reserve.base_units() / U256::from(1_000_000);
            let swap = |input: Amount| Swap { input, output: crate::offered_output(&pair, input).unwrap() };
            let given = -cost_in_basis_points(&swap(Amount::new(small).unwrap()), &pair);
            let best = best_improvement_in_basis_points(&pair);
            assert!(given <= best + 0.02 && given > best - 0.1, "{given} {best}");
            pair.max_improvement = Some("12.5".parse::<BasisPoints>().unwrap());
            assert_eq!(best_improvement_in_basis_points(&pair), 12.5);
        }
    }

    #[test]
    fn quotients_match_the_standard_librarys_parser() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for round in 0..100_000 {
            let number = U512::from_limbs(rng.random()) >> rng.random_range(192..512);
            // Halfway between two doubles, and next to it.
            let half = U512::from((rng.random::<u64>() >> 10) | 1) << rng.random_range(0..128);
            let decimals = rng.random_range(0..=27);
            let power = U512::from(10).pow(U512::from(decimals));
            let number = match round % 4 {
                0 => half * power,
                1 => half * power + U512::from(1),
                2 => half * power - U512::from(1),
                _ => number,
            };
            let expected = format!("{number}e-{decimals}").parse().unwrap();
            assert_eq!(by_division(number, decimals).unwrap_or(0.0), expected, "{number}e-{decimals}");
        }
    }

    #[test]
    fn values_are_the_nearest_doubles() {
        let eth = Decimals::new(18).unwrap();
        let value =
            |units: &str, price: &str| value_in_usd(units.parse().unwrap(), price.parse::<Price>().unwrap(), eth);
        assert_eq!(value("100000000000000000", "3"), 0.3);
        assert_eq!(value("1", "0.00000001"), 1e-26);
        assert_eq!(value("123456789123456789123456789", "1"), 123_456_789.123_456_79);
        let (input, output) = ("10000000000000000000".parse().unwrap(), "5661947917".parse().unwrap());
        assert_eq!(rate((input, eth), (output, Decimals::new(6).unwrap())), 566.194_791_7);
    }
}
