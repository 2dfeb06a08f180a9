//! The side whose amount a client fixes, with that amount.

use crate::Amount;

/// The side whose amount the client fixed; the other amount is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FixedSide {
    /// The amount the client gives (exact input).
    Input,
    /// The amount the client gets (exact output).
    Output,
}

/// The amount of a swap that the client fixes, in base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapAmount {
    /// Paid by the client; the output is computed, rounded down.
    ExactInput(Amount),
    /// Paid to the client; the input is computed, rounded up.
    ExactOutput(Amount),
}

impl SwapAmount {
    /// Fixes the amount of `side`.
    pub const fn new(side: FixedSide, amount: Amount) -> Self {
        match side {
            FixedSide::Input => Self::ExactInput(amount),
            FixedSide::Output => Self::ExactOutput(amount),
        }
    }

    /// The side that is fixed.
    pub const fn side(self) -> FixedSide {
        match self {
            Self::ExactInput(_) => FixedSide::Input,
            Self::ExactOutput(_) => FixedSide::Output,
        }
    }

    /// The amount, in base units of its side.
    pub const fn amount(self) -> Amount {
        match self {
            Self::ExactInput(amount) | Self::ExactOutput(amount) => amount,
        }
    }

    /// The same side with another amount.
    #[must_use]
    pub const fn with_amount(self, amount: Amount) -> Self {
        Self::new(self.side(), amount)
    }
}
