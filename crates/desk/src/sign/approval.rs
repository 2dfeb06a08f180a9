//! The checks before a signature is made, and before it is released.

use firmquote_domain::{Quote, Terms, Timestamp, is_expired};
use firmquote_signer::SigningRequest;
use firmquote_store::VolumeCharge;

use super::error::refusal_error;
use crate::{Desk, DeskError, book::PreTradeCheck};

/// How long a last look stays valid.
const LAST_LOOK_TTL_SECONDS: u32 = 1;

/// How a quote is bound to the terms that it is signed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// By a claim on the stored quote.
    Claimed,
    /// By a claim that is made together with its record: the quote is stored, and this process made it.
    Stored,
    /// By its record alone: it was never stored unsigned.
    Immediate,
}

/// A quote that passed all checks before signing.
pub(crate) struct Approval<'a> {
    pub(crate) check: PreTradeCheck<'a>,
    pub(crate) request: SigningRequest,
    /// The volume to charge; `None` without limits per minute.
    pub(crate) charge: Option<VolumeCharge>,
}

impl Desk {
    /// Runs all checks before signing a quote that need no store call.
    pub(super) fn approve<'a>(
        &'a self,
        quote: &'a Quote,
        terms: &'a Terms,
        binding: Binding,
        now: Timestamp,
    ) -> Result<Approval<'a>, DeskError> {
        let check = self.pre_trade_check(quote, terms, now)?;
        let (offer, output_reserve) = (quote.offer_to(terms.destination), check.output_reserve);
        let request = SigningRequest { offer, native: terms.native, output_reserve, now };
        let pool = check.directed_pair.pool;
        // Checked before the policy counts the trade: a trade that can never be signed must not count.
        pool.signer().check(&request).map_err(|refusal| refusal_error(&refusal, quote, terms))?;
        if let Binding::Immediate = binding {
            // Nor must a trade that does not fit in the store.
            self.store.check_capacity(&quote.client, now).map_err(DeskError::from_store)?;
        }
        self.pauses.check(quote.pool, now)?;
        let value = pool.policy.check(quote, terms, &check.limits)?;
        let charge = check.limits.has_volume_limits().then(|| VolumeCharge {
            pool: quote.pool,
            client: quote.client.clone(),
            value,
            pool_limit: check.limits.max_per_minute,
            client_limit: check.limits.max_per_minute_of_client,
        });
        Ok(Approval { check, request, charge })
    }

    /// Checks that a completed signature may still be released. A signing service may have taken any time since
    /// `requested_at`: meanwhile the quote may have expired, the pool may have been paused, and the market may have
    /// moved.
    pub(crate) fn recheck_before_release(
        &self,
        check: &PreTradeCheck<'_>,
        requested_at: Timestamp,
    ) -> Result<(), DeskError> {
        let (quote, now) = (check.quote, self.clock.now());
        if is_expired(quote.must_accept_by, now) {
            return Err(DeskError::UnknownQuote(quote.id));
        }
        self.pauses.check(quote.pool, now)?;
        if requested_at.plus_seconds(LAST_LOOK_TTL_SECONDS) < now {
            self.last_look(quote, now)?;
            self.recheck_soundness(check, now)?;
        }
        Ok(())
    }

    /// Checks that the clock can be trusted for signing. A store with its own clock checks ours with each claim and
    /// record.
    pub(crate) fn check_clock(&self) -> Result<(), DeskError> {
        if self.store.has_clock() { Ok(()) } else { self.clock.check().map_err(DeskError::Clock) }
    }
}
