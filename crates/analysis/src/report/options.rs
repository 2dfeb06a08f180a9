//! What the options are worth that signatures are: until it expires, its client may execute one or not.

use std::ops::AddAssign;

use firmquote_domain::Usd;

use crate::Money;

/// The figures of options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionFigures {
    /// The value of those that were given, at the volatility of the hour before: an estimate, for signatures whose prices
    /// are known.
    pub given: Money,
    /// Signatures whose prices are not known.
    pub missing: u64,
    /// The part of the fees of executed swaps that grows with volatility and time, where the configuration is known.
    pub paid: Money,
    /// What prices did for the clients from the quotes to the executions, without what they did against them.
    pub used: Money,
    /// What swaps that expired unused would have earned at their expiry, of those that would.
    pub not_taken: Money,
}

impl OptionFigures {
    /// The figures of a signature: the price of an option at the money on `value` for `seconds`, 0.4 s sqrt(T) (Brenner and
    /// Subrahmanyam, 1988), of this volatility in the square root of a second.
    pub(super) fn given(value: &Money, volatility: Option<f64>, seconds: u32) -> Self {
        let worth = volatility.map(|volatility| 0.4 * volatility * f64::from(seconds).sqrt() * value.to_f64());
        match worth.and_then(|worth| format!("{worth:.8}").parse::<Usd>().ok()) {
            Some(given) => Self { given: Money::from(given), ..Self::default() },
            None => Self { missing: 1, ..Self::default() },
        }
    }
}

impl AddAssign for OptionFigures {
    fn add_assign(&mut self, other: Self) {
        self.given += other.given;
        self.missing += other.missing;
        self.paid += other.paid;
        self.used += other.used;
        self.not_taken += other.not_taken;
    }
}
