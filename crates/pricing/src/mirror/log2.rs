//! PRBMath's `log2` of SD59x18 numbers.

use firmquote_domain::U256;

use super::exp2::UNIT;

/// The binary logarithms of four positive numbers with 18 decimals; `None` if one reverts (zero, or 2^255 and above).
///
/// Each takes its integer part from the highest bit, and its fraction from 59 rounds that square a number in `[1, 2)`
/// and halve it when it reaches 2. The four chains of squarings are independent, so the processor can run them in
/// parallel.
pub(super) fn log2_each(numbers: [U256; 4]) -> Option<[i128; 4]> {
    let mut negative = [false; 4];
    let mut whole = [0_i128; 4];
    let mut remainders = [0_u64; 4];
    for (((number, is_negative), whole), y) in
        numbers.into_iter().zip(&mut negative).zip(&mut whole).zip(&mut remainders)
    {
        if number.is_zero() || number.bit(255) {
            return None;
        }
        *is_negative = number < U256::from(UNIT);
        // Below one: minus the logarithm of the inverse.
        let number = if *is_negative { U256::from(u128::from(UNIT) * u128::from(UNIT)) / number } else { number };
        let n = whole_part(number)?;
        *whole = i128::try_from(n).ok()? * i128::from(UNIT);
        *y = u64::try_from(number >> n).ok()?;
    }
    let fractions = fractions(remainders);
    let mut logarithms = [0; 4];
    for (((logarithm, is_negative), whole), fraction) in logarithms.iter_mut().zip(negative).zip(whole).zip(fractions) {
        let magnitude = whole + i128::from(fraction);
        *logarithm = if is_negative { -magnitude } else { magnitude };
    }
    Some(logarithms)
}

/// The largest n with `1e18 * 2^n <= number`, for a number of 1e18 or more.
fn whole_part(number: U256) -> Option<usize> {
    // 1e18 has 60 bits: the number of bits beyond that is n or n + 1.
    let n = number.bit_len().checked_sub(60)?;
    if number >> n < U256::from(UNIT) { n.checked_sub(1) } else { Some(n) }
}

/// The fractional parts of the logarithms of four numbers in `[1, 2)`, with 18 decimals. For 1 itself no round adds
/// anything, which is the library's early return.
fn fractions(mut numbers: [u64; 4]) -> [u64; 4] {
    let mut fractions = [0; 4];
    let mut delta = UNIT / 2;
    while delta > 0 {
        for (y, fraction) in numbers.iter_mut().zip(&mut fractions) {
            let square = square(*y);
            let is_two = square >= 2 * UNIT;
            *fraction += if is_two { delta } else { 0 };
            *y = square >> u32::from(is_two);
        }
        delta >>= 1;
    }
    fractions
}

/// `floor(y * y / 1e18)` for `y < 2e18`, without a 128-bit division.
///
/// `1e18 = 2^18 * 5^18`. With `n = y * y >> 18 < 2^104` and `R = floor(2^105 / 5^18)`, `(n >> 40) * R >> 65` is at most
/// one below `floor(n / 5^18)`: cutting `n` costs less than `2^40 / 5^18 < 0.3`, cutting `R` less than 0.5.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "n >> 40 has 64 bits, the quotient 62, and the rest is below 2 * 5^18"
)]
fn square(y: u64) -> u64 {
    const FIVES: u64 = 5_u64.pow(18);
    const RECIPROCAL: u64 = ((1_u128 << 105) / FIVES as u128) as u64;
    let n = (u128::from(y) * u128::from(y)) >> 18;
    let head = (n >> 40) as u64;
    let guess = ((u128::from(head) * u128::from(RECIPROCAL)) >> 65) as u64;
    let rest = (n as u64).wrapping_sub(guess.wrapping_mul(FIVES));
    guess + u64::from(rest >= FIVES)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn squares_are_divided_exactly() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let edges =
            [0, 1, UNIT - 1, UNIT, UNIT + 1, 2 * UNIT - 1, 1_414_213_562_373_095_048, 1_414_213_562_373_095_049];
        for y in edges.into_iter().chain((0..1_000_000).map(|_| rng.random_range(0..2 * UNIT))) {
            assert_eq!(u128::from(square(y)), u128::from(y) * u128::from(y) / u128::from(UNIT), "{y}");
        }
    }

    #[test]
    fn integer_parts_match_a_division() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(4);
        let one = U256::from(UNIT);
        let edges = (0..195).flat_map(|n| [(one << n) - U256::from(n.min(1)), one << n, (one << n) + U256::ONE]);
        let numbers = (0..10_000).map(|_| (U256::from_limbs(rng.random()) >> rng.random_range(1..196)) + one);
        for number in edges.chain(numbers) {
            assert_eq!(whole_part(number), Some((number / one).bit_len() - 1), "{number}");
        }
    }

    #[test]
    fn logarithms_match_known_library_values() {
        let one = U256::from(UNIT);
        let numbers = [one, one * U256::from(8), U256::ONE, U256::MAX >> 1];
        let expected = [0, 3 * i128::from(UNIT), -59_794_705_707_972_522_245, 195_205_294_292_027_477_728];
        assert_eq!(log2_each(numbers), Some(expected));
        assert_eq!(log2_each([one, one, one, U256::ZERO]), None);
        assert_eq!(log2_each([one, one, one, U256::ONE << 255]), None);
    }
}
