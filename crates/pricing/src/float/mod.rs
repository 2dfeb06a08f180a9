//! The only module with floats. They serve as first guesses, which integers correct, and as numbers for display; signed
//! values never pass through a float. All functions are the pure Rust ones of libm: the same bits on every machine.

mod display;
mod shortfall;

pub use display::{
    best_improvement_in_basis_points, cost_in_basis_points, price_impact_in_basis_points, rate, target_values_in_usd,
    value_in_usd,
};
pub(crate) use shortfall::{
    PARTS, lines_needed, lowering, part_in_basis_points, place, shortfall, shortfall_of_concave,
};

/// Guesses `ln(1 + top * 2^exponent)` as `significand * 2^exponent`, accurate to about 50 bits; `None` if the guess is
/// not a normal positive double.
pub(crate) fn guess_ln_1p(top: u64, exponent: i32) -> Option<(u64, i32)> {
    const SIGNIFICAND_BITS: u32 = 52;
    #[expect(clippy::cast_precision_loss, reason = "a guess: 53 of the 64 bits are kept")]
    let x = libm::ldexp(top as f64, exponent);
    let guess = libm::log1p(x);
    if !guess.is_normal() || guess < 0.0 {
        return None;
    }
    // IEEE 754 binary64: sign, 11 bits of biased exponent, 52 bits of significand below a hidden one.
    let bits = guess.to_bits();
    let significand = (bits & ((1 << SIGNIFICAND_BITS) - 1)) | (1 << SIGNIFICAND_BITS);
    let exponent = i32::try_from(bits >> SIGNIFICAND_BITS).ok()? - 1075;
    Some((significand, exponent))
}
