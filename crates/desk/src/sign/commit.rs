//! From the check of a quote to its signature: prepare, where the signature takes long; sign; commit. Only what the store
//! has committed is released.
//!
//! What few signatures need is boxed: it would enlarge the future of each.

use firmquote_domain::{Quote, SignedQuote, Terms};
use firmquote_store::{BookingRefusal, CommitOutcome, CommitRefusal, PrepareOutcome};

use super::{
    check::Approval,
    error::{quote_error, signer_error, volume_error},
};
use crate::{Desk, DeskError, LevelsRefusal, ServedPool, quoting::request_recorder::StateLog};

/// Maximum number of checks of a swap beside others that were signed meanwhile.
const MAX_ATTEMPTS: usize = 4;

/// What became of a preparation.
enum Preparation<'a> {
    Approved(Box<Approval<'a>>),
    /// By another call for the same terms.
    AlreadySigned(Box<SignedQuote>),
}

impl Desk {
    /// Signs a quote that is not signed yet. A quote that was not stored is stored with its signature.
    ///
    /// # Errors
    /// Those of [`Self::sign`]; a conflict contains a fresh quote, if there is one.
    pub(crate) async fn sign_unsigned(
        &self,
        quote: &Quote,
        terms: &Terms,
        is_quote_stored: bool,
        states: &mut StateLog,
    ) -> Result<SignedQuote, DeskError> {
        match self.sign_and_commit(quote, terms, is_quote_stored, states).await {
            Err(error) => Err(Box::pin(self.with_fresh_quote(error, quote)).await),
            signed => signed,
        }
    }

    async fn sign_and_commit(
        &self,
        quote: &Quote,
        terms: &Terms,
        is_quote_stored: bool,
        states: &mut StateLog,
    ) -> Result<SignedQuote, DeskError> {
        let pool = self.pool_of(quote)?;
        let mut approval = self.approve(quote, terms, is_quote_stored, self.clock.now(), states)?;
        if !pool.signer().is_local() {
            approval = match Box::pin(self.prepare(approval, is_quote_stored, states)).await? {
                Preparation::Approved(approval) => *approval,
                Preparation::AlreadySigned(signed) => return Box::pin(self.release_recorded(*signed)).await,
            };
        }
        let signature = pool.signer().sign(&approval.request).await;
        let signature = signature.map_err(|error| signer_error(error, quote, terms))?;
        let signed_at = self.clock.now();
        for _ in 0..MAX_ATTEMPTS {
            let now = self.clock.now();
            if approval.is_outdated(now) {
                approval = self.approve(quote, terms, is_quote_stored, now, states)?;
            }
            self.check_release(quote, now)?;
            let (execution, guarantee) = (approval.check.execution(), approval.check.guarantee.map(Box::new));
            let signed =
                SignedQuote { quote: quote.clone(), terms: *terms, signature, execution, guarantee, signed_at };
            let committed = self.store.commit(&approval.commitment(), signed, approval.checked_at).await;
            match committed.map_err(DeskError::from_store)? {
                CommitOutcome::Recorded { signed, version } => {
                    self.apply_booking(pool, &approval.booking, version).await?;
                    self.operator_view.signatures.record(&signed, pool.signer().pool().spec(), self.clock.now());
                    return Ok(signed);
                }
                CommitOutcome::AlreadySigned(signed) => return Box::pin(self.release_recorded(signed)).await,
                CommitOutcome::Refused(refusal) => {
                    approval = Box::pin(self.approve_again(refusal, approval, is_quote_stored, states)).await?;
                }
            }
        }
        Err(approval.check.conflict())
    }

    /// Binds a stored quote to its terms before its signature is requested from a service.
    async fn prepare<'a>(
        &'a self,
        mut approval: Approval<'a>,
        is_quote_stored: bool,
        states: &mut StateLog,
    ) -> Result<Preparation<'a>, DeskError> {
        for _ in 0..MAX_ATTEMPTS {
            let prepared = self.store.prepare(&approval.commitment(), approval.checked_at).await;
            match prepared.map_err(DeskError::from_store)? {
                PrepareOutcome::Prepared => return Ok(Preparation::Approved(Box::new(approval))),
                PrepareOutcome::AlreadySigned(signed) => return Ok(Preparation::AlreadySigned(signed)),
                PrepareOutcome::Refused(refusal) => {
                    approval = self.approve_again(refusal, approval, is_quote_stored, states).await?;
                }
            }
        }
        Err(approval.check.conflict())
    }

    /// Checks a quote again that the store refused, if it did so because others were signed meanwhile.
    async fn approve_again<'a>(
        &'a self,
        refusal: CommitRefusal,
        approval: Approval<'a>,
        is_quote_stored: bool,
        states: &mut StateLog,
    ) -> Result<Approval<'a>, DeskError> {
        let (quote, terms, pool) = (approval.check.quote, approval.check.terms, approval.check.directed_pair.pool);
        match refusal {
            CommitRefusal::Booking(BookingRefusal::Moved) => {
                self.refresh_book(pool).await?;
                self.approve(quote, terms, is_quote_stored, self.clock.now(), states)
            }
            CommitRefusal::Booking(refusal) => Err(self.booking_error(refusal, &approval, pool).await),
            CommitRefusal::Paused => Err(self.pauses.refusal(pool.id(), self.clock.now())),
            CommitRefusal::Quote(refusal) => Err(quote_error(refusal, quote.id)),
            CommitRefusal::NotReserved => {
                self.firm_levels.count_breach(LevelsRefusal::StoreLost);
                Err(DeskError::UnknownQuote(quote.id))
            }
            CommitRefusal::Volume(refusal) => Err(volume_error(refusal)),
        }
    }

    async fn booking_error(&self, refusal: BookingRefusal, approval: &Approval<'_>, pool: &ServedPool) -> DeskError {
        if let BookingRefusal::PoolLimit | BookingRefusal::ClientLimit = refusal {
            // The store may know of swaps that this copy lacks. Without them the refusal says less.
            self.refresh_book(pool).await.ok();
        }
        approval.check.refusal(refusal, &approval.booking, self.clock.now())
    }
}
