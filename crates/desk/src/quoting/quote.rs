//! Quoting: the best swap of the pools that can serve a request, as a quote that is stored until it expires.

use std::sync::Arc;

use arc_swap::Guard;
use firmquote_domain::{
    Address, Amount, BookTotals, ChainId, Client, FixedSide, GoodUntil, GoodUntilKind, Leg, PackedGoodUntil, PoolSpec,
    Quote, QuoteId, SettlementCheck, SourceNetwork, StateId, Timestamp, UnixSeconds,
};
use firmquote_market::Snapshot;
use firmquote_pricing::{PairState, PricingError, Swap, SwapAmount, is_worth_at_least};

use crate::{
    Desk, DeskError,
    policy::TradeLimits,
    quoting::directed_pair::{DirectedPair, directed_pairs},
    quoting::trade_limits::{exceeds, too_large, too_small},
};

/// A request for a firm quote.
#[derive(Clone, Debug)]
pub struct QuoteRequest<'a> {
    /// The requesting client, which will own the quote.
    pub client: Client,
    /// Where a request without credentials came from, if that is known.
    pub source_network: Option<SourceNetwork>,
    /// The chain to swap on.
    pub chain_id: ChainId,
    /// Symbol of the input asset.
    pub input_symbol: &'a str,
    /// Symbol of the output asset.
    pub output_symbol: &'a str,
    /// Which amount is fixed, and its size.
    pub amount: SwapAmount,
    /// Seconds between accepting and landing on chain; the pool's default when absent.
    pub time_in_seconds: Option<u32>,
    /// The pool to quote; the best one when absent.
    pub pool_address: Option<Address>,
}

impl Desk {
    /// Makes a quote and stores it until its `must_accept_by`: one store call, no lock, no other I/O.
    ///
    /// Selects the pool with the largest output or, for a fixed output, the smallest input.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`], [`DeskError::NotAllowed`], [`DeskError::TooLarge`], [`DeskError::TooSmall`],
    /// [`DeskError::Exhausted`], [`DeskError::SwapsDisabled`] if the request cannot be served; [`DeskError::Paused`] if
    /// the operator paused the pool; [`DeskError::TooManyQuotes`] for a client that holds its share of the store;
    /// [`DeskError::Market`], [`DeskError::Untrusted`] and [`DeskError::Store`] for temporary failures.
    pub async fn quote(&self, request: &QuoteRequest<'_>) -> Result<Quote, DeskError> {
        let now = self.clock.now();
        let quote = self.make_quote(request, now)?;
        self.store.insert(&quote, now).await.map_err(DeskError::from_store)?;
        if self.store.supports_commit() {
            self.pool_of(&quote)?.recent_quotes().insert(&quote);
        }
        Ok(quote)
    }

    /// Returns the best quote at `now`, without storing it.
    pub(crate) fn make_quote(&self, request: &QuoteRequest<'_>, now: Timestamp) -> Result<Quote, DeskError> {
        let pools = self.pools_of(request.chain_id, request.pool_address)?;
        let snapshot = self.market.snapshot();
        let mut best: Option<Result<Candidate<'_>, DeskError>> = None;
        for directed_pair in directed_pairs(pools, request.input_symbol, request.output_symbol)? {
            let candidate = self.pauses.check(directed_pair.spec().id);
            let limits = directed_pair.pool.limits(&snapshot, &request.client, now);
            let candidate = candidate.and_then(|()| Candidate::new(directed_pair, request, &snapshot, limits, now));
            best = Some(match best {
                Some(best) => better(best, candidate),
                None => candidate,
            });
        }
        let best = best.ok_or_else(|| DeskError::Internal("no pair to quote".into()))??;
        let state_id = best.state_id(&snapshot, now)?;
        let must_accept_by = now.plus_seconds(best.directed_pair.spec().acceptance_window_seconds);
        best.into_quote(request, state_id, must_accept_by, now)
    }
}

/// The swap that one pool would offer.
pub(crate) struct Candidate<'a> {
    pub(crate) directed_pair: DirectedPair<'a>,
    pub(crate) state: PairState,
    pub(crate) totals: Guard<Arc<BookTotals>>,
    pub(crate) block: Option<u64>,
    pub(crate) time_in_seconds: u32,
    pub(crate) swap: Swap,
}

impl<'a> Candidate<'a> {
    pub(crate) fn new(
        directed_pair: DirectedPair<'a>,
        request: &QuoteRequest<'_>,
        snapshot: &Snapshot,
        limits: TradeLimits,
        now: Timestamp,
    ) -> Result<Self, DeskError> {
        let spec = directed_pair.spec();
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let time_in_seconds = validate_time(spec, request.time_in_seconds)?;
        let totals = directed_pair.pool.book().totals();
        let state = directed_pair.state(snapshot, &totals, time_in_seconds, now)?;
        let swap = price(&directed_pair, &state, request.amount, &limits)?;
        Ok(Self { directed_pair, state, totals, block: directed_pair.block(snapshot), time_in_seconds, swap })
    }

    /// Returns the id of the state in `snapshot`, which is remembered.
    pub(crate) fn state_id(&self, snapshot: &Snapshot, now: Timestamp) -> Result<StateId, DeskError> {
        let retained = self.directed_pair.pool.remember_state(snapshot, &self.totals, now);
        retained.map(|state| state.id).ok_or(DeskError::Market(self.directed_pair.spec().id))
    }

    /// Returns the quote, computed in the state `state_id`.
    pub(crate) fn into_quote(
        self,
        request: &QuoteRequest<'_>,
        state_id: StateId,
        must_accept_by: Timestamp,
        now: Timestamp,
    ) -> Result<Quote, DeskError> {
        let Self { directed_pair, state, block, time_in_seconds, swap, .. } = self;
        let spec = directed_pair.spec();
        let expires_at = must_accept_by.seconds().checked_add(time_in_seconds);
        let expires_at = expires_at.ok_or_else(|| DeskError::Internal("the clock is past the year 2106".into()))?;
        Ok(Quote {
            id: QuoteId::from_bytes(uuid::Uuid::new_v4().into_bytes()),
            client: request.client.clone(),
            source_network: request.source_network,
            pool: spec.id,
            input: Leg {
                token: directed_pair.input.1.address,
                decimals: state.input.decimals,
                amount: swap.input,
                price: state.input.price,
                reserve: state.input.reserve,
            },
            output: Leg {
                token: directed_pair.output.1.address,
                decimals: state.output.decimals,
                amount: swap.output,
                price: state.output.price,
                reserve: state.output.reserve,
            },
            fixed: match request.amount {
                SwapAmount::ExactInput(_) => FixedSide::Input,
                SwapAmount::ExactOutput(_) => FixedSide::Output,
            },
            fee: state.fee,
            time_in_seconds,
            block,
            state_id,
            levels_id: None,
            created_at: now,
            must_accept_by,
            good_until: good_until(spec, &state, &swap, expires_at)?,
        })
    }
}

/// Returns the swap of `amount` in `state`, if it is within the bounds of the pool and of `limits`.
pub(crate) fn price(
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
    let least = match priced(Amount::ONE) {
        Err(DeskError::TooSmall { limit, .. }) => limit,
        smallest => smallest?.input,
    };
    // The bound reported by a refusal is served; if it is not, no size is.
    priced(least)?;
    let largest = match priced(Amount::MAX) {
        Err(DeskError::TooLarge { limit, .. } | DeskError::AboveTradeLimit { limit, .. }) => limit,
        served => served?.input,
    };
    Ok([least, largest])
}

/// Returns the better of two offers; of two refusals, the more informative one.
fn better<'a>(
    one: Result<Candidate<'a>, DeskError>,
    other: Result<Candidate<'a>, DeskError>,
) -> Result<Candidate<'a>, DeskError> {
    match (one, other) {
        (Ok(one), Ok(other)) if other.swap.is_better_than(&one.swap) => Ok(other),
        (Ok(one), _) => Ok(one),
        (Err(_), Ok(other)) => Ok(other),
        (Err(one), Err(other)) => Err(more_specific_error(one, other)),
    }
}

/// Of two pools' refusals, returns the wider bound; a disabled or paused pool is the least informative.
pub(crate) fn more_specific_error(one: DeskError, other: DeskError) -> DeskError {
    use DeskError::{AboveTradeLimit, Paused, SwapsDisabled, TooLarge, TooSmall};
    match (&one, &other) {
        (SwapsDisabled | Paused, _) => other,
        (
            TooLarge { limit: of_one, .. } | AboveTradeLimit { limit: of_one, .. },
            TooLarge { limit: of_other, .. } | AboveTradeLimit { limit: of_other, .. },
        ) if of_other > of_one => other,
        (TooSmall { limit: of_one, .. }, TooSmall { limit: of_other, .. }) if of_other < of_one => other,
        _ => one,
    }
}

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
fn good_until(
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
