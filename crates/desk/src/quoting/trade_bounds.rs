//! The bounds of a trade as reported by a refusal: amounts that would be served.

use firmquote_domain::{Amount, PoolSpec, SwapAmount, U256};
use firmquote_pricing::{
    PairAsset, PairState, Swap, max_amount_worth, min_amount_worth, offered_input, offered_output, share_of_fee,
    sound_bounds, value_rounded_up,
};

use crate::{DeskError, policy::TradeLimits};

pub(crate) const fn fixed_field(fixed: SwapAmount) -> &'static str {
    match fixed {
        SwapAmount::ExactInput(_) => "input_amount",
        SwapAmount::ExactOutput(_) => "output_amount",
    }
}

/// Returns the refusal of a trade that is too small for the curve, which reports its own bound, or for the pool.
/// Reports the larger bound, so that the reported amount is served.
pub(crate) fn too_small(
    spec: &PoolSpec,
    state: &PairState,
    fixed: SwapAmount,
    curve_limit: Option<Amount>,
) -> DeskError {
    match curve_limit.max(least_trade(spec, state, fixed)) {
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
        SwapAmount::ExactOutput(_) => offered_output(state, least_input).ok()?.checked_add(Amount::ONE),
    }
}

/// Whether a swap exceeds `limits`, as counted when signing: the value of either side, or the output.
pub(crate) fn exceeds(swap: &Swap, state: &PairState, limits: &TradeLimits) -> bool {
    let legs = [(swap.input, &state.input), (swap.output, &state.output)];
    let is_worth_more =
        |limit| legs.iter().any(|(amount, side)| value_rounded_up(*amount, side.price, side.decimals) > limit);
    limits.max_value().is_some_and(is_worth_more)
        || limits.max_output(state.output.reserve).is_some_and(|limit| swap.output.base_units() > limit)
}

/// Returns the refusal of a trade of which a push that pays for more than its stated amounts would not be sound. The
/// reported amount is served; the largest amount that would be served may be twice as high.
pub(crate) fn unsound(spec: &PoolSpec, state: &PairState, fixed: SwapAmount) -> DeskError {
    let [input, output] = sound_bounds(state, share_of_fee(state.fee, spec.min_fee_share));
    match max_of_side(state, fixed, [Some(input), Some(output)]).and_then(Amount::new) {
        Some(limit) => DeskError::TooLarge { field: fixed_field(fixed), limit },
        None => DeskError::Exhausted,
    }
}

/// Returns the refusal of a trade that exceeds `limits`, or that the reserves do not allow beyond `curve_limit`. The
/// reported amount is served if it is sound; the largest amount that would be served may be slightly higher.
pub(crate) fn too_large(
    state: &PairState,
    fixed: SwapAmount,
    limits: &TradeLimits,
    curve_limit: Option<Amount>,
) -> DeskError {
    let field = fixed_field(fixed);
    match (curve_limit, max_amount(state, fixed, limits)) {
        (Some(limit), None) => DeskError::TooLarge { field, limit },
        (Some(limit), Some(max)) if limit.base_units() <= max => DeskError::TooLarge { field, limit },
        (_, max) => match max.and_then(Amount::new) {
            Some(limit) => DeskError::AmountAboveTradeLimit { field, limit },
            None => DeskError::Exhausted,
        },
    }
}

/// Returns the largest amount, on the side the client fixes, that `limits` certainly allow, in base units: 0 if they
/// allow none, `None` without limits.
fn max_amount(state: &PairState, fixed: SwapAmount, limits: &TradeLimits) -> Option<U256> {
    let units = |amount: Option<Amount>| amount.map_or(U256::ZERO, Amount::base_units);
    let worth =
        |side: &PairAsset| limits.max_value().map(|limit| units(max_amount_worth(side.price, side.decimals, limit)));
    let (input, output) = (worth(&state.input), worth(&state.output));
    let output = output.into_iter().chain(limits.max_output(state.output.reserve)).min();
    max_of_side(state, fixed, [input, output])
}

/// Returns the largest amount, on the side the client fixes, with which neither side exceeds its bound, in base units: 0
/// if there is none, `None` without bounds.
fn max_of_side(state: &PairState, fixed: SwapAmount, [input, output]: [Option<U256>; 2]) -> Option<U256> {
    let units = |amount: Option<Amount>| amount.map_or(U256::ZERO, Amount::base_units);
    // Beyond the curve, the bound of the other side is none.
    let bounds = match fixed {
        // The largest input that still gives less than the bound of the output.
        SwapAmount::ExactInput(_) => [
            input,
            output.and_then(|output| match Amount::new(output) {
                Some(output) => offered_input(state, output).ok().map(|input| units(input.checked_sub(Amount::ONE))),
                None => Some(U256::ZERO),
            }),
        ],
        SwapAmount::ExactOutput(_) => [
            output,
            input.and_then(|input| match Amount::new(input) {
                Some(input) => offered_output(state, input).ok().map(Amount::base_units),
                None => Some(U256::ZERO),
            }),
        ],
    };
    bounds.into_iter().flatten().min()
}
