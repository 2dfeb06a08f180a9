//! The bounds of a trade as reported by a refusal: amounts that would be served.

use firmquote_domain::{Amount, PoolSpec, Usd};
use firmquote_pricing::{
    PairState, Swap, SwapAmount, input_for, max_amount_worth, min_amount_worth, output_for, worth,
};

use crate::DeskError;

pub(crate) const fn fixed_field(fixed: SwapAmount) -> &'static str {
    match fixed {
        SwapAmount::ExactInput(_) => "input_amount",
        SwapAmount::ExactOutput(_) => "output_amount",
    }
}

/// Returns the refusal of a trade that is too small for the curve, which reports its own bound, or for the pool.
/// Reports the larger bound, so that the reported amount is served.
pub(crate) fn too_small(spec: &PoolSpec, state: &PairState, fixed: SwapAmount, of_curve: Option<Amount>) -> DeskError {
    match of_curve.max(least_trade(spec, state, fixed)) {
        Some(limit) => DeskError::TooSmall { field: fixed_field(fixed), limit },
        None => DeskError::Exhausted,
    }
}

/// Returns the smallest amount, on the side the client fixes, whose input is worth the pool's smallest trade; `None` if
/// there is none.
fn least_trade(spec: &PoolSpec, state: &PairState, fixed: SwapAmount) -> Option<Amount> {
    let least_input = min_amount_worth(state.input.price, state.input.decimals, spec.min_trade);
    match fixed {
        SwapAmount::ExactInput(_) => Some(least_input),
        // The input for one unit more than the output of the least input is worth enough.
        SwapAmount::ExactOutput(_) => output_for(state, least_input).ok()?.checked_add(Amount::ONE),
    }
}

/// Whether either side of a swap is worth more than `most`, as counted when signing.
pub(crate) fn exceeds_value(swap: &Swap, state: &PairState, most: Usd) -> bool {
    let legs = [(swap.input, &state.input), (swap.output, &state.output)];
    legs.into_iter().any(|(amount, side)| worth(amount, side.price, side.decimals) > most)
}

/// Returns the refusal of a trade that is worth more than `most`. The reported amount is served; the largest amount
/// that would be served may be slightly higher.
pub(crate) fn too_large(state: &PairState, fixed: SwapAmount, most: Usd) -> DeskError {
    let [input, output] = [&state.input, &state.output].map(|side| max_amount_worth(side.price, side.decimals, most));
    let max_output = input.and_then(|input| output_for(state, input).ok());
    let limit = match fixed {
        SwapAmount::ExactInput(_) if max_output <= output => input,
        // The output is worth more than the input: the largest input that still gives less than the output's bound.
        SwapAmount::ExactInput(_) => output.and_then(|output| input_for(state, output).ok()?.checked_sub(Amount::ONE)),
        SwapAmount::ExactOutput(_) => max_output.min(output),
    };
    match limit {
        Some(limit) => DeskError::TooLarge { field: fixed_field(fixed), limit },
        None => DeskError::Exhausted,
    }
}
