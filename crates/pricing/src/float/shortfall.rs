//! The shortfall of a straight line between two points of a curve, and the placement of points that gives all lines
//! about the same shortfall.
//!
//! With `f` the output for an input, `M` the part that the fee leaves, and `q` the reserves,
//!
//! ```text
//! -f'' = k * f' * (M / (qX + M*x) + f' / (qY - f))
//! ```
//!
//! Between `a` and `b` the slope `f'` is at most `f(a) / a`, as `f` is concave and `f(0) = 0`, and `qY - f` at least
//! `qY - f(b)`, which bounds `-f''` by some `C`. The line falls short by at most `C/2 * (x - a) * (b - x)`; and
//! `f(x) >= x * f(b) / b`. So relative to the curve it falls short by at most
//!
//! ```text
//! C/2 * b / f(b) * (sqrt(b) - sqrt(a))^2
//! ```
//!
//! Near the end of the reserve `C` is useless. There `f` is bounded by `x * f(a) / a` and by `f(b)`, and the line
//! falls short of these most where they meet.

use firmquote_domain::{Amount, BasisPoints, U256, U512};

use super::display::nearest;
use crate::{PairState, Swap};

/// An upper bound of the relative rounding error of the doubles in a bound.
const SLACK: f64 = 1.0 + 1e-9;

/// The denominator of the position of a point in an interval.
pub(crate) const PARTS: u32 = 1 << 16;

/// Returns an upper bound of how far the line from `start` to `end` falls short of the curve of `pair`, as a part of
/// the curve; at most 1. Both are points of the curve with outputs rounded down.
pub(crate) fn shortfall(pair: &PairState, start: &Swap, end: &Swap) -> f64 {
    let Some(width) = end.input.checked_sub(start.input) else { return 0.0 };
    let width = units(width.base_units());
    (by_curvature(pair, start, end, width).min(by_bounds(start, end, width)) * SLACK).min(1.0)
}

/// Returns an upper bound of how far the line from `start` to `end` falls short of any concave curve through them, as a part
/// of the curve; at most 1.
pub(crate) fn shortfall_of_concave(start: &Swap, end: &Swap) -> f64 {
    let width = end.input.checked_sub(start.input).map_or(0.0, |width| units(width.base_units()));
    (by_bounds(start, end, width) * SLACK).min(1.0)
}

/// The bound that follows from the second derivative.
fn by_curvature(pair: &PairState, start: &Swap, end: &Swap, width: f64) -> f64 {
    let left = pair.output.reserve.base_units().saturating_sub(rounded_up(end.output));
    if left.is_zero() {
        return f64::INFINITY;
    }
    let k = units(U256::from(pair.k.steps())) * 1e-18;
    let after_fee = 1.0 - f64::from(pair.fee.hundredths()) / f64::from(BasisPoints::SCALE);
    let [start_input, end_input] = [start.input, end.input].map(|input| units(input.base_units()));
    let slope = units(rounded_up(start.output)) / start_input;
    let reserve = units(pair.input.reserve.base_units());
    let curvature = k * slope * (after_fee / (reserve + after_fee * start_input) + slope / units(left));
    let step = width / (start_input.sqrt() + end_input.sqrt());
    0.5 * curvature * end_input / units(end.output.base_units()) * step * step
}

/// The bound that follows from concavity alone.
fn by_bounds(start: &Swap, end: &Swap, width: f64) -> f64 {
    let slope = units(rounded_up(start.output)) / units(start.input.base_units());
    let end_bound = units(rounded_up(end.output));
    let rise = units(end.output.base_units().saturating_sub(start.output.base_units()));
    // The distance from the start to the point where the bounds meet.
    let meeting = (rise / slope).min(width);
    let line = units(start.output.base_units()) + rise * meeting / width;
    let bound = (units(rounded_up(start.output)) + slope * meeting).min(end_bound);
    (bound - line).max(0.0) / bound
}

fn rounded_up(output: Amount) -> U256 {
    output.base_units().saturating_add(U256::ONE)
}

/// Returns the decrease from `output` to `lowered`, relative to `output`.
pub(crate) fn lowering(output: Amount, lowered: Amount) -> f64 {
    output.checked_sub(lowered).map_or(0.0, |less| units(less.base_units()) / units(output.base_units()) * SLACK)
}

/// Returns a part of one in basis points, rounded up.
pub(crate) fn part_in_basis_points(part: f64) -> BasisPoints {
    let hundredths = (part * f64::from(BasisPoints::SCALE)).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1,000,000")]
    let hundredths = hundredths as u32;
    BasisPoints::from_hundredths(hundredths.min(BasisPoints::SCALE - 1)).unwrap_or_default()
}

/// Returns how many lines have a shortfall of at most `target` each, given the shortfalls of lines between neighboring
/// points.
pub(crate) fn lines_needed(shortfalls: &[f64], target: f64) -> usize {
    let lines = (roots(shortfalls).sum::<f64>() / target.sqrt()).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the root of 1 over a target")]
    let lines = lines as usize;
    lines.max(1)
}

/// Returns the ends of `lines` lines, without the first point and the last, so that all have about the same shortfall:
/// each as the number of an interval between neighboring points, and a position in it in [`PARTS`].
///
/// The root of a shortfall is proportional to the length of a line in `sqrt(input)`.
pub(crate) fn place(shortfalls: &[f64], lines: usize) -> Vec<(u32, u32)> {
    let total: f64 = roots(shortfalls).sum();
    let mut intervals = (0..).zip(roots(shortfalls));
    let (mut passed, mut current) = (0.0, intervals.next());
    let mut ends = Vec::with_capacity(lines);
    for line in 1..lines {
        #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
        let target = total * line as f64 / lines as f64;
        while let Some((_, length)) = current
            && passed + length < target
        {
            passed += length;
            current = intervals.next();
        }
        let Some((interval, length)) = current else { break };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1 times the parts")]
        let position = ((target - passed) / length * f64::from(PARTS)) as u32;
        ends.push((interval, position.min(PARTS)));
    }
    ends
}

fn roots(shortfalls: &[f64]) -> impl Iterator<Item = f64> {
    shortfalls.iter().map(|shortfall| shortfall.sqrt())
}

fn units(number: U256) -> f64 {
    nearest(U512::from(number), 0)
}
