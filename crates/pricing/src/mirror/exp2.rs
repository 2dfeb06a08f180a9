//! PRBMath's `exp2` of SD59x18 numbers.

use firmquote_domain::U256;

/// The number one with 18 decimals.
pub(super) const UNIT: u64 = 1_000_000_000_000_000_000;

/// Exponents below this give zero.
const MIN_EXPONENT: i128 = -59_794_705_707_972_522_261;

/// Exponents of this value and above revert.
const TOO_LARGE: i128 = 192 * UNIT as i128;

/// `2^exponent` with 18 decimals for four exponents; `None` where the library reverts for one (192 and more).
pub(super) fn exp2_each(exponents: [i128; 4]) -> Option<[U256; 4]> {
    let magnitudes = powers_of_two(exponents.map(|exponent| exponent.max(MIN_EXPONENT).unsigned_abs()))?;
    let square = U256::from(u128::from(UNIT) * u128::from(UNIT));
    let mut powers = magnitudes;
    for (power, exponent) in powers.iter_mut().zip(exponents) {
        *power = match exponent {
            ..MIN_EXPONENT => U256::ZERO,
            MIN_EXPONENT..0 => square / *power,
            0.. => *power,
        };
    }
    Some(powers)
}

/// `2^exponent` for exponents below 192, each as the product of `2^(2^-i)` over the set bits of its fraction.
///
/// The loop goes from set bit to set bit, highest first: no branch depends on an unpredictable bit, and the four chains
/// of products are independent of each other.
#[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are the fraction")]
fn powers_of_two(exponents: [u128; 4]) -> Option<[U256; 4]> {
    if exponents.iter().any(|exponent| *exponent >= TOO_LARGE.unsigned_abs()) {
        return None;
    }
    let mut fractions = exponents.map(|exponent| (((exponent % u128::from(UNIT)) << 64) / u128::from(UNIT)) as u64);
    let mut products = [[0, 0, 1 << 63]; 4];
    while fractions != [0; 4] {
        for (product, fraction) in products.iter_mut().zip(&mut fractions) {
            let position = fraction.leading_zeros();
            *fraction &= !((1_u64 << 63) >> position.min(63));
            // After the last bit there is no factor left, which counts as a factor of one.
            *product = times_one_plus(*product, FACTORS.get(position as usize).copied().unwrap_or(0));
        }
    }
    let mut powers = [U256::ZERO; 4];
    for ((power, [low, middle, high]), exponent) in powers.iter_mut().zip(products).zip(exponents) {
        let scaled = U256::from_limbs([low, middle, high, 0]) * U256::from(UNIT);
        *power = scaled >> usize::try_from(191 - exponent / u128::from(UNIT)).ok()?;
    }
    Some(powers)
}

/// `number + floor(number * fraction / 2^64)`: the product with `1 + fraction / 2^64`, truncated.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each step keeps the low limb and carries the high one")]
fn times_one_plus(number: [u64; 3], fraction: u64) -> [u64; 3] {
    let [low, middle, high] = number;
    let wide = |limb: u64, carry: u128| u128::from(limb) * u128::from(fraction) + carry;
    let first = wide(low, 0) >> 64;
    let second = wide(middle, first);
    let third = wide(high, second >> 64);
    let low = u128::from(low) + u128::from(second as u64);
    let middle = u128::from(middle) + u128::from(third as u64) + (low >> 64);
    let high = u128::from(high) + (third >> 64) + (middle >> 64);
    [low as u64, middle as u64, high as u64]
}

/// `2^(2^-i) * 2^64` for i from 1 to 64, rounded to the nearest integer, without the leading `2^64`.
const FACTORS: [u64; 64] = [
    0x6a09e667f3bcc909,
    0x306fe0a31b7152df,
    0x172b83c7d517adce,
    0x0b5586cf9890f62a,
    0x059b0d31585743ae,
    0x02c9a3e778060ee7,
    0x0163da9fb33356d8,
    0x00b1afa5abcbed61,
    0x0058c86da1c09ea2,
    0x002c605e2e8cec50,
    0x00162f3904051fa1,
    0x000b175effdc76ba,
    0x00058ba01fb9f96d,
    0x0002c5cc37da9492,
    0x000162e525ee0547,
    0x0000b17255775c04,
    0x000058b91b5bc9ae,
    0x00002c5c89d5ec6d,
    0x0000162e43f4f831,
    0x00000b1721bcfc9a,
    0x0000058b90cf1e6e,
    0x000002c5c863b73f,
    0x00000162e430e5a2,
    0x000000b172183551,
    0x00000058b90c0b49,
    0x0000002c5c8601cc,
    0x000000162e42fff0,
    0x0000000b17217fbb,
    0x000000058b90bfce,
    0x00000002c5c85fe3,
    0x0000000162e42ff1,
    0x00000000b17217f8,
    0x0000000058b90bfc,
    0x000000002c5c85fe,
    0x00000000162e42ff,
    0x000000000b17217f,
    0x00000000058b90c0,
    0x0000000002c5c860,
    0x000000000162e430,
    0x0000000000b17218,
    0x000000000058b90c,
    0x00000000002c5c86,
    0x0000000000162e43,
    0x00000000000b1721,
    0x0000000000058b91,
    0x000000000002c5c8,
    0x00000000000162e4,
    0x000000000000b172,
    0x00000000000058b9,
    0x0000000000002c5d,
    0x000000000000162e,
    0x0000000000000b17,
    0x000000000000058c,
    0x00000000000002c6,
    0x0000000000000163,
    0x00000000000000b1,
    0x0000000000000059,
    0x000000000000002c,
    0x0000000000000016,
    0x000000000000000b,
    0x0000000000000006,
    0x0000000000000003,
    0x0000000000000001,
    0x0000000000000001,
];

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn the_factors_are_the_rounded_roots_of_two() {
        // 2^(2^-i) with 200 bits of fraction, by repeated square roots.
        let mut root = BigUint::from(2_u32) << 200_u32;
        for (i, factor) in FACTORS.into_iter().enumerate() {
            root = (root << 200_u32).sqrt();
            let rounded: BigUint = (&root + (BigUint::from(1_u32) << 135_u32)) >> 136_u32;
            assert_eq!(rounded, (BigUint::from(1_u32) << 64_u32) + factor, "factor {i}");
        }
    }

    #[test]
    fn powers_match_known_library_values() {
        let unit = i128::from(UNIT);
        let exponents = [0, 10 * unit, -unit, MIN_EXPONENT];
        let one = U256::from(UNIT);
        assert_eq!(exp2_each(exponents), Some([one, U256::from(1024) * one, U256::from(UNIT / 2), U256::ONE]));
        assert_eq!(exp2_each([MIN_EXPONENT - 1, 0, 0, 0]).unwrap()[0], U256::ZERO);
        assert!(exp2_each([TOO_LARGE - 1; 4]).is_some());
        assert_eq!(exp2_each([0, 0, 0, TOO_LARGE]), None);
        assert_eq!(exp2_each([-TOO_LARGE, 0, 0, 0]).unwrap()[0], U256::ZERO);
    }
}
