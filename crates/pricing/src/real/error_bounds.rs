//! Tests that the error bounds hold: every function against a library with four times the digits.

use dashu_float::{FBig, round::mode::HalfEven};
use dashu_int::{IBig, UBig};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{
    Interval, Real, Ulps,
    tables::{self, INTERVALS, Table},
};

type Reference = FBig<HalfEven, 2>;

fn reference<const N: usize>(real: &Real<N>) -> Reference {
    let bytes: Vec<u8> = real.mantissa.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let mantissa = IBig::from(UBig::from_le_bytes(&bytes));
    Reference::from_parts(mantissa, isize::try_from(real.exponent).unwrap()).with_precision(64 * N * 4).value()
}

/// A number between `2^low` and `2^high` whose leading digits are random.
fn random<const N: usize>(rng: &mut ChaCha8Rng, low: i32, high: i32) -> Real<N> {
    let number = Real::from_u64(rng.random::<u64>() | 1).mul(&Real::from_u64(rng.random::<u64>() | 1)).taken_as_exact();
    number.scaled(rng.random_range(low..high) - number.bits())
}

fn assert_bound<const N: usize>(computed: &Real<N>, truth: &Reference, what: &str, argument: &Reference) {
    assert!(computed.error != Ulps::UNKNOWN, "{what} of {argument} is unknown");
    let (count, coarse) = computed.error.parts();
    let value = reference(computed);
    let reach = isize::try_from(coarse).unwrap() + 1 - isize::try_from(64 * N).unwrap();
    let bound = &value * Reference::from_parts(count.into(), reach);
    let error = if &value > truth { &value - truth } else { truth - &value };
    assert!(error <= bound, "{what} of {argument} is wrong by {error}, more than {bound}");
    // A valid bound is useless if it is too loose.
    assert!(computed.error.is_below(40), "{what} of {argument}: a bound of {count} * 2^{coarse} units");
}

fn check<const N: usize>(rounds: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..rounds {
        let (x, y) = (random::<N>(&mut rng, -300, 12), random::<N>(&mut rng, -450, 450));
        let (exact_x, exact_y) = (reference(&x), reference(&y));
        assert_bound(&x.exp_m1(), &exact_x.exp_m1(), "exp_m1", &exact_x);
        assert_bound(&y.ln_1p(), &exact_y.ln_1p(), "ln_1p", &exact_y);
        let fraction = random::<N>(&mut rng, -300, 0);
        let exact_fraction = reference(&fraction);
        assert_bound(&x.one_minus_exp(), &-(-&exact_x).exp_m1(), "one_minus_exp", &exact_x);
        assert_bound(&fraction.minus_ln_1m(), &-(-&exact_fraction).ln_1p(), "minus_ln_1m", &exact_fraction);
        assert_bound(&x.mul(&y), &(&exact_x * &exact_y), "product", &exact_x);
        assert_bound(&x.div(&y), &(&exact_x / &exact_y), "quotient", &exact_x);
        assert_bound(&x.add(&y), &(&exact_x + &exact_y), "sum", &exact_x);
        // An inexact argument: the error of the result stays within the bound.
        let square = y.mul(&y);
        assert_bound(&square.ln_1p().exp_m1(), &(&exact_y * &exact_y), "there and back", &exact_x);
    }
}

#[test]
fn every_result_is_within_its_bound_at_128_bits() {
    check::<2>(3_000);
}

#[test]
fn every_result_is_within_its_bound_at_more_bits() {
    check::<4>(600);
    check::<8>(150);
    check::<16>(20);
    check::<32>(5);
}

/// A number of two limbs between `2^low` and `2^high`, near a table interval's end or any other: its mantissa ends in a
/// random part, in zeros or in ones.
fn hard(rng: &mut ChaCha8Rng, low: i32, high: i32) -> Real<2> {
    let (kept, rest) = (u128::MAX << rng.random_range(0..128), rng.random::<u128>());
    let mantissa = match rng.random_range(0..3) {
        0 => rest,
        1 => rest & kept,
        _ => rest | !kept,
    } | 1 << 127;
    let number = Real::from_u64(1);
    let [low_limb, high_limb] = [mantissa & u128::from(u64::MAX), mantissa >> 64].map(|limb| limb.try_into().unwrap());
    Real { mantissa: [low_limb, high_limb], ..number.scaled(rng.random_range(low..high) - number.bits()) }
}

#[test]
fn two_limb_functions_are_within_their_bounds_at_table_interval_ends() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..4_000 {
        let (x, y) = (hard(&mut rng, -12, 8), hard(&mut rng, -12, 0));
        let (exact_x, exact_y) = (reference(&x), reference(&y));
        assert_bound(&x.exp_m1(), &exact_x.exp_m1(), "exp_m1", &exact_x);
        assert_bound(&x.ln_1p(), &exact_x.ln_1p(), "ln_1p", &exact_x);
        assert_bound(&x.one_minus_exp(), &-(-&exact_x).exp_m1(), "one_minus_exp", &exact_x);
        assert_bound(&y.minus_ln_1m(), &-(-&exact_y).ln_1p(), "minus_ln_1m", &exact_y);
    }
}

#[test]
fn table_entries_are_within_their_bounds() {
    type Function = fn(&Reference) -> Reference;
    const ONE: Reference = Reference::ONE;
    let half = INTERVALS / 2;
    let tables: [(&Table, usize, Function, Function); 4] = [
        (&tables::EXP_M1, half, |c| c.exp_m1(), |c| c.exp()),
        (&tables::ONE_MINUS_EXP, half, |c| -(-c).exp_m1(), |c| (-c).exp()),
        (&tables::LN_1P, INTERVALS, |c| c.ln_1p(), |c| ONE / (ONE + c)),
        (&tables::MINUS_LN_1M, half, |c| -(-c).ln_1p(), |c| ONE / (ONE - c)),
    ];
    for (table, end, value, factor) in tables {
        for (j, entry) in table.iter().enumerate().take(end).skip(1) {
            let c = reference(&Real::<2>::from_u64(u64::try_from(j).unwrap()).scaled(-6));
            assert_bound(&entry.value, &value(&c), "the value of a table", &c);
            assert_bound(&entry.factor, &factor(&c), "the factor of a table", &c);
        }
    }
    let two = reference(&Real::<2>::from_u64(2));
    assert_bound(&tables::LN_2, &two.ln(), "the logarithm", &two);
}

#[test]
fn differences_account_for_cancellation() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..10_000 {
        let x = random::<2>(&mut rng, -3, 3);
        let noisy = x.mul(&Real::from_u64(3)).div(&Real::from_u64(3));
        let step = random::<2>(&mut rng, -60, -1);
        match noisy.add(&step).gap(&noisy) {
            Interval::Above(gap) => {
                let (count, coarse) = gap.error.parts();
                let wrong = reference(&gap) - reference(&step);
                let wrong = if wrong < Reference::ZERO { -wrong } else { wrong };
                let reach = isize::try_from(coarse).unwrap() - 127;
                assert!(wrong <= reference(&gap) * Reference::from_parts(count.into(), reach));
            }
            Interval::Below(_) | Interval::Unclear => {
                assert!(step.bits() < x.bits() - 50, "{step:?} vanished in {x:?}")
            }
        }
    }
    assert!(matches!(Real::<2>::ONE.gap(&Real::ONE), Interval::Unclear));
}
