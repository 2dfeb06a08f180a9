//! The firm budget of each client: the largest that stays sound if all clients use theirs at once.

use firmquote_domain::{
    Amount, Asset, BasisPoints, BookTotals, Client, GoodUntilKind, PoolSpec, Timestamp, TokenFlows, U256, U512, narrow,
};
use firmquote_market::Snapshot;
use firmquote_pricing::{Levels, PairState, PreparedPair, Swap, is_sound, share_of_fee};

use super::curve::FirmCurve;
use crate::{DeskError, book::conservative_reserves, policy::half_impact, quoting::directed_pair::DirectedPair};

/// How often a budget is reduced by a quarter before levels are not firm.
const MAX_REDUCTIONS: u32 = 16;

/// The inputs from which the budget of a book is computed.
pub(crate) struct FirmBudgetInputs {
    /// The state that firm levels are computed in; its fee covers their lifetime and includes the margin.
    pub(crate) state: PairState,
    kind: GoodUntilKind,
    min_fee_share: BasisPoints,
    /// The number of other clients.
    other_clients: U256,
    input: SharedToken,
    output: SharedToken,
    /// The largest outflow of the output, for all clients.
    pool_outflow: Option<U256>,
    /// The outstanding flows of the output.
    outstanding: U512,
}

impl FirmBudgetInputs {
    /// Returns the inputs for levels of `time_in_seconds` that are firm for this number of `clients`; `None` if the
    /// pool has no firm levels.
    ///
    /// # Errors
    /// Those of a quote.
    pub(crate) fn new(
        directed_pair: &DirectedPair<'_>,
        (snapshot, totals): (&Snapshot, &BookTotals),
        time_in_seconds: u32,
        clients: usize,
        now: Timestamp,
    ) -> Result<Option<Self>, DeskError> {
        let (Some(policy), Some(other_clients)) = (directed_pair.pool.policy.firm_levels, clients.checked_sub(1))
        else {
            return Ok(None);
        };
        let mut state = directed_pair.state(snapshot, totals, time_in_seconds.saturating_add(policy.seconds()), now)?;
        let fee = state.fee.hundredths().saturating_add(policy.margin.hundredths());
        let Some(fee) = BasisPoints::from_hundredths(fee) else { return Ok(None) };
        state.fee = fee;
        let reserves = directed_pair.reserves(snapshot, time_in_seconds, now)?;
        let bounds = directed_pair.pool.policy.outstanding.bounds(
            &Client::Named("".into()),
            &reserves,
            [TokenFlows::default(); 2],
        );
        let limits = bounds.limits(Amount::ONE);
        let [input, output] = [directed_pair.input, directed_pair.output].map(|(_, asset)| asset);
        let one = U512::from(10).pow(U512::from(state.input.decimals.get()));
        let worth = U512::from(policy.budget.steps()) * one / U512::from(state.input.price.steps());
        let worth = U256::saturating_from(worth);
        let (spec, clients) = (directed_pair.spec(), U256::from(clients));
        let slippage = least_slippage(spec, policy.margin);
        let flow_of = |reserve: Amount| half_impact(reserve, slippage, spec.k).unwrap_or(U256::MAX);
        let outstanding = directed_pair.pool.flows(totals, output.address, directed_pair.block(snapshot)).outflow;
        // At most the reserve, and the outflow allowed to all clients together.
        let available = bounds.pool_outflow.map_or(U512::MAX, U512::from).saturating_sub(outstanding);
        let available = U256::saturating_from(available);
        let outflow = flow_of(reserves.output.reserve).min(reserves.output.reserve.base_units() >> 1).min(available);
        let inflow = flow_of(reserves.input.reserve).min(reserves.input.reserve.base_units());
        let input = SharedToken::new(spec, input, inflow, clients, limits.client_inflow);
        Ok(Some(Self {
            state,
            kind: spec.pricing_kind(),
            min_fee_share: spec.min_fee_share,
            other_clients: U256::from(other_clients),
            input: SharedToken { max_budget: input.max_budget.min(worth), ..input },
            output: SharedToken::new(spec, output, outflow, clients, limits.client_outflow),
            pool_outflow: bounds.pool_outflow,
            outstanding,
        }))
    }

    /// Returns the largest input of one client, rounded down; `None` if nothing can be promised, including when some
    /// size may be refused.
    ///
    /// # Errors
    /// [`DeskError::Internal`] if the formula could not be decided.
    pub(crate) fn budget(&self, levels: &Levels) -> Result<Option<Amount>, DeskError> {
        let curve = FirmCurve::new(levels.knots.iter().map(|knot| [knot.input, knot.output]));
        let (Some(first), Some(last), true) = (levels.knots.first(), levels.knots.last(), levels.is_certain) else {
            return Ok(None);
        };
        let min_fee_state = PairState { fee: share_of_fee(self.state.fee, self.min_fee_share), ..self.state };
        let room = PreparedPair::new(min_fee_state).headroom(self.kind, first);
        let Some(room) = room.map_err(|error| DeskError::Internal(error.to_string()))? else { return Ok(None) };
        // To first order there is room for twice as much.
        let max_per_client = (room.inflow * U256::from(2)).checked_div(self.other_clients);
        let mut input = self.input.max_budget.min(last.input.base_units()).min(max_per_client.unwrap_or(U256::MAX));
        for _ in 0..=MAX_REDUCTIONS {
            let Some(budget) = Amount::new(input).filter(|budget| first.input <= *budget) else { break };
            let Some(output) = curve.output_after(U256::ZERO, budget) else { break };
            let whole = Swap { input: budget, output };
            if self.output.max_budget < output.base_units() {
                // In proportion, and a little less: the curve is concave.
                let share = U512::from(input) * U512::from(self.output.max_budget) / U512::from(output.base_units());
                input = narrow(share - share / U512::from(64)).unwrap_or_default();
                continue;
            }
            if self.is_within_limits(output) && self.is_sound(&min_fee_state, &curve, first, &whole)? {
                return Ok(Some(budget));
            }
            input -= input.div_ceil(U256::from(4));
        }
        Ok(None)
    }

    fn is_within_limits(&self, output: Amount) -> bool {
        let output = output.base_units();
        // The last of them may take at most half of what the others leave.
        let pair_total = output.checked_mul(self.other_clients + U256::from(2));
        let all = pair_total.and_then(|pair_total| pair_total.checked_add(self.output.other_pairs));
        self.pool_outflow.is_none_or(|limit| {
            all.is_some_and(|all| self.outstanding.saturating_add(U512::from(all)) <= U512::from(limit))
        })
    }

    /// Whether every part of the whole is sound after the other clients have used as much, and all clients their
    /// budgets of other pairs. Checks the first part, the whole, and the parts at the ends of lines, where lines pay
    /// the most in comparison with the curve.
    fn is_sound(
        &self,
        min_fee_state: &PairState,
        curve: &FirmCurve,
        first: &Swap,
        whole: &Swap,
    ) -> Result<bool, DeskError> {
        let other_pairs = [self.input.other_pairs, self.output.other_pairs];
        let after_others = after(min_fee_state, other_pairs).and_then(|state| {
            after(&state, [multiplied(whole.input, self.other_clients)?, multiplied(whole.output, self.other_clients)?])
        });
        let Some(after_others) = after_others else { return Ok(false) };
        let sound = |state: &PairState, swap: &Swap| {
            is_sound(state, self.kind, swap).map_err(|error| DeskError::Internal(error.to_string()))
        };
        if !sound(&after_others, whole)? || !sound(&after_others, first)? {
            return Ok(false);
        }
        for end in curve.last_ends(whole.input) {
            let Some(before) = end.checked_sub(first.input) else { continue };
            let used = curve.output_after(U256::ZERO, before);
            let state = used.and_then(|used| after(&after_others, [before.base_units(), used.base_units()]));
            let part = curve.output_after(before.base_units(), first.input);
            let Some((state, output)) = state.zip(part) else { return Ok(false) };
            if !sound(&state, &Swap { input: first.input, output })? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A token of a pair, whose reserve is also moved by the budgets of the pool's other pairs.
#[derive(Clone, Copy)]
struct SharedToken {
    /// The maximum amount that the budget of one client and direction may move.
    max_budget: U256,
    /// The maximum amount that all budgets of other pairs may move together.
    other_pairs: U256,
}

impl SharedToken {
    /// Divides the `flow` of `asset` between the `clients` and the pairs with this asset, and a client's outstanding
    /// limit between these pairs. Without other pairs only the latter counts.
    fn new(spec: &PoolSpec, asset: &Asset, flow: U256, clients: U256, client_limit: Option<U256>) -> Self {
        let pairs = U256::from(spec.pairs.iter().filter(|pair| pair.assets.contains(&asset.symbol)).count());
        let client_limit = client_limit.map_or(U256::MAX, |limit| limit / pairs.max(U256::ONE));
        if pairs <= U256::ONE {
            return Self { max_budget: client_limit, other_pairs: U256::ZERO };
        }
        let max_budget = (flow / (clients * pairs)).min(client_limit);
        Self { max_budget, other_pairs: max_budget * clients * (pairs - U256::ONE) }
    }
}

/// The smallest share of the fee of any pair that slippage may use up: half of it on each side of a swap.
fn least_slippage(spec: &PoolSpec, margin: BasisPoints) -> BasisPoints {
    let fees = spec.pairs.iter().map(|pair| pair.fee.base.hundredths().saturating_add(margin.hundredths()));
    let fee = fees.min().and_then(BasisPoints::from_hundredths).unwrap_or_default();
    let retained = share_of_fee(fee, spec.min_fee_share);
    BasisPoints::from_hundredths(fee.hundredths().saturating_sub(retained.hundredths())).unwrap_or_default()
}

fn multiplied(amount: Amount, times: U256) -> Option<U256> {
    amount.base_units().checked_mul(times)
}

/// Returns the state after swaps of these stated amounts, each with the maximum excess of a push swap.
fn after(state: &PairState, [input, output]: [U256; 2]) -> Option<PairState> {
    let [inflow, outflow] = [input, output].map(U512::from);
    let input = TokenFlows { inflow, ..TokenFlows::default() };
    let output = TokenFlows { outflow, ..TokenFlows::default() };
    conservative_reserves(*state, [input, output])
}
