//! The price of one pool for a request: the swap that it offers, within its bounds, or the refusal.

use firmquote_domain::{
    Amount, GoodUntil, GoodUntilKind, PackedGoodUntil, PoolSpec, SettlementCheck, SwapAmount, UnixSeconds,
};
use firmquote_pricing::{PairState, PricingError, Swap, is_worth_at_least};

use super::{
    directed_pair::DirectedPair,
    trade_bounds::{exceeds, too_large, too_small, unsound},
};
use crate::{DeskError, policy::TradeLimits};

/// Returns the swap of `amount` in `state`, if it is within the bounds of the pool and of `limits`, and would be signed
/// in this state: alone it is sound. The amount that a refusal reports is served.
pub(crate) fn price(
    directed_pair: &DirectedPair<'_>,
    state: &PairState,
    amount: SwapAmount,
    limits: &TradeLimits,
) -> Result<Swap, DeskError> {
    let unsound = || unsound(directed_pair.spec(), state, amount);
    match within_limits(directed_pair, state, amount, limits) {
        Ok(swap) => {
            if directed_pair.is_sound(state, &swap)? {
                Ok(swap)
            } else {
                Err(unsound())
            }
        }
        Err(refusal @ (DeskError::TooLarge { limit, .. } | DeskError::AmountAboveTradeLimit { limit, .. })) => {
            let largest = within_limits(directed_pair, state, amount.with_amount(limit), limits);
            let is_served =
                largest.is_ok_and(|swap| directed_pair.is_sound(state, &swap).is_ok_and(|is_sound| is_sound));
            Err(if is_served { refusal } else { unsound() })
        }
        Err(refusal) => Err(refusal),
    }
}

/// Returns the swap of `amount` in `state`, if it is within the bounds of the pool and of `limits`.
fn within_limits(
    directed_pair: &DirectedPair<'_>,
    state: &PairState,
    amount: SwapAmount,
    limits: &TradeLimits,
) -> Result<Swap, DeskError> {
    let spec = directed_pair.spec();
    let swap = directed_pair.prepare(state).price(spec.pricing_kind(), amount).map_err(|error| match error {
        PricingError::TooLarge { limit } => too_large(state, amount, limits, Some(limit)),
        PricingError::TooSmall { limit } => too_small(spec, state, amount, Some(limit)),
        PricingError::Empty => DeskError::Exhausted,
        PricingError::Undecided => DeskError::Internal(error.to_string()),
    })?;
    if !is_worth_at_least(swap.input, state.input.price, state.input.decimals, spec.min_trade) {
        return Err(too_small(spec, state, amount, None));
    }
    if exceeds(&swap, state, limits) {
        return Err(too_large(state, amount, limits, None));
    }
    // Whether the contract can read the terms does not depend on when they expire.
    good_until(spec, state, &swap, UnixSeconds::new(u32::MAX)).map(|_| swap)
}

/// Returns the smallest input that is quoted in `state`, and the largest that a refusal of more reports.
pub(crate) fn input_range(
    directed_pair: &DirectedPair<'_>,
    state: &PairState,
    limits: &TradeLimits,
) -> Result<[Amount; 2], DeskError> {
    let priced = |input| price(directed_pair, state, SwapAmount::ExactInput(input), limits);
    let smallest = match priced(Amount::ONE) {
        Err(DeskError::TooSmall { limit, .. }) => limit,
        smallest => smallest?.input,
    };
    // The bound reported by a refusal is served; if it is not, no size is.
    priced(smallest)?;
    let largest = match priced(Amount::MAX) {
        Err(DeskError::TooLarge { limit, .. } | DeskError::AmountAboveTradeLimit { limit, .. }) => limit,
        served => served?.input,
    };
    Ok([smallest, largest])
}

/// Returns the best offer of several pools by `is_better`; of refusals alone, the most informative one.
pub(super) fn best_of<T>(
    offers: impl Iterator<Item = Result<T, DeskError>>,
    is_better: impl Fn(&T, &T) -> bool,
) -> Result<T, DeskError> {
    let best = offers.reduce(|best, next| match (best, next) {
        (Ok(best), Ok(next)) if is_better(&next, &best) => Ok(next),
        (Ok(best), _) | (Err(_), Ok(best)) => Ok(best),
        (Err(best), Err(next)) => Err(more_specific_error(best, next)),
    });
    best.unwrap_or_else(|| Err(DeskError::Internal("no pair to quote".into())))
}

/// Of two pools' refusals, returns the wider bound; a pool that does not quote the client at all is the least
/// informative.
fn more_specific_error(one: DeskError, other: DeskError) -> DeskError {
    use DeskError::{AmountAboveTradeLimit, Breaker, ClientTerms, Paused, SwapsDisabled, TooLarge, TooSmall};
    match (&one, &other) {
        (SwapsDisabled | Paused | Breaker | ClientTerms, _) => other,
        (
            TooLarge { limit, .. } | AmountAboveTradeLimit { limit, .. },
            TooLarge { limit: other_limit, .. } | AmountAboveTradeLimit { limit: other_limit, .. },
        ) if other_limit > limit => other,
        (TooSmall { limit, .. }, TooSmall { limit: other_limit, .. }) if other_limit < limit => other,
        _ => one,
    }
}

/// Returns the requested time, or the default of the pool, in seconds.
pub(crate) fn validate_time(spec: &PoolSpec, requested: Option<u32>) -> Result<u32, DeskError> {
    let time = requested.unwrap_or(spec.default_time_in_seconds);
    let (min, max) = (spec.min_time_in_seconds, spec.max_time_in_seconds);
    if (min..=max).contains(&time) {
        return Ok(time);
    }
    let reason = format!("must be {min} to {max} seconds for this pool");
    Err(DeskError::NotAllowed { field: "time_in_seconds", reason })
}

/// Returns the word of a swap, in the form that the contract of `spec` reads.
///
/// # Errors
/// [`DeskError::NotAllowed`] if the price of the output is too low to bound the rate with.
pub(super) fn good_until(
    spec: &PoolSpec,
    state: &PairState,
    swap: &Swap,
    expires_at: UnixSeconds,
) -> Result<GoodUntil, DeskError> {
    let packed = PackedGoodUntil {
        input_price: state.input.price,
        output_price: state.output.price,
        k: state.k,
        input_weight: state.input.weight,
        output_weight: state.output.weight,
        expires_at,
    };
    match (spec.good_until, spec.settlement) {
        (GoodUntilKind::Plain, _) => Ok(GoodUntil::Plain(expires_at)),
        (GoodUntilKind::Verified, SettlementCheck::Curve) => Ok(GoodUntil::Packed(packed)),
        (GoodUntilKind::Verified, SettlementCheck::Price) => {
            let bound =
                packed.with_rate_bound((swap.input, state.input.decimals), (swap.output, state.output.decimals));
            let reason = || "is priced too low for this pool".to_owned();
            let refused = || DeskError::NotAllowed { field: "output_asset_symbol", reason: reason() };
            bound.map(GoodUntil::Packed).ok_or_else(refused)
        }
    }
}
