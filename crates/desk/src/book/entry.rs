//! Entering a quote into the book of its pool before it is signed.

use std::sync::Arc;

use firmquote_domain::{Amount, BookEntry, Quote, ReserveBounds, Terms, Timestamp, U256, is_expired};
use firmquote_pricing::PairState;
use firmquote_store::{BookVersion, Booking, BookingOutcome};

use super::{
    conservative,
    guarantee::guarantee,
    limits::{client_limit_error, guarantee_limit_error, pool_limit_error},
    soundness::{SoundnessBounds, check_soundness},
};
use crate::{
    ConflictReason, Desk, DeskError, ServedPool,
    policy::TradeLimits,
    quoting::directed_pair::DirectedPair,
    quoting::last_look::{QuoteCheck, resolve},
};

/// Maximum number of rechecks of a swap after concurrent signatures.
pub(crate) const MAX_ATTEMPTS: usize = 4;

/// A quote beside the swaps that are outstanding, from a single snapshot of the market.
pub(crate) struct Position<'a> {
    pub(crate) pairing: DirectedPair<'a>,
    /// The reserves themselves, at the newest prices.
    pub(crate) reserves: PairState,
    /// The block of the reserves.
    block: Option<u64>,
    /// The reserve of the output token minus the outflows of all other swaps.
    pub(crate) output_reserve: Amount,
    /// The client's trade limits.
    pub(crate) limits: TradeLimits,
    max_inflow: U256,
    max_outflow: U256,
    /// The version of the book that the two bounds are of.
    version: Option<BookVersion>,
    /// The reserve bounds of the guarantee, if it restricts other swaps.
    pub(crate) guarantee: Option<ReserveBounds>,
}

impl Desk {
    /// Judges a quote beside the swaps that are outstanding now.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] if it is not sound beside them, [`DeskError::OutstandingLimit`] if others are guaranteed that
    /// leave no room for it; [`DeskError::NotAllowed`] if the terms ask for a guarantee that there is none of.
    pub(crate) fn position(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> Result<Position<'_>, DeskError> {
        let pool = self.pool_of(quote)?;
        let pairing = resolve(pool, quote).filter(|_| pool.spec().swaps_enabled).ok_or_else(DeskError::disabled)?;
        let snapshot = self.market.snapshot();
        let reserves = match quote.levels_id {
            None => pairing.reserves(&snapshot, quote.time_in_seconds, now)?,
            // Firm levels are honored regardless of prices, known or not.
            Some(_) => {
                let prices = [quote.input.price, quote.output.price];
                pairing.reserves_at_prices(&snapshot, prices, now).ok_or(DeskError::Market(quote.pool))?
            }
        };
        let block = pairing.block(&snapshot);
        let others = pool.book().others(quote.id, pairing.tokens(), block, pool.policy.outstanding.confirmations);
        let flows = others.flows();
        let after = conservative(reserves, flows);
        let sound = match check_soundness(quote, &pairing, after, flows)? {
            Ok(SoundnessBounds { max_inflow, max_outflow }) => others.without_reversal([max_inflow, max_outflow]),
            Err(reason) => return Err(QuoteCheck { quote, pairing }.conflict(reason, after.as_ref())?),
        };
        let after = after.ok_or(DeskError::Exhausted)?;
        let guarantee = guarantee(quote, terms, &pairing, &after, block, now)?;
        let [max_inflow, max_outflow] = match others.admitted(quote, &reserves, sound) {
            Some(admitted) => admitted,
            None => {
                let suffices = |guaranteed: &[Arc<BookEntry>]| {
                    let others = others.with_guaranteed(guaranteed.iter(), pairing.tokens());
                    others.admitted(quote, &reserves, sound).is_some()
                };
                return Err(guarantee_limit_error(pool.book().guaranteed(quote.id, block), suffices, now));
            }
        };
        let limits = pool.limits(&snapshot, &quote.client, now);
        let output_reserve = after.output.reserve;
        Ok(Position {
            pairing,
            reserves,
            block,
            output_reserve,
            limits,
            max_inflow,
            max_outflow,
            version: others.version,
            guarantee,
        })
    }

    /// Enters a quote into the book of its pool. If others were signed meanwhile, the quote is judged again, as long as
    /// nothing else speaks against it. Returns what the guarantee of the quote consists of.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] if the quote is not sound beside the others, or an equal offer was signed already;
    /// [`DeskError::OutstandingLimit`], [`DeskError::BookIncomplete`] and [`DeskError::Store`].
    pub(crate) async fn enter_book<'a>(
        &'a self,
        quote: &Quote,
        terms: &Terms,
        mut position: Position<'a>,
        now: Timestamp,
    ) -> Result<Option<ReserveBounds>, DeskError> {
        for _ in 0..MAX_ATTEMPTS {
            let booking = position.booking(quote, terms, now);
            match self.books.enter(&booking, now).await.map_err(DeskError::Store)? {
                BookingOutcome::Booked(version) => {
                    self.follow(position.pairing.pool, &booking, version).await?;
                    return Ok(position.guarantee);
                }
                refused => position = self.recheck(refused, quote, terms, &booking, position).await?,
            }
        }
        Err(position.conflict(quote)?)
    }

    /// Enters a swap into this replica's copy of the book, which the store has as of `version`, or
    /// had before.
    pub(crate) async fn follow(
        &self,
        pool: &ServedPool,
        booking: &Booking,
        version: Option<BookVersion>,
    ) -> Result<(), DeskError> {
        let is_followed = version.is_some_and(|version| pool.book().enter(&booking.swap, version));
        // In a shared book, messages of other replicas report the changes in between.
        if is_followed || self.books.is_shared() { Ok(()) } else { self.refresh_book(pool).await }
    }

    /// Judges a quote again that the store did not enter, if it did not because others were signed meanwhile.
    ///
    /// # Errors
    /// Those of [`Self::enter_book`].
    pub(crate) async fn recheck<'a>(
        &'a self,
        refused: BookingOutcome,
        quote: &Quote,
        terms: &Terms,
        booking: &Booking,
        position: Position<'a>,
    ) -> Result<Position<'a>, DeskError> {
        let (pool, now) = (position.pairing.pool, self.clock.now());
        match refused {
            BookingOutcome::Moved => {
                self.refresh_book(pool).await?;
                let now = self.clock.now();
                if is_expired(quote.must_accept_by, now) {
                    return Err(DeskError::UnknownQuote(quote.id));
                }
                self.pauses.check(quote.pool)?;
                self.last_look(quote, now)?;
                self.position(quote, terms, now)
            }
            BookingOutcome::EqualOffer => Err(position.conflict(quote)?),
            BookingOutcome::PoolLimit => Err(pool_limit_error(booking, pool, now)),
            BookingOutcome::ClientLimit => Err(client_limit_error(booking, pool, now)),
            BookingOutcome::Incomplete { retry_after_seconds } => {
                Err(DeskError::BookIncomplete { retry_after_seconds })
            }
            BookingOutcome::Booked(_) => Err(DeskError::Internal("a booked swap is no refusal".into())),
        }
    }

    /// Brings this replica's copy of the book of `pool` up to date. If the store lost changes, what this replica knows of
    /// them is put back first.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached.
    pub async fn refresh_book(&self, pool: &ServedPool) -> Result<(), DeskError> {
        let (id, now, base) = (pool.spec().id, self.clock.now(), pool.book().version());
        let update = self.books.changes_since(id, base, now).await.map_err(DeskError::Store)?;
        let lost = pool.book().lost(&update, now);
        if lost.is_empty() {
            pool.book().apply(base, update, now);
            // A book of this process alone is restored from the ledger, which may lack the last outcomes.
            if base.is_none() && !self.books.is_shared() {
                pool.book().assume_stored();
            }
            return Ok(());
        }
        self.books.amend(id, &lost, now).await.map_err(DeskError::Store)?;
        let restored = self.books.changes_since(id, None, now).await.map_err(DeskError::Store)?;
        pool.book().apply(base, restored, now);
        Ok(())
    }
}

impl Position<'_> {
    /// Returns the refusal of a quote that is not sound beside others.
    ///
    /// # Errors
    /// [`DeskError::Internal`] if the formula could not be decided.
    pub(crate) fn conflict(&self, quote: &Quote) -> Result<DeskError, DeskError> {
        let check = QuoteCheck { quote, pairing: self.pairing };
        check.conflict(ConflictReason::Outstanding, Some(&self.reserves))
    }

    /// Returns the entry in the book, with the conditions under which it is sound.
    pub(crate) fn booking(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> Booking {
        let policy = &self.pairing.pool.policy.outstanding;
        let swap = BookEntry {
            quote_id: quote.id,
            client: quote.client.clone(),
            origin: quote.origin,
            offer: quote.offer_to(terms.destination),
            native: terms.native,
            signed_at: now,
            block: self.block,
            guarantee: self.guarantee,
        };
        Booking {
            swap: Arc::new(swap),
            max_inflow: self.max_inflow,
            max_outflow: self.max_outflow,
            version: self.version,
            limits: policy.limits(&quote.client, &self.reserves),
            is_single_use: self.pairing.spec().single_use,
            max_lifetime_seconds: self.pairing.spec().max_lifetime_seconds(),
        }
    }
}
