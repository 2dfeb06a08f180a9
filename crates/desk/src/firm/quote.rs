//! Firm quotes: at least the output of the levels beyond the input that the client has already used.

use firmquote_domain::{
    Amount, BookTotals, FirmLevels, LevelsId, Quote, QuotedLevels, SignedQuote, SwapAmount, Terms, Timestamp, U256,
};
use firmquote_market::Snapshot;
use firmquote_pricing::{PairState, Swap};
use firmquote_store::{Reservation, ReservationOutcome};

use super::{
    LevelsRefusal, breach::refusal_of, curve::FirmCurve, live_levels::LiveLevels, reservation::reserved_until,
};
use crate::{
    Desk, DeskError, QuoteRequest,
    book::{check_soundness, conservative_reserves},
    quoting::price::price,
    quoting::quote::OfferCandidate,
    quoting::{
        directed_pair::directed_pairs,
        request_recorder::{LevelsUse, StateLog},
    },
};

impl Desk {
    /// Makes a quote that honors the levels `id`, which is not stored yet, and reserves its input.
    ///
    /// # Errors
    /// [`DeskError::Levels`] if the levels do not apply to this quote; those of [`Self::quote`] otherwise.
    pub(crate) async fn make_firm_quote(
        &self,
        request: &QuoteRequest<'_>,
        id: LevelsId,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<Quote, DeskError> {
        let quoted = match self.find_live_levels(request, id, now).await {
            Ok(live) => self.reserve_and_price(request, &live, now, SigningMode::Unsigned, states).await,
            Err(error) => Err(error),
        };
        quoted.inspect_err(|error| self.count_breach(error))
    }

    /// Makes a quote that honors the levels `id`, and signs it.
    pub(crate) async fn sign_firm_quote(
        &self,
        request: &QuoteRequest<'_>,
        id: LevelsId,
        terms: &Terms,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<SignedQuote, DeskError> {
        let signed = match self.find_live_levels(request, id, now).await {
            Ok(live) => self.sign_with_levels(request, &live, terms, now, states).await,
            Err(error) => Err(error),
        };
        signed.inspect_err(|error| self.count_breach(error))
    }

    async fn sign_with_levels(
        &self,
        request: &QuoteRequest<'_>,
        live: &LiveLevels<'_>,
        terms: &Terms,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<SignedQuote, DeskError> {
        let quote = self.reserve_and_price(request, live, now, SigningMode::Signed, states).await?;
        match self.sign_unsigned(&quote, terms, false, &mut StateLog::disabled()).await {
            // A signature may be on record.
            signed @ (Ok(_) | Err(DeskError::Store(_))) => signed,
            Err(error) => {
                self.release_reservation(&live.budget, live.quote_id, now).await;
                Err(match error {
                    DeskError::Conflict(_) => refusal_of(&error).map_or(error, DeskError::Levels),
                    error => error,
                })
            }
        }
    }

    /// Reserves the input of a quote, and makes the quote.
    async fn reserve_and_price(
        &self,
        request: &QuoteRequest<'_>,
        live: &LiveLevels<'_>,
        now: Timestamp,
        signing: SigningMode,
        states: &mut StateLog,
    ) -> Result<Quote, DeskError> {
        let LiveLevels { directed_pair, levels, budget, time_in_seconds, quote_id } = live;
        let spec = directed_pair.spec();
        directed_pair.pool.check_terms(&request.client, directed_pair.symbols())?;
        self.pauses
            .check(spec.id, directed_pair.output.1.address, now)
            .map_err(|error| refusal_of(&error).map_or(error, DeskError::Levels))?;
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let curve = FirmCurve::new(levels.knots.iter().copied());
        let max_input = check_size(levels, &curve, request.amount)?;
        let must_accept_by = live.must_accept_by(now);
        let expires_at = must_accept_by.plus_seconds(*time_in_seconds).plus_seconds(1);
        let until = match signing {
            SigningMode::Unsigned => must_accept_by,
            SigningMode::Signed => reserved_until(expires_at.seconds()),
        };
        let used = self.reserve(live, max_input, until, now).await?;
        let quoted = match self.price_firm(request, (live, &curve), used, now, states) {
            Ok(quote) if quote.input.amount != max_input => self.reserve_input_of(quote, live, until, now).await,
            quoted => quoted,
        };
        if quoted.is_err() {
            self.release_reservation(budget, *quote_id, now).await;
        }
        quoted
    }

    /// Reserves the input of `quote` in place of the maximum.
    async fn reserve_input_of(
        &self,
        mut quote: Quote,
        live: &LiveLevels<'_>,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<Quote, DeskError> {
        let input = quote.input.amount;
        let used = self.reserve(live, input, until, now).await?;
        if let Some(levels) = quote.levels.as_deref_mut() {
            levels.budget_left = budget_left(&live.levels, used, input);
        }
        Ok(quote)
    }

    /// Reserves `input` until `until` in place of what is reserved for the same quote. Returns what other quotes use.
    async fn reserve(
        &self,
        LiveLevels { levels, budget, quote_id, .. }: &LiveLevels<'_>,
        input: Amount,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<U256, DeskError> {
        let reservation =
            Reservation { budget, levels_id: levels.id, limit: levels.budget, quote_id: *quote_id, input, until };
        match self.store.reserve(&reservation, now).await.map_err(DeskError::from_store)? {
            ReservationOutcome::Reserved { used } => Ok(used),
            ReservationOutcome::LimitExceeded { .. } => Err(DeskError::Levels(LevelsRefusal::BudgetUsed)),
            // The levels may have expired meanwhile.
            ReservationOutcome::Lost if levels.valid_until <= self.clock.now() => {
                Err(DeskError::Levels(LevelsRefusal::Expired))
            }
            ReservationOutcome::Lost => Err(DeskError::Levels(LevelsRefusal::StoreLost)),
        }
    }

    /// Returns the quote at `now` that honors `levels` after `used`, without storing it or reserving its input.
    ///
    /// # Errors
    /// Those of [`Self::quote`], but for the store and the pauses.
    pub fn price_at_levels(
        &self,
        request: &QuoteRequest<'_>,
        levels: &FirmLevels,
        used: U256,
        now: Timestamp,
    ) -> Result<Quote, DeskError> {
        let pools = self.pools_of(request.chain_id, request.pool_address)?;
        let mut pairs = directed_pairs(pools, [request.input, request.output])?;
        let pair = pairs.find(|pair| pair.spec().id == levels.pool).ok_or(DeskError::Market(levels.pool))?;
        let live = LiveLevels::new(pair, request, Box::new(levels.clone()))?;
        let curve = FirmCurve::new(levels.knots.iter().copied());
        check_size(levels, &curve, request.amount)?;
        self.price_firm(request, (&live, &curve), used, now, &mut StateLog::disabled())
    }

    /// Returns the quote after `used`: at the levels or, if that is better, at the current price of the pool.
    fn price_firm(
        &self,
        request: &QuoteRequest<'_>,
        (live, curve): (&LiveLevels<'_>, &FirmCurve),
        used: U256,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<Quote, DeskError> {
        let LiveLevels { directed_pair, levels, time_in_seconds, quote_id, .. } = live;
        states.set_levels(|| LevelsUse { levels: levels.clone(), used });
        let promised = match request.amount {
            SwapAmount::ExactInput(input) => curve.output_after(used, input).map(|output| Swap { input, output }),
            SwapAmount::ExactOutput(output) => curve.input_after(used, output).map(|input| Swap { input, output }),
        };
        let swap = promised.ok_or(DeskError::Levels(LevelsRefusal::BudgetUsed))?;
        let (snapshot, totals) = (self.market.snapshot(), directed_pair.pool.book().totals());
        let pool = directed_pair.pool;
        states.push(|| pool.priced_state(&snapshot, &totals, pool.limit_value(&snapshot, now)));
        let block = directed_pair.block(&snapshot);
        let flows = directed_pair.tokens().map(|token| directed_pair.pool.flows(&totals, token, block));
        let reserves = directed_pair.reserves_at_prices(&snapshot, levels.prices, now);
        let reserves = reserves.ok_or(DeskError::Levels(LevelsRefusal::ReservesMoved))?;
        let after = conservative_reserves(PairState { fee: levels.fee, ..reserves }, flows);
        let state = after.ok_or(DeskError::Levels(LevelsRefusal::OutstandingLimit))?;
        let time_in_seconds = *time_in_seconds;
        let mut candidate =
            OfferCandidate { directed_pair: *directed_pair, state, totals, block, time_in_seconds, swap };
        let mut state_id = levels.state_id;
        if let Ok(Some((state, swap))) = self.price_now(request, live, &snapshot, &candidate.totals, now)
            && swap.is_better_than(&candidate.swap)
        {
            (candidate.state, candidate.swap) = (state, swap);
            state_id = candidate.state_id(&snapshot, now)?;
        }
        let state = candidate.state;
        let quote = candidate.into_quote(request, state_id, live.must_accept_by(now), now)?;
        let input = quote.input.amount;
        let output = curve.output_after(used, input).ok_or(DeskError::Levels(LevelsRefusal::BeyondSize))?;
        // The smallest input for a fixed output may yield a few base units more than that.
        let output = output.min(quote.output.amount);
        let promised = QuotedLevels { id: levels.id, output, budget_left: budget_left(levels, used, input) };
        let quote = Quote { id: *quote_id, levels: Some(Box::new(promised)), ..quote };
        match check_soundness(&quote, directed_pair, Some(state), flows)? {
            Ok(_) => Ok(quote),
            Err(reason) => Err(DeskError::Levels(reason.into())),
        }
    }

    /// Returns the quote at the current price of the pool, with the fee of firm levels; none if the pool has none any
    /// more.
    fn price_now(
        &self,
        request: &QuoteRequest<'_>,
        LiveLevels { directed_pair, levels, .. }: &LiveLevels<'_>,
        snapshot: &Snapshot,
        totals: &BookTotals,
        now: Timestamp,
    ) -> Result<Option<(PairState, Swap)>, DeskError> {
        let Some(policy) = directed_pair.pool.policy.firm_levels else { return Ok(None) };
        let time_in_seconds = levels.time_in_seconds.saturating_add(policy.seconds());
        let state = directed_pair.state(snapshot, totals, time_in_seconds, now)?;
        let limits = directed_pair.pool.limits(snapshot, &request.client, now);
        Ok(Some((state, price(directed_pair, &state, request.amount, &limits)?)))
    }
}

/// Whether the quote is returned unsigned or signed at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SigningMode {
    Unsigned,
    Signed,
}

/// What is left of the budget of `levels` after `used` and `input`, in base units.
fn budget_left(levels: &FirmLevels, used: U256, input: Amount) -> U256 {
    levels.budget.base_units().saturating_sub(used).saturating_sub(input.base_units())
}

/// Returns the maximum input of the request, for any prior use of the budget.
fn check_size(levels: &FirmLevels, curve: &FirmCurve, amount: SwapAmount) -> Result<Amount, DeskError> {
    let input = match amount {
        SwapAmount::ExactInput(input) => Some(input),
        SwapAmount::ExactOutput(output) => curve.max_input_for(output, levels.budget),
    };
    match input {
        Some(input) if levels.knots.first().is_some_and(|[smallest, _]| input < *smallest) => {
            Err(DeskError::Levels(LevelsRefusal::BelowMinimum))
        }
        Some(input) if input <= levels.budget => Ok(input),
        _ => Err(DeskError::Levels(LevelsRefusal::BeyondSize)),
    }
}
