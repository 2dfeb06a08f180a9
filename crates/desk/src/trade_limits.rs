//! The bounds of a trade, as a refusal tells them: amounts that would be served.

use firmquote_domain::{Amount, PoolSpec, Usd};
use firmquote_pricing::{Fixed, PairState, Swap, input_for, least_worth, most_worth, output_for, worth};

use crate::DeskError;

pub(crate) const fn fixed_field(fixed: Fixed) -> &'static str {
    match fixed {
        Fixed::Input(_) => "input_amount",
        Fixed::Output(_) => "output_amount",
    }
}

/// The refusal of a trade that is too small for the curve, which then names its own bound, or for the pool. The larger
/// bound is told, so that it is served.
pub(crate) fn too_small(spec: &PoolSpec, state: &PairState, fixed: Fixed, of_curve: Option<Amount>) -> DeskError {
    match of_curve.max(least_trade(spec, state, fixed)) {
        Some(limit) => DeskError::TooSmall { field: fixed_field(fixed), limit },
        None => DeskError::Exhausted,
    }
}

/// The least amount, on the side the client fixes, whose input is worth the pool's least trade; `None` if there is none.
fn least_trade(spec: &PoolSpec, state: &PairState, fixed: Fixed) -> Option<Amount> {
    let least_input = least_worth(state.input.price, state.input.decimals, spec.min_trade);
    match fixed {
        Fixed::Input(_) => Some(least_input),
        // What one unit more than the least input's output costs is worth enough.
        Fixed::Output(_) => output_for(state, least_input).ok()?.checked_add(Amount::ONE),
    }
}

/// Whether either side of a swap is worth more than `most`, as signing would count it.
pub(crate) fn is_worth_more(swap: &Swap, state: &PairState, most: Usd) -> bool {
    let legs = [(swap.input, &state.input), (swap.output, &state.output)];
    legs.into_iter().any(|(amount, side)| worth(amount, side.price, side.decimals) > most)
}

/// The refusal of a trade that is worth more than `most`. The amount it tells is served; the largest that would be may be a
/// little above it.
pub(crate) fn too_large(state: &PairState, fixed: Fixed, most: Usd) -> DeskError {
    let [input, output] = [&state.input, &state.output].map(|side| most_worth(side.price, side.decimals, most));
    let given = input.and_then(|input| output_for(state, input).ok());
    let limit = match fixed {
        Fixed::Input(_) if given <= output => input,
        // The output is worth more than the input: what does not quite give the most of it.
        Fixed::Input(_) => output.and_then(|output| input_for(state, output).ok()?.checked_sub(Amount::ONE)),
        Fixed::Output(_) => given.min(output),
    };
    match limit {
        Some(limit) => DeskError::TooLarge { field: fixed_field(fixed), limit },
        None => DeskError::Exhausted,
    }
}
