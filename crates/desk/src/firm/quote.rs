//! Firm quotes: at least the output of the levels beyond the input that the client has already used.

use firmquote_domain::{
    Amount, BookTotals, Client, FirmLevels, LevelsId, PoolSpec, Quote, QuoteId, SignedQuote, Terms, Timestamp, U256,
};
use firmquote_market::Snapshot;
use firmquote_pricing::{PairState, Swap, SwapAmount};
use firmquote_store::{LevelBudget, LevelsLookup, Reservation, ReservationOutcome};

use super::{LevelsRefusal, breach::refusal_of, curve::FirmCurve, reservation::reserved_until};
use crate::{
    ConflictReason, Desk, DeskError, QuoteRequest,
    book::{check_soundness, conservative_reserves},
    quoting::directed_pair::{DirectedPair, directed_pairs},
    quoting::price::price,
    quoting::quote::Candidate,
};

/// The terms of a quote at firm levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedLevels {
    /// The levels.
    pub levels_id: LevelsId,
    /// The output of the levels for the input of the quote, at most its output.
    pub output: Amount,
    /// The remaining budget of the client, in base units of the input.
    pub budget_left: U256,
}

/// A quote of firm levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirmQuote {
    /// The quote.
    pub quote: Quote,
    /// Its terms at the levels.
    pub levels: QuotedLevels,
}

/// A signed quote of firm levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedFirmQuote {
    /// The signed quote.
    pub signed: SignedQuote,
    /// Its terms at the levels.
    pub levels: QuotedLevels,
}

/// Live levels of a request, with their pair and budget.
struct LiveLevels<'a> {
    directed_pair: DirectedPair<'a>,
    levels: Box<FirmLevels>,
    budget: LevelBudget,
    /// Of the quote.
    time_in_seconds: u32,
    quote_id: QuoteId,
}

impl Desk {
    /// Makes a quote that honors the levels `id`, and stores it: like [`Self::quote`], with two more store calls. Until
    /// its `must_accept_by` it is signed regardless of prices.
    ///
    /// # Errors
    /// [`DeskError::Levels`] if the levels do not apply to this quote; those of [`Self::quote`] otherwise.
    pub async fn firm_quote(&self, request: &QuoteRequest<'_>, id: LevelsId) -> Result<FirmQuote, DeskError> {
        let now = self.clock.now();
        let quoted = match self.find_live_levels(request, id, now).await {
            Ok(live) => self.make_firm_quote(request, &live, now, SigningMode::Unsigned).await,
            Err(error) => Err(error),
        };
        let firm = quoted.inspect_err(|error| self.count_breach(error))?;
        self.store.insert(&firm.quote, now).await.map_err(DeskError::from_store)?;
        Ok(firm)
    }

    /// Makes a quote that honors the levels `id`, and signs it in one step.
    ///
    /// # Errors
    /// Those of [`Self::firm_quote`] and [`Self::sign`]; [`DeskError::Levels`] instead of [`DeskError::Conflict`].
    pub async fn firm_quote_and_sign(
        &self,
        request: &QuoteRequest<'_>,
        id: LevelsId,
        terms: Terms,
    ) -> Result<SignedFirmQuote, DeskError> {
        let now = self.clock.now();
        let signed = match self.find_live_levels(request, id, now).await {
            Ok(live) => self.sign_with_levels(request, &live, &terms, now).await,
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
    ) -> Result<SignedFirmQuote, DeskError> {
        let FirmQuote { quote, levels } = self.make_firm_quote(request, live, now, SigningMode::Signed).await?;
        match self.sign_at_once(&quote, terms, now).await {
            Ok(signed) => Ok(SignedFirmQuote { signed, levels }),
            // A signature may be on record.
            Err(error @ DeskError::Store(_)) => Err(error),
            Err(error) => {
                self.release_reservation(&live.budget, live.quote_id, now).await;
                Err(match error {
                    DeskError::Conflict(_) => refusal_of(&error).map_or(error, DeskError::Levels),
                    error => error,
                })
            }
        }
    }

    /// Returns the levels that a request names.
    async fn find_live_levels(
        &self,
        request: &QuoteRequest<'_>,
        id: LevelsId,
        now: Timestamp,
    ) -> Result<LiveLevels<'_>, DeskError> {
        if request.client == Client::Anonymous {
            let reason = "requires client credentials".to_owned();
            return Err(DeskError::NotAllowed { field: "levels_id", reason });
        }
        let pools = self.pools_of(request.chain_id, request.pool_address)?;
        let mut refusal = LevelsRefusal::Expired;
        for directed_pair in directed_pairs(pools, request.input_symbol, request.output_symbol)? {
            let pool = directed_pair.spec().id;
            if directed_pair.pool.policy.firm_levels.is_none() {
                continue;
            }
            match self.firm_levels.store.find_levels(pool, id, now).await.map_err(DeskError::Store)? {
                LevelsLookup::Live(levels) if levels.tokens == directed_pair.tokens() => {
                    let budget = LevelBudget { pool, tokens: levels.tokens, client: request.client.clone() };
                    let time_in_seconds = allowed_time(directed_pair.spec(), request, levels.time_in_seconds)?;
                    let quote_id = QuoteId::from_bytes(uuid::Uuid::new_v4().into_bytes());
                    return Ok(LiveLevels { directed_pair, levels, budget, time_in_seconds, quote_id });
                }
                LevelsLookup::Live(_) => {
                    let reason = "belongs to a different pair or direction".to_owned();
                    return Err(DeskError::NotAllowed { field: "levels_id", reason });
                }
                LevelsLookup::Lost => refusal = LevelsRefusal::StoreLost,
                LevelsLookup::Expired => {}
            }
        }
        Err(DeskError::Levels(refusal))
    }

    /// Reserves the input of a quote, and makes the quote.
    async fn make_firm_quote(
        &self,
        request: &QuoteRequest<'_>,
        live: &LiveLevels<'_>,
        now: Timestamp,
        signing: SigningMode,
    ) -> Result<FirmQuote, DeskError> {
        let LiveLevels { directed_pair, levels, budget, time_in_seconds, quote_id } = live;
        let spec = directed_pair.spec();
        self.pauses.check(spec.id).map_err(|error| refusal_of(&error).map_or(error, DeskError::Levels))?;
        let curve = FirmCurve::new(levels.knots.iter().copied());
        let most_input = check_size(levels, &curve, request.amount)?;
        let must_accept_by = now.plus_seconds(spec.acceptance_window_seconds).min(levels.valid_until);
        let reserve = async |input| {
            let last = must_accept_by.plus_seconds(*time_in_seconds).plus_seconds(1);
            let until = match signing {
                SigningMode::Unsigned => must_accept_by,
                SigningMode::Signed => reserved_until(last.seconds()),
            };
            let reservation =
                Reservation { budget, levels_id: levels.id, limit: levels.budget, quote_id: *quote_id, input, until };
            match self.firm_levels.store.reserve(&reservation, now).await.map_err(DeskError::Store)? {
                ReservationOutcome::Reserved { used } => Ok(used),
                ReservationOutcome::LimitExceeded { .. } => Err(DeskError::Levels(LevelsRefusal::BudgetUsed)),
                // The levels may have expired meanwhile.
                ReservationOutcome::Lost if levels.valid_until <= self.clock.now() => {
                    Err(DeskError::Levels(LevelsRefusal::Expired))
                }
                ReservationOutcome::Lost => Err(DeskError::Levels(LevelsRefusal::StoreLost)),
            }
        };
        let used = reserve(most_input).await?;
        let quoted = async {
            let quote = self.price_firm(request, (live, &curve), used, must_accept_by, now)?;
            let input = quote.input.amount;
            let output = curve.output_after(used, input).ok_or(DeskError::Levels(LevelsRefusal::BeyondSize))?;
            // The smallest input for a fixed output may yield a few base units more than that.
            let output = output.min(quote.output.amount);
            let used = if input == most_input { used } else { reserve(input).await? };
            let budget_left = levels.budget.base_units().saturating_sub(used).saturating_sub(input.base_units());
            Ok(FirmQuote { quote, levels: QuotedLevels { levels_id: levels.id, output, budget_left } })
        };
        let quoted = quoted.await;
        if quoted.is_err() {
            self.release_reservation(budget, *quote_id, now).await;
        }
        quoted
    }

    /// Returns the quote after `used`: at the levels or, if that is better, at the current price of the pool.
    fn price_firm(
        &self,
        request: &QuoteRequest<'_>,
        (live, curve): (&LiveLevels<'_>, &FirmCurve),
        used: U256,
        must_accept_by: Timestamp,
        now: Timestamp,
    ) -> Result<Quote, DeskError> {
        let LiveLevels { directed_pair, levels, time_in_seconds, quote_id, .. } = live;
        let promised = match request.amount {
            SwapAmount::ExactInput(input) => curve.output_after(used, input).map(|output| Swap { input, output }),
            SwapAmount::ExactOutput(output) => curve.input_after(used, output).map(|input| Swap { input, output }),
        };
        let swap = promised.ok_or(DeskError::Levels(LevelsRefusal::BudgetUsed))?;
        let (snapshot, totals) = (self.market.snapshot(), directed_pair.pool.book().totals());
        let block = directed_pair.block(&snapshot);
        let flows = directed_pair.tokens().map(|token| directed_pair.pool.flows(&totals, token, block));
        let reserves = directed_pair.reserves_at_prices(&snapshot, levels.prices, now);
        let reserves = reserves.ok_or(DeskError::Levels(LevelsRefusal::ReservesMoved))?;
        let after = conservative_reserves(PairState { fee: levels.fee, ..reserves }, flows);
        let state = after.ok_or(DeskError::Levels(LevelsRefusal::OutstandingLimit))?;
        let time_in_seconds = *time_in_seconds;
        let mut candidate = Candidate { directed_pair: *directed_pair, state, totals, block, time_in_seconds, swap };
        let mut state_id = levels.state_id;
        if let Ok((state, swap)) = self.price_now(request, live, &snapshot, &candidate.totals, now)
            && swap.is_better_than(&candidate.swap)
        {
            (candidate.state, candidate.swap) = (state, swap);
            state_id = candidate.state_id(&snapshot, now)?;
        }
        let state = candidate.state;
        let quote = candidate.into_quote(request, state_id, must_accept_by, now)?;
        let quote = Quote { id: *quote_id, levels_id: Some(levels.id), ..quote };
        match check_soundness(&quote, directed_pair, Some(state), flows)? {
            Ok(_) => Ok(quote),
            Err(ConflictReason::Outstanding) => Err(DeskError::Levels(LevelsRefusal::OutstandingLimit)),
            Err(_) => Err(DeskError::Levels(LevelsRefusal::ReservesMoved)),
        }
    }

    /// Returns the quote at the current price of the pool, with the fee of firm levels.
    fn price_now(
        &self,
        request: &QuoteRequest<'_>,
        LiveLevels { directed_pair, levels, .. }: &LiveLevels<'_>,
        snapshot: &Snapshot,
        totals: &BookTotals,
        now: Timestamp,
    ) -> Result<(PairState, Swap), DeskError> {
        let firm_seconds = directed_pair.pool.policy.firm_levels.map_or(0, |policy| policy.seconds());
        let state = directed_pair.state(snapshot, totals, levels.time_in_seconds.saturating_add(firm_seconds), now)?;
        let limits = directed_pair.pool.limits(snapshot, &request.client, now);
        Ok((state, price(directed_pair, &state, request.amount, &limits)?))
    }
}

/// Whether the quote is returned unsigned or signed at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SigningMode {
    Unsigned,
    Signed,
}

/// Returns the time of a quote: that of the levels, or a shorter one, which costs the pool no more.
fn allowed_time(spec: &PoolSpec, request: &QuoteRequest<'_>, of_levels: u32) -> Result<u32, DeskError> {
    let time = request.time_in_seconds.unwrap_or(of_levels);
    if (spec.min_time_in_seconds..=of_levels).contains(&time) {
        return Ok(time);
    }
    let reason = format!("must be {} to {of_levels} seconds for these levels", spec.min_time_in_seconds);
    Err(DeskError::NotAllowed { field: "time_in_seconds", reason })
}

/// Returns the maximum input of the request, for any prior use of the budget.
fn check_size(levels: &FirmLevels, curve: &FirmCurve, amount: SwapAmount) -> Result<Amount, DeskError> {
    let input = match amount {
        SwapAmount::ExactInput(input) => Some(input),
        SwapAmount::ExactOutput(output) => curve.max_input_for(output, levels.budget),
    };
    match input {
        Some(input) if levels.knots.first().is_some_and(|[least, _]| input < *least) => {
            Err(DeskError::Levels(LevelsRefusal::BelowMinimum))
        }
        Some(input) if input <= levels.budget => Ok(input),
        _ => Err(DeskError::Levels(LevelsRefusal::BeyondSize)),
    }
}
