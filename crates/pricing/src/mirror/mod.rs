//! A bit-exact mirror of the on-chain check of a verified pool.
//!
//! Quantities have 18 decimals, prices 8, k 18, weights none; every division truncates:
//!
//! ```text
//! pq = p * q / 1e8        term(q) = pq == 0 ? 0 : 1e18 * pq / pow(pq * w, k)       pow(x, k) = exp2(k * log2(x) / 1e18)
//! term(qX) + term(qY) < term(qX + in) + term(qY - out)
//! ```
//!
//! `log2` and `exp2` are those of PRBMath's SD59x18 (version 4), digit for digit. Where the contract would revert, for
//! example on overflow, the mirror returns false.

mod exp2;
mod log2;
mod margin;

use firmquote_domain::{Amount, PoolConstant, U256};

use self::exp2::UNIT;
use crate::{PairAsset, PairState};
pub(crate) use margin::{certainly_executes, certainly_executes_between};

/// Whether a verified pool in this state would execute `input` for `output`.
///
/// The fee of `pair` is ignored: it is already included in the amounts.
pub fn would_execute(pair: &PairState, input: Amount, output: Amount) -> bool {
    does_invariant_grow(pair, input, output).unwrap_or(false)
}

/// Whether the sum of the terms grows; `None` if the contract's arithmetic reverts.
fn does_invariant_grow(pair: &PairState, input: Amount, output: Amount) -> Option<bool> {
    let (x, y) = (&pair.input, &pair.output);
    let input_after = x.reserve.base_units().checked_add(input.base_units())?;
    let output_after = y.reserve.base_units().checked_sub(output.base_units())?;
    let quantities = [
        x.decimals.to_18_decimals(x.reserve.base_units())?,
        y.decimals.to_18_decimals(y.reserve.base_units())?,
        x.decimals.to_18_decimals(input_after)?,
        y.decimals.to_18_decimals(output_after)?,
    ];
    let [x_before, y_before, x_after, y_after] = terms(quantities, [x, y, x, y], pair.k)?;
    Some(x_after.checked_add(y_after)? > x_before.checked_add(y_before)?)
}

/// The four terms of the check, with their logarithms computed in parallel; `None` if the contract's arithmetic
/// reverts.
fn terms(quantities: [U256; 4], sides: [&PairAsset; 4], k: PoolConstant) -> Option<[U256; 4]> {
    let mut values = [U256::ZERO; 4];
    let mut arguments = [U256::from(UNIT); 4];
    for (((value, argument), quantity), side) in values.iter_mut().zip(&mut arguments).zip(quantities).zip(sides) {
        *value = quantity.checked_mul(U256::from(side.price.steps()))? / U256::from(100_000_000);
        if !value.is_zero() {
            *argument = value.checked_mul(U256::from(side.weight.get()))?;
        }
    }
    let logarithms = log2::log2_each(arguments)?;
    let mut exponents = [0; 4];
    for (exponent, logarithm) in exponents.iter_mut().zip(logarithms) {
        *exponent = scaled(logarithm, k)?;
    }
    for (value, power) in values.iter_mut().zip(exp2::exp2_each(exponents)?) {
        if !value.is_zero() {
            *value = value.checked_mul(U256::from(UNIT))?.checked_div(power)?;
        }
    }
    Some(values)
}

/// `k * logarithm / 1e18`, truncated toward zero as in Solidity. The product, below `1e18 * 196e18`, fits.
fn scaled(logarithm: i128, k: PoolConstant) -> Option<i128> {
    let magnitude = logarithm.unsigned_abs().checked_mul(u128::from(k.steps()))? / u128::from(UNIT);
    let magnitude = i128::try_from(magnitude).ok()?;
    Some(if logarithm < 0 { -magnitude } else { magnitude })
}
