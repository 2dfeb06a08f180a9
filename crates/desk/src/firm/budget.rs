//! The firm budget of each client: the largest that stays sound if all clients use theirs at once.

use firmquote_domain::{
    Amount, BasisPoints, BookTotals, Client, GoodUntilKind, MAX_PUSH_EXCESS_THOUSANDTHS, Timestamp, U256, U512,
};
use firmquote_market::Snapshot;
use firmquote_pricing::{Levels, PairState, Swap, headroom, is_sound, share_of_fee};
use firmquote_store::OutstandingLimits;

use super::curve::FirmCurve;
use crate::{DeskError, quoting::directed_pair::DirectedPair};

/// How often a budget is reduced by a quarter before levels are not firm.
const MAX_REDUCTIONS: u32 = 16;

/// The inputs from which the budget of a book is computed.
pub(crate) struct FirmTerms {
    /// The state that firm levels are computed in: the fee covers the time that they hold, and includes the margin.
    pub(crate) state: PairState,
    kind: GoodUntilKind,
    least_fee_share: BasisPoints,
    /// Maximum budget of one client, in base units of the input.
    most: U256,
    /// The number of other clients.
    others: U256,
    limits: OutstandingLimits,
    /// The outstanding flows of the output.
    outstanding: U512,
}

impl FirmTerms {
    /// Returns the terms of levels for `time_in_seconds` that are promised to as many `clients`; `None` if the pool promises
    /// nothing.
    ///
    /// # Errors
    /// Those of a quote.
    pub(crate) fn new(
        pairing: &DirectedPair<'_>,
        (snapshot, totals): (&Snapshot, &BookTotals),
        time_in_seconds: u32,
        clients: usize,
        now: Timestamp,
    ) -> Result<Option<Self>, DeskError> {
        let (Some(policy), Some(others)) = (pairing.pool.policy.firm_levels, clients.checked_sub(1)) else {
            return Ok(None);
        };
        let mut state = pairing.state(snapshot, totals, time_in_seconds.saturating_add(policy.seconds()), now)?;
        let fee = state.fee.hundredths().saturating_add(policy.margin.hundredths());
        let Some(fee) = BasisPoints::from_hundredths(fee) else { return Ok(None) };
        state.fee = fee;
        let reserves = pairing.reserves(snapshot, time_in_seconds, now)?;
        let limits = pairing.pool.policy.outstanding.limits(&Client::Named("".into()), &reserves);
        let output = pairing.output.1.address;
        let one = U512::from(10).pow(U512::from(state.input.decimals.get()));
        let worth = U512::from(policy.budget.steps()) * one / U512::from(state.input.price.steps());
        let worth = U256::checked_from_limbs_slice(worth.as_limbs()).unwrap_or(U256::MAX);
        Ok(Some(Self {
            state,
            kind: pairing.spec().pricing_kind(),
            least_fee_share: pairing.spec().least_fee_share,
            most: worth.min(limits.client_inflow.unwrap_or(U256::MAX)),
            others: U256::from(others),
            limits,
            outstanding: pairing.pool.flows(totals, output, pairing.block(snapshot)).outflow,
        }))
    }

    /// Returns the largest input of one client, rounded down; `None` if nothing can be promised: also not if some size may
    /// be refused.
    ///
    /// # Errors
    /// [`DeskError::Internal`] if the formula could not be decided.
    pub(crate) fn budget(&self, levels: &Levels) -> Result<Option<Amount>, DeskError> {
        let curve = FirmCurve::new(levels.knots.iter().map(|knot| [knot.input, knot.output]));
        let (Some(first), Some(last), true) = (levels.knots.first(), levels.knots.last(), levels.is_certain) else {
            return Ok(None);
        };
        let kept = PairState { fee: share_of_fee(self.state.fee, self.least_fee_share), ..self.state };
        let room = headroom(&kept, self.kind, first).map_err(|error| DeskError::Internal(error.to_string()))?;
        let Some(room) = room else { return Ok(None) };
        // To first order there is room for twice as much.
        let of_others = (room.inflow * U256::from(2)).checked_div(self.others);
        let mut input = self.most.min(last.input.base_units()).min(of_others.unwrap_or(U256::MAX));
        for _ in 0..=MAX_REDUCTIONS {
            let Some(budget) = Amount::new(input).filter(|budget| first.input <= *budget) else { break };
            let Some(output) = curve.output_after(U256::ZERO, budget) else { break };
            let whole = Swap { input: budget, output };
            if self.is_within_limits(output) && self.is_sound(&kept, &curve, first, &whole)? {
                return Ok(Some(budget));
            }
            input -= input.div_ceil(U256::from(4));
        }
        Ok(None)
    }

    fn is_within_limits(&self, output: Amount) -> bool {
        let output = output.base_units();
        let all = output.checked_mul(self.others + U256::ONE).map(|all| self.outstanding + U512::from(all));
        self.limits.client_outflow.is_none_or(|limit| output <= limit)
            && self.limits.pool_outflow.is_none_or(|limit| all.is_some_and(|all| all <= U512::from(limit)))
    }

    /// Whether every part of the whole is sound after the others have used as much: the first part, all of it, and the
    /// parts at the ends of lines, where these give most in comparison with the curve.
    fn is_sound(&self, kept: &PairState, curve: &FirmCurve, first: &Swap, whole: &Swap) -> Result<bool, DeskError> {
        let Some(after_others) = after(kept, whole, self.others) else { return Ok(false) };
        let sound = |state: &PairState, swap: &Swap| {
            is_sound(state, self.kind, swap).map_err(|error| DeskError::Internal(error.to_string()))
        };
        if !sound(&after_others, whole)? || !sound(&after_others, first)? {
            return Ok(false);
        }
        for end in curve.last_ends(whole.input) {
            let Some(before) = end.checked_sub(first.input) else { continue };
            let used = curve.output_after(U256::ZERO, before).map(|output| Swap { input: before, output });
            let state = used.and_then(|used| after(&after_others, &used, U256::ONE));
            let part = curve.output_after(before.base_units(), first.input);
            let Some((state, output)) = state.zip(part) else { return Ok(false) };
            if !sound(&state, &Swap { input: first.input, output })? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the state after `times` swaps, each pushed by as much as push swaps can be.
fn after(state: &PairState, swap: &Swap, times: U256) -> Option<PairState> {
    let moved = |amount: Amount| {
        let stated = amount.base_units().checked_mul(times)?;
        let pushed = stated.checked_mul(U256::from(1_000 + MAX_PUSH_EXCESS_THOUSANDTHS))?;
        Some(pushed.div_ceil(U256::from(1_000)))
    };
    let mut state = *state;
    if let Some(inflow) = Amount::new(moved(swap.input)?) {
        state.input.reserve = state.input.reserve.checked_add(inflow)?;
    }
    if let Some(outflow) = Amount::new(moved(swap.output)?) {
        state.output.reserve = state.output.reserve.checked_sub(outflow)?;
    }
    Some(state)
}
