//! The check before a signature is made, and again before it is released if the signature took long.

use firmquote_domain::{Quote, Terms, Timestamp, is_expired};
use firmquote_signer::SigningRequest;
use firmquote_store::{Booking, Commitment, ReservationExtension, VolumeCharge};

use super::error::refusal_error;
use crate::{
    Desk, DeskError,
    book::PreTradeCheck,
    firm::{budget_of, reserved_until},
    quoting::request_recorder::StateLog,
};

/// How long a check stays valid: prices may have moved since.
const CHECK_TTL_SECONDS: u32 = 1;

/// A quote that passed the check, and everything that its signature will store.
pub(super) struct Approval<'a> {
    pub(super) check: PreTradeCheck<'a>,
    pub(super) request: SigningRequest,
    pub(super) booking: Booking,
    /// When the quote was checked.
    pub(super) checked_at: Timestamp,
    is_quote_stored: bool,
    /// The volume to charge; `None` without limits per minute.
    charge: Option<VolumeCharge>,
    extension: Option<ReservationExtension>,
}

impl Approval<'_> {
    pub(super) fn commitment(&self) -> Commitment<'_> {
        Commitment {
            quote: self.check.quote,
            terms: self.check.terms,
            is_quote_stored: self.is_quote_stored,
            booking: &self.booking,
            charge: self.charge.as_ref(),
            extension: self.extension.as_ref(),
        }
    }

    /// Whether the check has to be repeated before the signature is released.
    pub(super) fn is_outdated(&self, now: Timestamp) -> bool {
        // A clock that was set back says nothing about how long it took.
        now < self.checked_at || self.checked_at.plus_seconds(CHECK_TTL_SECONDS) < now
    }
}

impl Desk {
    /// Checks, without any store call, whether a quote may be signed at `now`: expiry, pause, clock, last look, soundness
    /// beside all outstanding swaps, the guard of the signer, and the policy.
    pub(super) fn approve<'a>(
        &'a self,
        quote: &'a Quote,
        terms: &'a Terms,
        is_quote_stored: bool,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<Approval<'a>, DeskError> {
        self.check_release(quote, now)?;
        self.check_clock()?;
        // A quote that is signed as it is made was computed with the newest prices.
        if is_quote_stored || quote.created_at < now {
            self.recorded_last_look(quote, now, states)?;
        }
        let check = self.pre_trade_check(quote, terms, now)?;
        let (offer, output_reserve) = (quote.offer_to(terms.destination), check.output_reserve);
        let request = SigningRequest { offer, native: terms.native, output_reserve, now };
        let pool = check.directed_pair.pool;
        pool.signer().check(&request).map_err(|refusal| refusal_error(&refusal, quote, terms))?;
        if !is_quote_stored {
            self.store.check_capacity(&quote.client, now).map_err(DeskError::from_store)?;
        }
        let value = pool.policy.check(quote, terms, &check.limits)?;
        let charge = check.limits.has_volume_limits().then(|| VolumeCharge {
            pool: quote.pool,
            client: quote.client.clone(),
            value,
            pool_limit: check.limits.max_per_minute,
            client_limit: check.limits.max_per_minute_of_client,
        });
        let extension = quote.levels.is_some().then(|| ReservationExtension {
            budget: budget_of(quote),
            until: reserved_until(quote.good_until.expires_at()),
        });
        let booking = check.booking(now);
        Ok(Approval { check, request, booking, checked_at: now, is_quote_stored, charge, extension })
    }

    /// Checks what may have changed since the check: that the quote has not expired, and that its pool is not paused.
    pub(super) fn check_release(&self, quote: &Quote, now: Timestamp) -> Result<(), DeskError> {
        if is_expired(quote.must_accept_by, now) {
            return Err(DeskError::UnknownQuote(quote.id));
        }
        self.pauses.check(quote.pool, quote.output.token, now)
    }

    /// Checks that the clock can be trusted for signing. A store with its own clock checks ours with each commitment.
    pub(crate) fn check_clock(&self) -> Result<(), DeskError> {
        if self.store.has_clock() { Ok(()) } else { self.clock.check().map_err(|jump| DeskError::Clock(jump.into())) }
    }
}
