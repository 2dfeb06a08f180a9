//! Signing in one step, where the store supports an atomic commit and the key is in this process: the signature is made
//! first, and released once the store has accepted it.

use firmquote_domain::{SignedQuote, Timestamp};
use firmquote_store::{CommitOutcome, Commitment};

use super::{
    approval::Approval,
    error::{claim_error, record_error, volume_error},
};
use crate::{Desk, DeskError, book::MAX_ATTEMPTS};

impl Desk {
    /// Signs a quote and stores the signature with its claim, its volume and its entry in the book. If others were
    /// signed meanwhile, the quote is checked again; the signature stays the same.
    pub(super) async fn commit<'a>(
        &'a self,
        Approval { mut check, request, charge }: Approval<'a>,
        is_quote_stored: bool,
        now: Timestamp,
    ) -> Result<SignedQuote, DeskError> {
        let (quote, pool) = (check.quote, check.directed_pair.pool);
        let mut signed = self.make_signature(&check, &request).await?;
        for _ in 0..MAX_ATTEMPTS {
            self.recheck_before_release(&check, now)?;
            let booking = check.booking(now);
            (signed.execution, signed.guarantee) = (check.execution(), check.guarantee.map(Box::new));
            let commitment =
                Commitment { signed: &signed, is_quote_stored, booking: &booking, charge: charge.as_ref() };
            let committed = self.store.commit(&commitment, now).await;
            match committed.map_err(|error| record_error(error, quote.id))? {
                CommitOutcome::Recorded { signed, version } => {
                    self.apply_booking(pool, &booking, version).await?;
                    self.operator_view.signatures.record(&signed, pool.signer().pool().spec(), self.clock.now());
                    return Ok(signed);
                }
                CommitOutcome::AlreadySigned(signed) => return self.release_recorded(signed).await,
                CommitOutcome::Paused => return Err(DeskError::Paused),
                CommitOutcome::NotClaimed(refusal) => return Err(claim_error(refusal, quote.id)),
                CommitOutcome::NotCharged(refusal) => return Err(volume_error(refusal)),
                CommitOutcome::NotBooked(refusal) => check = self.recheck(refusal, &booking, check).await?,
            }
        }
        Err(check.conflict())
    }
}
