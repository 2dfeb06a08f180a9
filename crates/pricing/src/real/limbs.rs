//! Unsigned integers of `N` 64-bit limbs, least significant first: the raw arithmetic under [`super::Real`].
#![expect(clippy::indexing_slicing, reason = "every index is below N or 2N by its loop; the compiler drops the checks")]
#![expect(clippy::cast_possible_truncation, reason = "taking the low half of a 128-bit product is the point")]

use std::cmp::Ordering;

pub(super) type Limbs<const N: usize> = [u64; N];

/// The lowest two limbs as one integer: for two limbs, the compiler shifts that with fewer instructions.
#[inline]
pub(super) const fn to_u128<const N: usize>(a: &Limbs<N>) -> u128 {
    ((a[1] as u128) << 64) | a[0] as u128
}

/// An integer as two limbs.
#[inline]
pub(super) fn from_u128<const N: usize>(number: u128) -> Limbs<N> {
    std::array::from_fn(|i| if i == 0 { number as u64 } else { (number >> 64) as u64 })
}

/// The number with only the highest bit set.
pub(super) const fn highest_bit<const N: usize>() -> Limbs<N> {
    let mut limbs = [0; N];
    limbs[N - 1] = 1 << 63;
    limbs
}

/// Whether the highest bit is set.
pub(super) const fn is_normal<const N: usize>(a: &Limbs<N>) -> bool {
    a[N - 1] >> 63 == 1
}

/// `a * 2 + bit`, dropping the bit shifted out.
#[inline]
pub(super) fn double<const N: usize>(a: &Limbs<N>, bit: u64) -> Limbs<N> {
    std::array::from_fn(|i| (a[i] << 1) | if i > 0 { a[i - 1] >> 63 } else { bit })
}

/// `a / 2` with the highest bit set.
#[inline]
pub(super) fn halve_with_carry<const N: usize>(a: &Limbs<N>) -> Limbs<N> {
    std::array::from_fn(|i| (a[i] >> 1) | if i + 1 < N { a[i + 1] << 63 } else { 1 << 63 })
}

/// `a + b` and the carry.
#[inline]
pub(super) const fn add<const N: usize>(a: &Limbs<N>, b: &Limbs<N>) -> (Limbs<N>, bool) {
    let mut sum = [0; N];
    let mut carry = false;
    let mut i = 0;
    while i < N {
        let (partial, first) = a[i].overflowing_add(b[i]);
        let (total, second) = partial.overflowing_add(carry as u64);
        sum[i] = total;
        carry = first | second;
        i += 1;
    }
    (sum, carry)
}

/// `a - b` modulo 2^(64N) and the borrow.
#[inline]
pub(super) const fn sub<const N: usize>(a: &Limbs<N>, b: &Limbs<N>) -> (Limbs<N>, bool) {
    let mut difference = [0; N];
    let mut borrow = false;
    let mut i = 0;
    while i < N {
        let (partial, first) = a[i].overflowing_sub(b[i]);
        let (total, second) = partial.overflowing_sub(borrow as u64);
        difference[i] = total;
        borrow = first | second;
        i += 1;
    }
    (difference, borrow)
}

#[inline]
pub(super) fn compare<const N: usize>(a: &Limbs<N>, b: &Limbs<N>) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// The product `a * b` as its high and low halves.
#[inline]
pub(super) fn mul<const N: usize>(a: &Limbs<N>, b: &Limbs<N>) -> (Limbs<N>, Limbs<N>) {
    let (mut high, mut low) = ([0_u64; N], [0_u64; N]);
    for i in 0..N {
        let mut carry = 0_u64;
        for j in 0..N {
            let slot = if i + j < N { &mut low[i + j] } else { &mut high[i + j - N] };
            let total = u128::from(a[i]) * u128::from(b[j]) + u128::from(*slot) + u128::from(carry);
            *slot = total as u64;
            carry = (total >> 64) as u64;
        }
        high[i] = carry;
    }
    (high, low)
}

/// `floor(a * b / 2^(64N))`: the product of two fractions.
#[inline]
pub(super) fn mul_high<const N: usize>(a: &Limbs<N>, b: &Limbs<N>) -> Limbs<N> {
    mul(a, b).0
}

/// `a` shifted right by `bits`, dropping the bits shifted out.
///
/// Whole limbs move one position at a time, so that every index is a compile-time constant and limbs stay in registers.
#[inline]
pub(super) fn shift_right<const N: usize>(a: &Limbs<N>, bits: u32) -> Limbs<N> {
    if N == 2 {
        return from_u128(to_u128(a).checked_shr(bits).unwrap_or(0));
    }
    let mut shifted = *a;
    for _ in 0..(bits / 64).min(N as u32) {
        shifted = std::array::from_fn(|i| if i + 1 < N { shifted[i + 1] } else { 0 });
    }
    std::array::from_fn(|i| {
        let upper = if i + 1 < N { shifted[i + 1] } else { 0 };
        (((u128::from(upper) << 64) | u128::from(shifted[i])) >> (bits % 64)) as u64
    })
}

/// `a` shifted left by `bits`, dropping the bits shifted out.
#[inline]
pub(super) fn shift_left<const N: usize>(a: &Limbs<N>, bits: u32) -> Limbs<N> {
    if N == 2 {
        return from_u128(to_u128(a).checked_shl(bits).unwrap_or(0));
    }
    let mut shifted = *a;
    for _ in 0..(bits / 64).min(N as u32) {
        shifted = std::array::from_fn(|i| if i > 0 { shifted[i - 1] } else { 0 });
    }
    std::array::from_fn(|i| {
        let lower = if i > 0 { shifted[i - 1] } else { 0 };
        ((((u128::from(shifted[i]) << 64) | u128::from(lower)) << (bits % 64)) >> 64) as u64
    })
}

/// The number of zero bits above the highest set bit; `64 * N` for zero.
#[inline]
pub(super) fn leading_zeros<const N: usize>(a: &Limbs<N>) -> u32 {
    if N == 2 {
        return to_u128(a).leading_zeros();
    }
    let mut zeros = 0;
    for limb in a.iter().rev() {
        zeros += limb.leading_zeros();
        if *limb != 0 {
            break;
        }
    }
    zeros
}

/// `floor((numerator * 2^(64N) + low) / divisor)` for `numerator < divisor` and a divisor with its top bit set.
///
/// Schoolbook division by 64-bit digits (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D).
#[inline]
pub(super) fn divide<const N: usize>(numerator: &Limbs<N>, low: &Limbs<N>, divisor: &Limbs<N>) -> Limbs<N> {
    let top = u128::from(divisor[N - 1]);
    let mut rest = *numerator;
    let mut quotient = [0; N];
    for digit in (0..N).rev() {
        // The N + 1 limbs (rest, low[digit]) are divided by the divisor; the quotient fits one limb.
        let overflow = rest[N - 1];
        for i in (1..N).rev() {
            rest[i] = rest[i - 1];
        }
        rest[0] = low[digit];
        let head = (u128::from(overflow) << 64) | u128::from(rest[N - 1]);
        let mut guess = (head / top).min(u128::from(u64::MAX)) as u64;
        let (mut left, mut borrow) = subtract_multiple(&rest, guess, divisor);
        while borrow > overflow {
            guess -= 1;
            let (restored, carry) = add(&left, divisor);
            left = restored;
            borrow -= u64::from(carry);
        }
        rest = left;
        quotient[digit] = guess;
    }
    quotient
}

/// `a - factor * b` modulo 2^(64N), and the number of times 2^(64N) was borrowed.
#[inline]
fn subtract_multiple<const N: usize>(a: &Limbs<N>, factor: u64, b: &Limbs<N>) -> (Limbs<N>, u64) {
    let mut difference = [0; N];
    let mut borrow = 0_u64;
    for i in 0..N {
        let product = u128::from(factor) * u128::from(b[i]) + u128::from(borrow);
        let (total, wrapped) = a[i].overflowing_sub(product as u64);
        difference[i] = total;
        borrow = (product >> 64) as u64 + u64::from(wrapped);
    }
    (difference, borrow)
}

/// `a * factor` modulo 2^(64N).
pub(super) const fn multiply_small<const N: usize>(a: &Limbs<N>, factor: u64) -> Limbs<N> {
    let mut product = [0; N];
    let mut carry = 0_u64;
    let mut i = 0;
    while i < N {
        let total = a[i] as u128 * factor as u128 + carry as u128;
        product[i] = total as u64;
        carry = (total >> 64) as u64;
        i += 1;
    }
    product
}

/// `floor(a / divisor)`.
pub(super) const fn divide_small<const N: usize>(a: &Limbs<N>, divisor: u64) -> Limbs<N> {
    let mut quotient = [0; N];
    let mut rest = 0_u128;
    let mut i = N;
    while i > 0 {
        i -= 1;
        let head = (rest << 64) | a[i] as u128;
        quotient[i] = (head / divisor as u128) as u64;
        rest = head % divisor as u128;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn big<const N: usize>(limbs: &Limbs<N>) -> BigUint {
        limbs.iter().rev().fold(BigUint::ZERO, |sum, limb| (sum << 64_u32) + *limb)
    }

    /// Random limbs, many of them all zeros or all ones, where carries go wrong.
    fn random<const N: usize>(rng: &mut impl RngExt) -> Limbs<N> {
        std::array::from_fn(|_| match rng.random_range(0..4) {
            0 => 0,
            1 => u64::MAX,
            _ => rng.random(),
        })
    }

    fn check<const N: usize>() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        let modulus = BigUint::from(1_u32) << (64 * N);
        for _ in 0..20_000 {
            let (a, b) = (random::<N>(&mut rng), random::<N>(&mut rng));
            let (sum, carry) = add(&a, &b);
            assert_eq!(big(&sum) + &modulus * u32::from(carry), big(&a) + big(&b));
            let (difference, borrow) = sub(&a, &b);
            assert_eq!(big(&difference) + big(&b), big(&a) + &modulus * u32::from(borrow));
            let (high, low) = mul(&a, &b);
            assert_eq!((big(&high) * &modulus) + big(&low), big(&a) * big(&b));
            let bits = rng.random_range(0..64 * u32::try_from(N).unwrap() + 70);
            assert_eq!(big(&shift_right(&a, bits)), big(&a) >> bits);
            assert_eq!(u64::from(leading_zeros(&a)), 64 * u64::try_from(N).unwrap() - big(&a).bits());
            let room = leading_zeros(&a).min(64 * u32::try_from(N).unwrap() - 1);
            assert_eq!(big(&shift_left(&a, room)), big(&a) << room);
            let small = rng.random_range(1..=u64::MAX);
            assert_eq!(big(&divide_small(&a, small)), big(&a) / small);
            assert_eq!(big(&multiply_small(&a, small)), big(&a) * small % &modulus);
            let mut divisor = b;
            divisor[N - 1] |= 1 << 63;
            if compare(&a, &divisor) == Ordering::Less {
                let low = random::<N>(&mut rng);
                let expected = (big(&a) * &modulus + big(&low)) / big(&divisor);
                assert_eq!(big(&divide(&a, &low, &divisor)), expected);
            }
        }
    }

    #[test]
    fn limb_arithmetic_agrees_with_big_integers() {
        check::<2>();
        check::<4>();
        check::<8>();
    }
}
