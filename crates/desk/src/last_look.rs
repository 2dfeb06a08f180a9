//! The last look: whether a quote is still acceptable at the latest prices and reserves, and if not, what moved.

use firmquote_domain::{Amount, BasisPoints, FixedSide, GoodUntilKind, Quote, Timestamp, U512};
use firmquote_pricing::{Fixed, PairState, PreparedPair, PricingError, Side, Swap, would_execute};

use crate::{
    Conflict, ConflictReason, Desk, DeskError, QuoteRequest, ServedPool, directed_pair::DirectedPair,
    quote::SigningState,
};

impl Desk {
    /// Checks that the pool would still give at least the quoted output, within the pool's tolerance, and that its
    /// contract would still execute the swap. If the fee has fallen, the current fee applies; if it has risen, the
    /// quoted fee applies as long as it covers the estimated volatility. Returns the state to check the signature
    /// against.
    pub(crate) fn last_look(&self, quote: &Quote, now: Timestamp) -> Result<SigningState, DeskError> {
        let pool = self.pool_of(quote)?;
        let spec = pool.spec();
        let pairing = resolve(pool, quote).filter(|_| spec.swaps_enabled).ok_or_else(DeskError::disabled)?;
        let snapshot = self.market.snapshot();
        let mut state = pairing.state(&snapshot, quote.time_in_seconds, now)?;
        let least_fee = pairing.least_fee(&snapshot, quote.time_in_seconds).unwrap_or(state.fee);
        if (least_fee..state.fee).contains(&quote.fee) {
            state.fee = quote.fee;
        }
        let check = QuoteCheck { quote, pairing };
        if check.is_acceptable(&state)? {
            let limits = pool.limits(&snapshot, &quote.client, now);
            return Ok(SigningState { output_reserve: state.output.reserve, limits });
        }
        let quoted = check.at_quoted_prices(&state);
        let reason = if !check.is_acceptable(&quoted)? {
            ConflictReason::Reserve
        } else if !check.is_acceptable(&PairState { fee: quote.fee, ..state })? {
            ConflictReason::Price
        } else {
            ConflictReason::Fee
        };
        let shortfall = check
            .current_output(&pairing.prepare(&state))?
            .and_then(|current_output| shortfall(quote.output.amount, current_output));
        Err(DeskError::Conflict(Box::new(Conflict { reason, shortfall, fresh_quote: None })))
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
        let pairing = resolve(self.pool_of(quote)?, quote).ok_or_else(DeskError::disabled)?;
        let request = QuoteRequest {
            client: quote.client.clone(),
            chain_id: quote.pool.chain_id,
            input_symbol: pairing.input.1.symbol.as_str(),
            output_symbol: pairing.output.1.symbol.as_str(),
            amount: match quote.fixed {
                FixedSide::Input => Fixed::Input(quote.input.amount),
                FixedSide::Output => Fixed::Output(quote.output.amount),
            },
            time_in_seconds: Some(quote.time_in_seconds),
            pool_address: Some(quote.pool.address),
        };
        self.quote(&request).await
    }
}

/// Returns the directed pair of a quote's tokens, or `None` if they no longer trade.
fn resolve<'a>(pool: &'a ServedPool, quote: &Quote) -> Option<DirectedPair<'a>> {
    let assets = &pool.spec().assets;
    let resolve = |token| assets.iter().enumerate().find(|(_, asset)| asset.address == token);
    DirectedPair::new(pool, resolve(quote.input.token)?, resolve(quote.output.token)?)
}

/// A quote to be checked against several states of its pool.
struct QuoteCheck<'a> {
    quote: &'a Quote,
    pairing: DirectedPair<'a>,
}

impl QuoteCheck<'_> {
    fn is_acceptable(&self, state: &PairState) -> Result<bool, DeskError> {
        let prepared = self.pairing.prepare(state);
        let Some(current_output) = self.current_output(&prepared)? else { return Ok(false) };
        let (quoted, one) = (self.quote.output.amount, U512::from(BasisPoints::ONE_HUNDREDTHS));
        let least_share = one - U512::from(self.pairing.spec().last_look_tolerance.hundredths());
        let is_enough = U512::from(current_output.base_units()) * one >= U512::from(quoted.base_units()) * least_share;
        Ok(is_enough && self.is_executable(&prepared, current_output))
    }

    /// Returns what the pool would give for the quoted input, or `None` if it would give nothing.
    fn current_output(&self, prepared: &PreparedPair) -> Result<Option<Amount>, DeskError> {
        match prepared.output_for(self.quote.input.amount) {
            Ok(current_output) => Ok(Some(current_output)),
            Err(PricingError::TooLarge { .. } | PricingError::TooSmall { .. } | PricingError::Empty) => Ok(None),
            Err(error @ PricingError::Undecided) => Err(DeskError::Internal(error.to_string())),
        }
    }

    /// Whether the contract would execute the swap. The contract checks with the packed prices and its own reserves.
    fn is_executable(&self, prepared: &PreparedPair, current_output: Amount) -> bool {
        let (state, Quote { input, output, .. }) = (prepared.state(), self.quote);
        let quoted = self.at_quoted_prices(state);
        match self.pairing.spec().good_until {
            GoodUntilKind::Plain => output.amount < state.output.reserve,
            // While prices are unchanged, the evaluation above covers this check too.
            GoodUntilKind::Verified if prepared.is_of(&quoted) => {
                prepared.would_execute(&Swap { input: input.amount, output: output.amount }, current_output)
            }
            GoodUntilKind::Verified => would_execute(&quoted, input.amount, output.amount),
        }
    }

    /// Returns the current reserves at the quote's own prices and fee.
    fn at_quoted_prices(&self, state: &PairState) -> PairState {
        PairState {
            input: Side { price: self.quote.input.price, ..state.input },
            output: Side { price: self.quote.output.price, ..state.output },
            fee: self.quote.fee,
            ..*state
        }
    }
}

/// Returns how much less than `quoted` the pool gives, rounded up; `None` if it gives no less.
fn shortfall(quoted: Amount, current_output: Amount) -> Option<BasisPoints> {
    let less = U512::from(quoted.checked_sub(current_output)?.base_units()) * U512::from(BasisPoints::ONE_HUNDREDTHS);
    let hundredths = u32::try_from(less.div_ceil(U512::from(quoted.base_units()))).ok()?;
    // The pool still gives something, so the shortfall is less than the whole.
    BasisPoints::from_hundredths(hundredths.min(BasisPoints::ONE_HUNDREDTHS - 1))
}
