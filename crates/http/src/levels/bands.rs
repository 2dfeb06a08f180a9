//! Levels as price bands: decimal strings that a reader may multiply and add in doubles without exceeding a knot.

use firmquote_api::Band;
use firmquote_desk::{LevelBook, Levels};
use firmquote_domain::{Amount, U512};

/// The minimum number of significant digits of a price. A price is lowered by one part in 10^13 and one unit in its
/// last digit, more than all rounding errors of doubles in sums of 64 products, 1e-14 of them.
const PRICE_DIGITS: u32 = 13;

/// Returns the bands between the knots, best first: the whole output tokens for each whole input token, and the whole
/// input tokens of the band. The first band ranges from zero to the first knot.
pub(super) fn bands(book: &LevelBook) -> Vec<Band> {
    let decimals = [book.input.decimals.get(), book.output.decimals.get()].map(i32::from);
    let steps = steps(&book.levels);
    // The last price is the lowest: with its decimals, no price has fewer digits.
    let Some([input_step, output_step]) = steps.last() else { return Vec::new() };
    let scale = scale(*output_step, *input_step);
    let price = |[input_step, output_step]: [U512; 2]| {
        let (output_step, input_step) = if scale < 0 {
            (output_step, input_step * power(-scale))
        } else {
            (output_step * power(scale), input_step)
        };
        let price = output_step / input_step;
        let lowered = price - price / U512::from(10_u64.pow(PRICE_DIGITS)) - U512::ONE;
        plain_decimal(lowered, decimals[0] - decimals[1] - scale)
    };
    let band = |step: &[U512; 2]| Band { price: price(*step), size: plain_decimal(step[0], -decimals[0]) };
    steps.iter().map(band).collect()
}

/// The input and the output from each knot to the next, in base units.
fn steps(levels: &Levels) -> Vec<[U512; 2]> {
    let mut last = [U512::ZERO; 2];
    let knots = levels.knots.iter().map(|knot| [knot.input, knot.output].map(Amount::base_units).map(U512::from));
    let step = |[input, output]: [U512; 2]| {
        let [from_input, from_output] = std::mem::replace(&mut last, [input, output]);
        [input - from_input, output - from_output]
    };
    knots.map(step).collect()
}

/// Returns the power of ten that gives the quotient of `output_step` and `input_step` at least as many digits as a
/// price has.
fn scale(output_step: U512, input_step: U512) -> i32 {
    let min_quotient = U512::from(10_u64.pow(PRICE_DIGITS - 1));
    let mut scale = 0;
    let (mut output_step, mut input_step) = (output_step, input_step);
    while output_step / input_step < min_quotient {
        (output_step, scale) = (output_step * U512::from(10), scale + 1);
    }
    while output_step / input_step >= min_quotient * U512::from(10) {
        (input_step, scale) = (input_step * U512::from(10), scale - 1);
    }
    scale
}

fn power(exponent: i32) -> U512 {
    U512::from(10).pow(U512::from(exponent.unsigned_abs()))
}

/// Formats `number * 10^exponent` without an exponent and without trailing zeros behind the point.
fn plain_decimal(number: U512, exponent: i32) -> String {
    let digits = number.to_string();
    let places = usize::try_from(-exponent).unwrap_or(0);
    if places == 0 {
        return digits + &"0".repeat(usize::try_from(exponent).unwrap_or(0));
    }
    let digits = "0".repeat((places + 1).saturating_sub(digits.len())) + &digits;
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_have_no_exponent() {
        let text = |number: u64, exponent| plain_decimal(U512::from(number), exponent);
        assert_eq!(text(1_500, -3), "1.5");
        assert_eq!(text(1_500, -7), "0.00015");
        assert_eq!(text(2_000, -3), "2");
        assert_eq!(text(12, 3), "12000");
        assert_eq!(text(0, -2), "0");
    }

    #[test]
    fn prices_have_thirteen_significant_digits() {
        for (output_step, input_step) in [(1_u64, 1_u64), (3, 7_000_000_000), (u64::MAX, 3), (999, 1_000)] {
            let (output_step, input_step) = (U512::from(output_step), U512::from(input_step));
            let scale = scale(output_step, input_step);
            let quotient = if scale < 0 {
                output_step / (input_step * power(-scale))
            } else {
                output_step * power(scale) / input_step
            }
            .to_string();
            assert_eq!(quotient.len(), 13, "{quotient}");
        }
    }
}
