//! The last look at a quote before it is signed: would the pool, on the very reserves that the quote was priced on,
//! still give as much at the newest prices? Soundness on the newest reserves is checked separately, in `book`.

use firmquote_domain::{Amount, BasisPoints, Quote, Timestamp, U512};
use firmquote_pricing::{PairAsset, PairState, PricingError};

use crate::{
    Conflict, ConflictReason, Desk, DeskError, QuoteRequest, ServedPool,
    quoting::directed_pair::DirectedPair,
    quoting::request_recorder::{Operation, StateLog},
};

impl Desk {
    /// Checks that the pool would still give at least the quoted output at the newest prices, within the pool's
    /// tolerance. If the fee has fallen, the current fee applies; if it has risen, the quoted fee applies as long as it
    /// covers the estimated volatility. A quote of firm levels is signed regardless of prices.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] if it would not; [`DeskError::Market`] and [`DeskError::Untrusted`] if prices or reserves
    /// are not trusted.
    pub fn last_look(&self, quote: &Quote, now: Timestamp) -> Result<(), DeskError> {
        self.recorded_last_look(quote, now, &mut StateLog::disabled())
    }

    /// Like [`Self::last_look`]; replaces the states of the log by that of the look.
    pub(crate) fn recorded_last_look(
        &self,
        quote: &Quote,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<(), DeskError> {
        if quote.levels.is_some() {
            return Ok(());
        }
        let pool = self.pool_of(quote)?;
        let directed_pair =
            resolve(pool, quote).filter(|_| pool.spec().swaps_enabled).ok_or_else(DeskError::disabled)?;
        let snapshot = self.snapshot_for(&quote.client);
        states.clear();
        states.push(|| pool.priced_state(&snapshot, &pool.book().totals(), pool.limit_value(&snapshot, now)));
        let check = QuoteCheck { quote, directed_pair };
        let mut state = check.on_quoted_reserves(&directed_pair.reserves(&snapshot, quote.time_in_seconds, now)?);
        let min_fee = directed_pair.min_fee(&snapshot, quote.time_in_seconds).unwrap_or(state.fee);
        if (min_fee..state.fee).contains(&quote.fee) {
            state.fee = quote.fee;
        }
        if check.is_acceptable(&state)? {
            return Ok(());
        }
        let is_price = !check.is_acceptable(&PairState { fee: quote.fee, ..state })?;
        let reason = if is_price { ConflictReason::Price } else { ConflictReason::Fee };
        Err(check.conflict(reason, Some(&state)))
    }

    /// Adds a fresh quote for the same amount at current prices to a conflict, which saves the client a request.
    pub(crate) async fn with_fresh_quote(&self, error: DeskError, quote: &Quote) -> DeskError {
        let DeskError::Conflict(mut conflict) = error else { return error };
        if conflict.reason != ConflictReason::Disabled {
            // If none can be made, the client gets the reason when it requests a quote itself.
            conflict.fresh_quote = self.requote(quote).await.ok();
        }
        DeskError::Conflict(conflict)
    }

    /// Quotes the same amount again, in the same pool.
    async fn requote(&self, quote: &Quote) -> Result<Quote, DeskError> {
        let directed_pair = resolve(self.pool_of(quote)?, quote).ok_or_else(DeskError::disabled)?;
        let request = QuoteRequest {
            client: quote.client.clone(),
            source_network: quote.source_network,
            chain_id: quote.pool.chain_id,
            input: (&directed_pair.input.1.symbol).into(),
            output: (&directed_pair.output.1.symbol).into(),
            amount: quote.fixed_amount(),
            time_in_seconds: Some(quote.time_in_seconds),
            pool_address: Some(quote.pool.address),
            levels_id: None,
            quote_id: None,
        };
        self.quote_for(&request, Operation::Requote).await
    }
}

/// Returns the directed pair of a quote's tokens, or `None` if they no longer trade.
pub(crate) fn resolve<'a>(pool: &'a ServedPool, quote: &Quote) -> Option<DirectedPair<'a>> {
    let assets = &pool.spec().assets;
    let resolve = |token| assets.iter().enumerate().find(|(_, asset)| asset.address == token);
    DirectedPair::new(pool, resolve(quote.input.token)?, resolve(quote.output.token)?)
}

/// A quote to be checked against states of its pool.
#[derive(Clone, Copy)]
pub(crate) struct QuoteCheck<'a> {
    pub(crate) quote: &'a Quote,
    pub(crate) directed_pair: DirectedPair<'a>,
}

impl QuoteCheck<'_> {
    /// Returns the refusal of the quote for `reason`, with the pool's current output in `state`; `None` if it has
    /// nothing of the output left.
    pub(crate) fn conflict(&self, reason: ConflictReason, state: Option<&PairState>) -> DeskError {
        let current_output = match state.map(|state| self.current_output(state)).transpose() {
            Ok(current_output) => current_output.flatten(),
            Err(undecided) => return undecided,
        };
        let shortfall = current_output.and_then(|current_output| shortfall(self.quote.output.amount, current_output));
        DeskError::Conflict(Box::new(Conflict { reason, shortfall, fresh_quote: None }))
    }

    fn is_acceptable(&self, state: &PairState) -> Result<bool, DeskError> {
        let Some(current_output) = self.current_output(state)? else { return Ok(false) };
        let (quoted, one) = (self.quote.output.amount, U512::from(BasisPoints::SCALE));
        let least_share = one - U512::from(self.directed_pair.spec().last_look_tolerance.hundredths());
        Ok(U512::from(current_output.base_units()) * one >= U512::from(quoted.base_units()) * least_share)
    }

    /// Returns the pool's output for the quoted input, or `None` if there is none.
    fn current_output(&self, state: &PairState) -> Result<Option<Amount>, DeskError> {
        match self.directed_pair.prepare(state).offered_output(self.quote.input.amount) {
            Ok(current_output) => Ok(Some(current_output)),
            Err(PricingError::TooLarge { .. } | PricingError::TooSmall { .. } | PricingError::Empty) => Ok(None),
            Err(error @ PricingError::Undecided) => Err(DeskError::Internal(error.to_string())),
        }
    }

    /// Returns the prices and the fee of `state` on the reserves that the quote was priced on.
    fn on_quoted_reserves(&self, state: &PairState) -> PairState {
        PairState {
            input: PairAsset { reserve: self.quote.input.reserve, ..state.input },
            output: PairAsset { reserve: self.quote.output.reserve, ..state.output },
            ..*state
        }
    }
}

/// Returns how much less than `quoted` the pool gives, rounded up; `None` if it gives no less.
fn shortfall(quoted: Amount, current_output: Amount) -> Option<BasisPoints> {
    let less = U512::from(quoted.checked_sub(current_output)?.base_units()) * U512::from(BasisPoints::SCALE);
    let hundredths = u32::try_from(less.div_ceil(U512::from(quoted.base_units()))).ok()?;
    // The pool still gives something, so the shortfall is less than the whole.
    BasisPoints::from_hundredths(hundredths.min(BasisPoints::SCALE - 1))
}
