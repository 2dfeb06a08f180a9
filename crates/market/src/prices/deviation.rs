//! The relative distance of two numbers.

use std::fmt;

use firmquote_domain::BasisPoints;

/// The distance of a number from a smaller or earlier one, relative to that one, in hundredths of a basis point,
/// rounded up; without an upper limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deviation(u64);

impl Deviation {
    /// Creates a deviation from basis points.
    pub fn from_basis_points(basis_points: BasisPoints) -> Self {
        Self(basis_points.hundredths().into())
    }

    /// Returns the distance of `number` from `reference`; the maximum if `reference` is zero.
    pub fn relative_to(reference: u64, number: u64) -> Self {
        let distance = u128::from(reference.abs_diff(number)) * u128::from(BasisPoints::SCALE);
        match u128::from(reference) {
            0 => Self(u64::MAX),
            reference => Self(u64::try_from(distance.div_ceil(reference)).unwrap_or(u64::MAX)),
        }
    }

    /// Returns the distance of two numbers relative to the smaller one: symmetric.
    pub fn between(one: u64, other: u64) -> Self {
        Self::relative_to(one.min(other), one.max(other))
    }

    /// Returns the deviation that is allowed in `millis` milliseconds at a limit of `per_second`, rounded down.
    pub(crate) const fn allowed_in(per_second: BasisPoints, millis: u64) -> Self {
        Self((per_second.hundredths() as u64).saturating_mul(millis) / 1_000)
    }

    /// Returns the deviation in hundredths of a basis point.
    pub const fn hundredths(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Deviation {
    /// Writes basis points with at most two decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole} bp"),
            (whole, hundredths) if hundredths % 10 == 0 => write!(f, "{whole}.{} bp", hundredths / 10),
            (whole, hundredths) => write!(f, "{whole}.{hundredths:02} bp"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_relative_to_the_reference_and_rounded_up() {
        for (reference, number, hundredths, text) in [
            (100, 100, 0, "0 bp"),
            (100, 150, 500_000, "5000 bp"),
            (150, 100, 333_334, "3333.34 bp"),
            (1_000_000, 1_000_001, 1, "0.01 bp"),
            (u64::MAX, 1, 1_000_000, "10000 bp"),
            (1, u64::MAX, u64::MAX, "184467440737095516.15 bp"),
            (0, 1, u64::MAX, "184467440737095516.15 bp"),
            (10_000, 10_001, 100, "1 bp"),
            (10_000_000, 10_000_011, 2, "0.02 bp"),
        ] {
            let change = Deviation::relative_to(reference, number);
            assert_eq!((change.hundredths(), change.to_string().as_str()), (hundredths, text), "{reference} {number}");
        }
    }
}
