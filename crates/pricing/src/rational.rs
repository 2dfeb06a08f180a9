//! k = 0: the curve is a straight line, and the price a fraction of integers.

use firmquote_domain::{Amount, BasisPoints, U256, U512};

use crate::{PairState, pair::Side, solve::Rounding};

/// The output for `input`: `in * M * pX / pY` in base units.
pub(crate) fn output(pair: &PairState, input: Amount) -> Rounding {
    let numerator = U512::from(kept(pair)) * worth(&pair.input, &pair.output);
    let denominator = U512::from(BasisPoints::ONE_HUNDREDTHS) * worth(&pair.output, &pair.input);
    divide(input, numerator, denominator)
}

/// The input for `output`: `out * pY / (M * pX)` in base units.
pub(crate) fn input(pair: &PairState, output: Amount) -> Rounding {
    let numerator = U512::from(BasisPoints::ONE_HUNDREDTHS) * worth(&pair.output, &pair.input);
    let denominator = U512::from(kept(pair)) * worth(&pair.input, &pair.output);
    divide(output, numerator, denominator)
}

fn kept(pair: &PairState) -> u32 {
    BasisPoints::ONE_HUNDREDTHS - pair.fee.hundredths()
}

/// What a base unit is worth, in units that are the same for both sides: below 2^144.
fn worth(side: &Side, other: &Side) -> U512 {
    U512::from(side.price.steps()) * U512::from(other.decimals.units_per_token())
}

/// `amount * numerator / denominator`; 256 + 20 + 144 bits at most, so nothing overflows.
fn divide(amount: Amount, numerator: U512, denominator: U512) -> Rounding {
    let (quotient, rest) = (U512::from(amount.base_units()) * numerator).div_rem(denominator);
    match U256::checked_from_limbs_slice(quotient.as_limbs()) {
        Some(quotient) if rest.is_zero() => Rounding::Exactly(quotient),
        Some(quotient) => Rounding::Above(quotient),
        None => Rounding::Huge,
    }
}
