//! The check of a quote against all outstanding swaps, before it is entered into the book.

use std::sync::Arc;

use firmquote_domain::{Amount, Execution, Quote, ReserveBounds, SignedSwap, Terms, Timestamp, U256};
use firmquote_market::Snapshot;
use firmquote_pricing::PairState;
use firmquote_store::{BookVersion, Booking, BookingRefusal};

use super::{
    conservative_reserves,
    guarantee::guarantee,
    limit_refusals::{client_limit_error, guarantee_limit_error, pool_limit_error, unproved_error},
    other_swaps::OtherSwaps,
    soundness::{SoundnessBounds, check_soundness},
};
use crate::{
    ConflictReason, Desk, DeskError,
    policy::{OutstandingBounds, TradeLimits},
    quoting::directed_pair::DirectedPair,
    quoting::last_look::{QuoteCheck, resolve},
};

/// A quote that is sound with all outstanding swaps, as of a single snapshot of the market: the conditions under which
/// it may be signed.
pub(crate) struct PreTradeCheck<'a> {
    pub(crate) quote: &'a Quote,
    pub(crate) terms: &'a Terms,
    pub(crate) directed_pair: DirectedPair<'a>,
    /// The reserves themselves, at the newest prices.
    pub(crate) reserves: PairState,
    /// The block of the reserves.
    block: Option<u64>,
    /// The age of the reserves, in seconds.
    reserves_age_seconds: u32,
    /// The reserve of the output token minus the outflows of all other swaps.
    pub(crate) output_reserve: Amount,
    /// The client's trade limits.
    pub(crate) limits: TradeLimits,
    max_inflow: U256,
    max_outflow: U256,
    /// The version of the book that the two bounds are of.
    version: Option<BookVersion>,
    /// Whether the pool guarantees executions at present.
    has_guarantees: bool,
    /// The reserve bounds of the guarantee, if it restricts other swaps.
    pub(crate) guarantee: Option<ReserveBounds>,
}

impl Desk {
    /// Checks a quote against the swaps that are outstanding now.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] if it is not sound with them, [`DeskError::OutstandingLimit`] if guaranteed swaps leave
    /// no room for it; [`DeskError::NotAllowed`] if the terms ask for a guarantee that there is none of.
    pub(crate) fn pre_trade_check<'a>(
        &'a self,
        quote: &'a Quote,
        terms: &'a Terms,
        now: Timestamp,
    ) -> Result<PreTradeCheck<'a>, DeskError> {
        let pool = self.pool_of(quote)?;
        let directed_pair =
            resolve(pool, quote).filter(|_| pool.spec().swaps_enabled).ok_or_else(DeskError::disabled)?;
        pool.check_terms(&quote.client, directed_pair.symbols())?;
        if pool.policy.is_unproved
            && let Some(last) = pool.book().unproved_until(quote.id)
        {
            return Err(unproved_error(last, now));
        }
        let snapshot = self.snapshot_for(&quote.client);
        let reserves = newest_reserves(quote, &directed_pair, &snapshot, now)?;
        let block = directed_pair.block(&snapshot);
        let others = pool.book().others(quote.id, directed_pair.tokens(), block, pool.policy.outstanding.confirmations);
        let flows = others.flows();
        let after = conservative_reserves(reserves, flows);
        let sound = match check_soundness(quote, &directed_pair, after, flows)? {
            Ok(SoundnessBounds { max_inflow, max_outflow }) => others.without_reversal([max_inflow, max_outflow]),
            Err(reason) => return Err(QuoteCheck { quote, directed_pair }.conflict(reason, after.as_ref())),
        };
        let after = after.ok_or(DeskError::Exhausted)?;
        let guarantee = guarantee(quote, terms, &directed_pair, &after, block, now)?;
        let [max_inflow, max_outflow] = match others.admitted(quote, &reserves, sound) {
            Some(admitted) => admitted,
            None => {
                let tokens = directed_pair.tokens();
                let admits = |left: OtherSwaps| left.admitted(quote, &reserves, sound).is_some();
                let confirmed = block.map(|block| block.saturating_sub(pool.policy.outstanding.confirmations));
                let guaranteed = pool.book().guaranteed(quote.id, confirmed);
                return Err(guarantee_limit_error(guaranteed, others, tokens, admits, now));
            }
        };
        // Another replica may be about to sign as well: the store admits one of them.
        let is_alone = pool.policy.is_unproved && !pool.book().has_executed();
        let [max_inflow, max_outflow] = if is_alone { [U256::ZERO; 2] } else { [max_inflow, max_outflow] };
        let limits = pool.limits(&snapshot, &quote.client, now);
        let output_reserve = after.output.reserve;
        Ok(PreTradeCheck {
            quote,
            terms,
            directed_pair,
            reserves,
            block,
            reserves_age_seconds: directed_pair.reserves_age_seconds(&snapshot, now),
            output_reserve,
            limits,
            max_inflow,
            max_outflow,
            version: others.version,
            has_guarantees: pool.book().has_guarantees(now),
            guarantee,
        })
    }
}

/// Returns the newest reserves of the pair of `quote`, at the newest prices; at its own prices if it names firm levels,
/// which are honored regardless of prices, known or not.
fn newest_reserves(
    quote: &Quote,
    directed_pair: &DirectedPair<'_>,
    snapshot: &Snapshot,
    now: Timestamp,
) -> Result<PairState, DeskError> {
    if quote.levels.is_none() {
        return directed_pair.reserves(snapshot, quote.time_in_seconds, now);
    }
    let prices = [quote.input.price, quote.output.price];
    directed_pair.reserves_at_prices(snapshot, prices, now).ok_or(DeskError::Market(quote.pool))
}

impl PreTradeCheck<'_> {
    /// Returns the refusal of a quote that is not sound with the others.
    pub(crate) fn conflict(&self) -> DeskError {
        let check = QuoteCheck { quote: self.quote, directed_pair: self.directed_pair };
        check.conflict(ConflictReason::Outstanding, Some(&self.reserves))
    }

    /// Returns the error for a booking that was refused.
    pub(crate) fn refusal(&self, refusal: BookingRefusal, booking: &Booking, now: Timestamp) -> DeskError {
        let pool = self.directed_pair.pool;
        match refusal {
            BookingRefusal::Moved | BookingRefusal::EqualOffer => self.conflict(),
            BookingRefusal::PoolLimit => pool_limit_error(booking, &self.bounds(now), pool, now),
            BookingRefusal::ClientLimit => client_limit_error(booking, &self.bounds(now), pool, now),
            // The age of the reserves is over with the next block, however long it was waited for.
            BookingRefusal::Incomplete { retry_after_seconds } => DeskError::BookIncomplete {
                retry_after_seconds: retry_after_seconds.saturating_sub(self.reserves_age_seconds).max(1),
            },
        }
    }

    /// Whether the swap executes until it expires, regardless of others.
    pub(crate) fn execution(&self) -> Execution {
        match (self.has_guarantees, self.terms.guarantee) {
            (false, _) => Execution::BestEffort,
            (true, true) => Execution::Guaranteed,
            (true, false) => self.directed_pair.spec().execution(self.block),
        }
    }

    /// Returns the client's limits on outstanding swaps.
    fn bounds(&self, now: Timestamp) -> OutstandingBounds {
        let (pool, client) = (self.directed_pair.pool, &self.quote.client);
        let executed = pool.book().executed_by(client, self.directed_pair.tokens(), now);
        pool.outstanding_policy(client).bounds(client, &self.reserves, executed)
    }

    /// Returns the entry in the book, with the conditions under which it is sound.
    pub(crate) fn booking(&self, now: Timestamp) -> Booking {
        let Self { quote, terms, .. } = self;
        let (pool, spec) = (self.directed_pair.pool, self.directed_pair.spec());
        let max_lifetime_seconds = pool.book().max_lifetime_seconds(spec.max_lifetime_seconds());
        let swap = SignedSwap { block: self.block, guarantee: self.guarantee, ..SignedSwap::new(quote, terms, now) };
        Booking {
            swap: Arc::new(swap),
            max_inflow: self.max_inflow,
            max_outflow: self.max_outflow,
            version: self.version,
            limits: self.bounds(now).limits(quote.output.amount),
            is_single_use: spec.single_use,
            // The last swap that may be missing could have been executed after the block of the reserves.
            max_lifetime_seconds: max_lifetime_seconds.saturating_add(self.reserves_age_seconds),
        }
    }
}
