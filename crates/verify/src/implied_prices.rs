//! The prices that a quote was made with. A packed `good_until` contains them; in a quote alone they are implied by the
//! values in US dollars, which are amount times price as the nearest double.

use firmquote_domain::{Amount, Decimals, PackedGoodUntil, Price};
use firmquote_pricing::{PairAsset, PairState, value_in_usd};

/// The prices that a response implies, if any. They are claimed by the service and not proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImpliedPrices {
    /// Prices, weights and k from a packed `good_until`.
    Packed(PackedGoodUntil),
    /// The values of the two amounts in US dollars.
    Values {
        /// Value of the input.
        input: f64,
        /// Value of the output.
        output: f64,
    },
    /// The response implies no prices.
    Unknown,
}

impl ImpliedPrices {
    /// Returns `published` with the implied numbers in place of its own; `None` if none are implied, or if no price
    /// gives the values.
    pub(crate) fn apply_to(&self, published: &PairState, input: Amount, output: Amount) -> Option<PairState> {
        let mut state = *published;
        match self {
            Self::Packed(packed) => {
                state.k = packed.k;
                (state.input.price, state.input.weight) = (packed.input_price, packed.input_weight);
                (state.output.price, state.output.weight) = (packed.output_price, packed.output_weight);
            }
            Self::Values { input: input_value, output: output_value } => {
                let PairState { input: input_side, output: output_side, .. } = *published;
                state.input.price = price_of(*input_value, input, input_side.decimals, input_side.price)?;
                state.output.price = price_of(*output_value, output, output_side.decimals, output_side.price)?;
            }
            Self::Unknown => return None,
        }
        Some(state)
    }

    /// Whether the values in US dollars imply other prices than those of `published`; false without such values.
    pub(crate) fn values_differ(&self, published: &PairState, input: Amount, output: Amount) -> bool {
        let Self::Values { input: input_value, output: output_value } = self else { return false };
        let differs = |side: &PairAsset, amount, value: &f64| {
            value_in_usd(amount, side.price, side.decimals).to_bits() != value.to_bits()
        };
        differs(&published.input, input, input_value) || differs(&published.output, output, output_value)
    }

    /// Whether the packed numbers, which the pool's contract checks with, differ from those of `published`; false
    /// without them.
    pub(crate) fn contradicts(&self, published: &PairState) -> bool {
        let Self::Packed(packed) = self else { return false };
        let is_same_input =
            (packed.input_price, packed.input_weight) == (published.input.price, published.input.weight);
        let is_same_output =
            (packed.output_price, packed.output_weight) == (published.output.price, published.output.weight);
        !(is_same_input && is_same_output && packed.k == published.k)
    }
}

/// Returns a price at which `amount` is worth exactly the double `value`: `likely` if it is one, otherwise the one
/// nearest to the quotient of `value` and the value at the smallest price; `None` if there is none.
pub(crate) fn price_of(value: f64, amount: Amount, decimals: Decimals, likely: Price) -> Option<Price> {
    let implies = |price: &Price| value_in_usd(amount, *price, decimals).to_bits() == value.to_bits();
    if implies(&likely) {
        return Some(likely);
    }
    let step_value = value_in_usd(amount, Price::new(1)?, decimals);
    // The division is off by a few parts in 2^53.
    let guess: u64 = format!("{:.0}", value / step_value).parse().ok()?;
    let max_distance = 2 + (guess >> 50);
    let steps = (0..=max_distance).flat_map(|distance| [guess.checked_sub(distance), guess.checked_add(distance)]);
    steps.flatten().filter_map(Price::new).find(implies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_implies_the_price_to_the_last_step() {
        for (amount, decimals) in [
            ("1", 18),
            ("1000000000000000000", 18),
            ("2078539413", 6),
            ("123456789012345678901234567890", 18),
            ("7", 0),
        ] {
            let (amount, decimals) = (amount.parse().unwrap(), Decimals::new(decimals).unwrap());
            for steps in [1, 99_999_999, 100_000_000, 100_000_001, 208_052_700_000, 12_345_678_901_234, u64::MAX >> 12]
            {
                let price = Price::new(steps).unwrap();
                let value = value_in_usd(amount, price, decimals);
                assert_eq!(price_of(value, amount, decimals, Price::new(5).unwrap()), Some(price), "{steps}");
            }
        }
    }

    #[test]
    fn a_value_of_another_amount_implies_no_price() {
        let (amount, decimals) = ("2078539414".parse().unwrap(), Decimals::new(6).unwrap());
        let dollar = Price::new(100_000_000).unwrap();
        for value in [2_078.539_413, -1.0, 0.0, f64::INFINITY, f64::NAN] {
            assert_eq!(price_of(value, amount, decimals, dollar), None, "{value}");
        }
        assert_eq!(price_of(2_078.539_414, amount, decimals, dollar), Some(dollar));
    }
}
