//! Whether a swap is sound together with other signed swaps that may be executed before it, and how much more of them
//! it tolerates.
//!
//! The worth of an asset, `u(q) = (p q)^(1-k) / w^k`, is concave, so that the pool's gain from a swap of X for Y,
//!
//! ```text
//! g = [uX(qX + in) - uX(qX)] - [uY(qY) - uY(qY - out)]
//! ```
//!
//! falls with `qX` and rises with `qY`. Over all subsets of other swaps it is least when all that bring in X, and all
//! that take out Y, are executed first. A swap that is sound on those reserves is therefore sound whatever else is
//! executed.

use firmquote_domain::{
    Amount, BasisPoints, GoodUntilKind, MAX_PUSH_EXCESS_THOUSANDTHS, PoolConstant, U256, U512, narrow,
};

use crate::{PairState, PreparedPair, PricingError, Swap, would_execute};

/// Further amounts that other swaps may move before a swap, in base units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Headroom {
    /// Of the input token, into the pool.
    pub inflow: U256,
    /// Of the output token, out of the pool.
    pub outflow: U256,
}

impl PairState {
    /// Returns the state after other swaps brought in `headroom.inflow` and took out `headroom.outflow`; `None` if the
    /// pool does not hold as much.
    fn after(&self, headroom: Headroom) -> Option<Self> {
        let mut state = *self;
        if let Some(inflow) = Amount::new(headroom.inflow) {
            state.input.reserve = state.input.reserve.checked_add(inflow)?;
        }
        if let Some(outflow) = Amount::new(headroom.outflow) {
            state.output.reserve = state.output.reserve.checked_sub(outflow)?;
        }
        Some(state)
    }
}

/// Whether the pool gains from `swap` in this state, even if the pool kept only the fee of `pair` and a push swap paid
/// for 0.5 % more input than stated; for a verified pool, also whether its contract would execute the swap.
///
/// # Errors
/// [`PricingError::Undecided`] if the rounding could not be decided; never seen.
pub fn is_sound(pair: &PairState, kind: GoodUntilKind, swap: &Swap) -> Result<bool, PricingError> {
    PreparedPair::new(*pair).is_sound(kind, swap)
}

impl PreparedPair {
    /// Returns the same result as [`is_sound`] for this pair.
    ///
    /// # Errors
    /// Those of [`is_sound`].
    pub fn is_sound(&self, kind: GoodUntilKind, swap: &Swap) -> Result<bool, PricingError> {
        // The gain is concave in the executed share of the swap, and zero at zero: if it is positive for the largest
        // push, it is positive for every smaller one.
        let [Some(least_input), Some(most_output)] = [scaled(swap.input, false), scaled(swap.output, true)] else {
            return Ok(false);
        };
        if self.gains(kind, &Swap { input: least_input, output: most_output })? {
            return Ok(true);
        }
        // So small that rounding decides: the contract rounds the scaled output down.
        let [Some(input), Some(output)] = [scaled(swap.input, true), scaled(swap.output, false)] else {
            return Ok(false);
        };
        Ok(self.gains(kind, swap)? && self.gains(kind, &Swap { input, output })?)
    }

    /// Returns amounts that others may move with `swap` staying [sound](is_sound), not necessarily the largest; `None` if
    /// it is not sound in this state.
    ///
    /// # Errors
    /// Those of [`is_sound`].
    pub fn headroom(&self, kind: GoodUntilKind, swap: &Swap) -> Result<Option<Headroom>, PricingError> {
        let mut room = match self.output_for(swap.input) {
            Ok(gives) => estimate(self.state(), swap, gives),
            Err(PricingError::TooLarge { .. }) => Headroom::default(),
            Err(PricingError::TooSmall { .. } | PricingError::Empty) => return Ok(None),
            Err(error @ PricingError::Undecided) => return Err(error),
        };
        while room != Headroom::default() {
            if let Some(after) = self.state().after(room)
                && is_sound(&after, kind, swap)?
            {
                return Ok(Some(room));
            }
            room = Headroom { inflow: room.inflow >> 2, outflow: room.outflow >> 2 };
            if room.inflow.bit_len() < MIN_ROOM_BITS {
                room = Headroom::default();
            }
        }
        Ok(self.is_sound(kind, swap)?.then(Headroom::default))
    }

    /// Whether the pool gains from exactly `swap`, and, if it is verified, would execute it.
    fn gains(&self, kind: GoodUntilKind, swap: &Swap) -> Result<bool, PricingError> {
        match self.output_for(swap.input) {
            Ok(gives) => {
                let is_executed = || kind == GoodUntilKind::Plain || self.would_execute(swap, gives);
                Ok(swap.output <= gives && is_executed())
            }
            // The reserve is smaller than the curve's output: whatever it can pay is sound.
            Err(PricingError::TooLarge { .. }) => Ok(swap.output < self.state().output.reserve
                && (kind == GoodUntilKind::Plain || would_execute(self.state(), swap.input, swap.output))),
            Err(PricingError::TooSmall { .. } | PricingError::Empty) => Ok(false),
            Err(error @ PricingError::Undecided) => Err(error),
        }
    }
}

/// Returns an input and an output up to which a swap that is priced in the state of `pair` is [sound](is_sound) with the
/// fee `kept`, dust aside; in base units, rounded down. At most half
/// of the output's reserve. Swaps of up to about twice this size are sound as well.
///
/// A push of 1.005 times the amounts is sound if the output grows by that much for an input that grows by that much and
/// by the part of the fee that is not kept. The elasticity of the output to the input is at least `1 - k (ξ + η/(1-η))`
/// for a swap of the shares ξ and η of the reserves.
#[must_use]
pub fn sound_bounds(pair: &PairState, kept: BasisPoints) -> [U256; 2] {
    let spared = u64::from(pair.fee.hundredths().saturating_sub(kept.hundredths()));
    let excess = u64::from(BasisPoints::SCALE) / 1_000 * MAX_PUSH_EXCESS_THOUSANDTHS;
    let numerator = U512::from(100 * spared) * U512::from(PoolConstant::SCALE);
    // Half of the bound for each of the two shares, and 3 % of it as a margin: at the end of the push, up to half of the
    // reserve, they are at most 1.6 % larger.
    let denominator = U512::from(206 * (spared + excess)) * U512::from(pair.k.steps());
    let share_of = |reserve: Amount, denominator: U512| {
        let bound = (U512::from(reserve.base_units()) * numerator).checked_div(denominator);
        bound.map_or(U256::MAX, U256::saturating_from)
    };
    let half = pair.output.reserve.base_units() >> 1;
    [share_of(pair.input.reserve, denominator), share_of(pair.output.reserve, denominator + numerator).min(half)]
}

/// Returns nearly the largest amounts that others may move with `swap` staying [sound](is_sound), in the proportion of
/// [`PreparedPair::headroom`]; `None` if it is not sound in this state.
///
/// # Errors
/// Those of [`is_sound`].
pub fn widest_headroom(pair: &PairState, kind: GoodUntilKind, swap: &Swap) -> Result<Option<Headroom>, PricingError> {
    let Some(mut widest) = PreparedPair::new(*pair).headroom(kind, swap)? else { return Ok(None) };
    // A sixteenth of the headroom, to first order.
    let step = Headroom { inflow: widest.inflow >> 2, outflow: widest.outflow >> 2 };
    for _ in 0..MAX_STEPS {
        let inflow = widest.inflow.saturating_add(step.inflow);
        let wider = Headroom { inflow, outflow: widest.outflow.saturating_add(step.outflow) };
        let Some(after) = pair.after(wider) else { break };
        if !is_sound(&after, kind, swap)? {
            break;
        }
        widest = wider;
    }
    Ok(Some(widest))
}

/// Maximum number of steps of a sixteenth by which headroom is widened; more than ever fit.
const MAX_STEPS: usize = 24;

/// Headroom of fewer bits is not worth another evaluation.
const MIN_ROOM_BITS: usize = 8;

/// Returns about a quarter of the headroom on each side: relative to the reserves, `k` times the sum of both reduces
/// the output by about as much.
fn estimate(pair: &PairState, swap: &Swap, gives: Amount) -> Headroom {
    let Some(slack) = gives.checked_sub(swap.output) else { return Headroom::default() };
    let denominator = U512::from(gives.base_units()) * U512::from(pair.k.steps().max(1));
    let share_of = |reserve: Amount, cap: U256| {
        let numerator = U512::from(slack.base_units()) * U512::from(PoolConstant::SCALE);
        // A quarter of the reserve times the slack over k; the reserve is divided first, so that nothing overflows.
        let quarter = U512::from(reserve.base_units() >> 2);
        let share = quarter.checked_mul(numerator).map_or(U512::MAX, |product| product / denominator);
        U256::saturating_from(share).min(cap)
    };
    let left = pair.output.reserve.checked_sub(swap.output).map_or(U256::ZERO, Amount::base_units);
    Headroom {
        inflow: share_of(pair.input.reserve, pair.input.reserve.base_units()),
        outflow: share_of(pair.output.reserve, left >> 1),
    }
}

/// Returns 1.005 times `amount`, rounded up or down; `None` past 2^256 - 1.
fn scaled(amount: Amount, up: bool) -> Option<Amount> {
    let scaled = U512::from(amount.base_units()) * U512::from(1_000 + MAX_PUSH_EXCESS_THOUSANDTHS);
    let whole = U512::from(1_000);
    let scaled = if up { scaled.div_ceil(whole) } else { scaled / whole };
    narrow(scaled).and_then(Amount::new)
}

/// Returns `share` of `fee`, rounded up: the part of the fee that a swap has to leave to the pool.
#[must_use]
pub fn share_of_fee(fee: BasisPoints, share: BasisPoints) -> BasisPoints {
    let product = u64::from(fee.hundredths()) * u64::from(share.hundredths());
    let rounded = product.div_ceil(u64::from(BasisPoints::SCALE));
    u32::try_from(rounded).ok().and_then(BasisPoints::from_hundredths).unwrap_or(fee)
}
