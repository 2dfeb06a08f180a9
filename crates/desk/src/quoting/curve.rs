//! The curve of a pair: indicative quotes for many sizes, priced by the quoting code and never stored.

use firmquote_domain::{Address, Amount, Asset, BasisPoints, ChainId, Client, PoolId, SwapAmount, U512, narrow};
use firmquote_pricing::{PairState, Swap, cost_in_basis_points, price_impact_in_basis_points, rate};

use crate::{
    AssetKey, Desk, DeskError,
    policy::TradeLimits,
    quoting::directed_pair::{DirectedPair, directed_pairs},
    quoting::price::{input_range, price, validate_time},
};

/// How often the range between the smallest and the largest size is halved: at most 33 sizes.
const SIZE_BISECTIONS: usize = 5;

/// How many parts the range of allowed times is divided into: at most 31 fees.
const MAX_TIME_INTERVALS: u32 = 30;

/// A request for the curve of a pair in one direction.
#[derive(Clone, Copy, Debug)]
pub struct CurveRequest<'a> {
    /// The pool.
    pub pool_address: Address,
    /// Its chain; when absent, the first chain with a pool at this address.
    pub chain_id: Option<ChainId>,
    /// The input asset.
    pub input: AssetKey<'a>,
    /// The output asset.
    pub output: AssetKey<'a>,
    /// The `time_in_seconds` that sizes are priced for; the pool's default when absent.
    pub time_in_seconds: Option<u32>,
}

/// Hypothetical quotes for the sizes of a pair at one instant.
#[derive(Clone, Debug)]
pub struct QuoteCurve {
    /// The pool.
    pub pool: PoolId,
    /// The input asset.
    pub input: Asset,
    /// The output asset.
    pub output: Asset,
    /// The `time_in_seconds` that sizes are priced for.
    pub time_in_seconds: u32,
    /// Sizes from the smallest trade to the largest that reserves and limits allow, in roughly geometric steps.
    pub sizes: Vec<CurvePoint>,
    /// Fees by `time_in_seconds`, from the shortest to the longest that the pool allows.
    pub fees: Vec<(u32, BasisPoints)>,
}

/// The hypothetical quote for one size. Floats are for display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Input and output in base units.
    pub swap: Swap,
    /// Whole output tokens per whole input token.
    pub rate: f64,
    /// How much less the output is worth than the input at the two prices, fee included.
    pub cost_in_basis_points: f64,
    /// The same without the fee: the price impact of the size.
    pub price_impact_in_basis_points: f64,
}

impl Desk {
    /// Returns hypothetical quotes of the pair in the current state, even if the pool is paused. Nothing is stored;
    /// about forty prices are computed. An intermediate size that would be refused, for example because a contract may
    /// refuse dust, is omitted.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`], [`DeskError::NotAllowed`], [`DeskError::SwapsDisabled`], [`DeskError::Exhausted`]
    /// and [`DeskError::TooLarge`] if no size is quoted, [`DeskError::Market`] and [`DeskError::Untrusted`] for
    /// temporary failures.
    pub fn curve(&self, request: &CurveRequest<'_>) -> Result<QuoteCurve, DeskError> {
        let pools = self.pools_at(request.pool_address, request.chain_id)?;
        let directed_pair = directed_pairs(pools.iter().copied(), [request.input, request.output])?.next();
        let directed_pair = directed_pair.ok_or_else(|| DeskError::Internal("no pair to quote".into()))?;
        let (spec, now, snapshot) = (directed_pair.spec(), self.clock.now(), self.market.snapshot());
        let time_in_seconds = validate_time(spec, request.time_in_seconds)?;
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let totals = directed_pair.pool.book().totals();
        let state = directed_pair.state(&snapshot, &totals, time_in_seconds, now)?;
        let limits = directed_pair.pool.limits(&snapshot, &Client::Anonymous, now).without_volume_limits();
        let market = snapshot.pool(spec.id).ok_or(DeskError::Market(spec.id))?;
        let times = times(spec.min_time_in_seconds, spec.max_time_in_seconds);
        Ok(QuoteCurve {
            pool: spec.id,
            input: directed_pair.input.1.clone(),
            output: directed_pair.output.1.clone(),
            time_in_seconds,
            sizes: price_sizes(&directed_pair, &state, &limits)?,
            fees: times.map(|time| (time, directed_pair.fee(market, time))).collect(),
        })
    }
}

/// Returns all sizes that are quoted.
fn price_sizes(
    directed_pair: &DirectedPair<'_>,
    state: &PairState,
    limits: &TradeLimits,
) -> Result<Vec<CurvePoint>, DeskError> {
    let size = |input| {
        let swap = price(directed_pair, state, SwapAmount::ExactInput(input), limits)?;
        Ok(CurvePoint {
            swap,
            rate: rate((swap.input, state.input.decimals), (swap.output, state.output.decimals)),
            cost_in_basis_points: cost_in_basis_points(&swap, state),
            price_impact_in_basis_points: price_impact_in_basis_points(&swap, state),
        })
    };
    let [smallest, largest] = input_range(directed_pair, state, limits)?;
    let first = size(smallest)?;
    let others = sizes(smallest, largest).into_iter().filter(|size| *size > smallest);
    Ok(std::iter::once(first).chain(others.filter_map(|input| size(input).ok())).collect())
}

/// Amounts from `smallest` to `largest`, each the geometric mean of its neighbours, rounded down; `smallest` alone if
/// `largest` is not above it.
fn sizes(smallest: Amount, largest: Amount) -> Vec<Amount> {
    let mut sizes = if largest > smallest { vec![smallest, largest] } else { vec![smallest] };
    for _ in 0..SIZE_BISECTIONS {
        let means = sizes.iter().zip(sizes.iter().skip(1)).filter_map(|(one, other)| mean(*one, *other));
        let means: Vec<Amount> = means.collect();
        sizes.extend(means);
        sizes.sort_unstable();
        sizes.dedup();
    }
    sizes
}

/// The geometric mean of two amounts, rounded down.
fn mean(one: Amount, other: Amount) -> Option<Amount> {
    let root = (U512::from(one.base_units()) * U512::from(other.base_units())).root(2);
    narrow(root).and_then(Amount::new)
}

/// Returns times from `min` to `max`, roughly evenly spaced.
fn times(min: u32, max: u32) -> impl Iterator<Item = u32> {
    let parts = MAX_TIME_INTERVALS.min(max.saturating_sub(min)).max(1);
    let at = move |part: u32| min.saturating_add(max.saturating_sub(min).saturating_mul(part) / parts);
    let distinct = if max > min { 0..=parts } else { 0..=0 };
    distinct.map(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use firmquote_domain::U256;

    #[test]
    fn sizes_are_few_and_grow_by_a_nearly_constant_factor() {
        let amount = |units: u128| Amount::new(U256::from(units)).unwrap();
        let (smallest, largest) = (amount(48_064_745_134_286), amount(1_000_000_000_000_000_000_000));
        let all = sizes(smallest, largest);
        assert_eq!((all.len(), all.first(), all.last()), (33, Some(&smallest), Some(&largest)));
        assert!(all.is_sorted_by(|one, next| one < next));
        assert_eq!(sizes(amount(1), amount(3)), [amount(1), amount(3)]);
        assert_eq!(sizes(amount(7), amount(7)), [amount(7)]);
        assert_eq!(sizes(amount(9), amount(7)), [amount(9)]);
        assert_eq!(sizes(Amount::ONE, Amount::MAX).len(), 33);
    }

    #[test]
    fn times_are_few_and_span_the_whole_range() {
        let listed = |min, max| times(min, max).collect::<Vec<_>>();
        assert_eq!(listed(7, 7), [7]);
        assert_eq!(listed(1, 4), [1, 2, 3, 4]);
        let all = listed(1, 86_400);
        assert_eq!((all.len(), all.first(), all.last()), (31, Some(&1), Some(&86_400)));
        assert!(all.is_sorted_by(|one, next| one < next));
    }
}
