//! Preparing and committing signatures in memory.
//!
//! All checks but that of the pause, and the first writes (claim, reservation, entry and volume), are made under the locks
//! of the quote, the levels, the book and the totals, taken in this order. Then the ledger file is written, and then the
//! record: a failure in between leaves too much counted, and no record.

use firmquote_domain::{Client, SignedQuote, Timestamp, is_expired};
use parking_lot::MutexGuard;

use super::{MemoryStore, SWEEP_PER_INSERT, capacity::CapacityPermit, shard::Shard};
use crate::{
    BookVersion, CommitOutcome, CommitRefusal, Commitment, OpenOutcome, PrepareOutcome, QuoteRefusal, StoreError,
    SwapPosition,
};

/// What a call makes of a commitment against which nothing speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommitPhase {
    /// Only the claim is written.
    Prepare,
    /// Everything is written that comes before the record.
    Commit,
}

/// The outcome of the checks.
enum Admission {
    /// Nothing speaks against the signature; contains the version of the book with its swap.
    Admitted(Option<BookVersion>),
    AlreadySigned(Box<SignedQuote>),
    Refused(CommitRefusal),
}

impl MemoryStore {
    pub(super) fn prepare_now(&self, commitment: &Commitment<'_>, now: Timestamp) -> PrepareOutcome {
        match self.admit(commitment, CommitPhase::Prepare, now) {
            Admission::Admitted(_) => PrepareOutcome::Prepared,
            Admission::AlreadySigned(signed) => PrepareOutcome::AlreadySigned(signed),
            Admission::Refused(refusal) => PrepareOutcome::Refused(refusal),
        }
    }

    pub(super) async fn commit_now(
        &self,
        commitment: &Commitment<'_>,
        signed: SignedQuote,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError> {
        let permit = match commitment.is_quote_stored {
            true => None,
            false => Some(self.acquire_permit(&commitment.quote.client, now)?),
        };
        let version = match self.admit(commitment, CommitPhase::Commit, now) {
            Admission::Admitted(version) => version,
            Admission::AlreadySigned(signed) => return Ok(CommitOutcome::AlreadySigned(*signed)),
            Admission::Refused(refusal) => return Ok(CommitOutcome::Refused(refusal)),
        };
        self.files.append_signature(&signed).await?;
        Ok(match self.record(signed, &commitment.quote.client, permit, now) {
            Ok(signed) => {
                let position = SwapPosition { signed_at: signed.signed_at, quote_id: signed.quote.id };
                self.index_swap(&signed.quote.client, position);
                CommitOutcome::Recorded { signed, version }
            }
            Err(refusal) => CommitOutcome::Refused(CommitRefusal::Quote(refusal)),
        })
    }

    /// Records a signature for `client` that was admitted. Its quote takes `permit`, or one of its own, beyond the capacity if need be,
    /// if it was stored and was swept while the ledger was written.
    fn record(
        &self,
        signed: SignedQuote,
        client: &Client,
        permit: Option<CapacityPermit<'_>>,
        now: Timestamp,
    ) -> Result<SignedQuote, QuoteRefusal> {
        let mut shard = self.shard(signed.quote.id);
        shard.sweep(now, SWEEP_PER_INSERT, &self.capacity, self.retention);
        let (is_inserted, recorded) = shard.insert_signed(signed);
        match permit {
            Some(permit) if is_inserted => permit.commit(),
            None if is_inserted => self.capacity.occupy(client),
            Some(_) | None => {}
        }
        recorded
    }

    fn admit(&self, commitment: &Commitment<'_>, phase: CommitPhase, now: Timestamp) -> Admission {
        let Commitment { quote, terms, booking, charge, extension, .. } = *commitment;
        if self.is_paused(quote.pool) {
            return Admission::Refused(CommitRefusal::Paused);
        }
        let mut shard = self.shard(quote.id);
        match check_quote(&shard, commitment, now) {
            Ok(None) => {}
            Ok(Some(signed)) => return Admission::AlreadySigned(Box::new(signed)),
            Err(refusal) => return Admission::Refused(CommitRefusal::Quote(refusal)),
        }
        let mut reserved = extension.map(|extension| (extension, self.levels.lock()));
        let is_reserved =
            reserved.as_mut().is_none_or(|(extension, levels)| levels.is_reserved(&extension.budget, quote.id, now));
        if !is_reserved {
            return Admission::Refused(CommitRefusal::NotReserved);
        }
        let mut books = self.books.lock();
        let book = match books.check(booking, now) {
            Ok(book) => book,
            Err(refusal) => return Admission::Refused(CommitRefusal::Booking(refusal)),
        };
        let mut charged = charge.map(|charge| (charge, self.totals.lock()));
        if let Some((charge, totals)) = &mut charged
            && let Err(refusal) = totals.check(charge, now)
        {
            return Admission::Refused(CommitRefusal::Volume(refusal));
        }
        if commitment.is_quote_stored {
            shard.bind(quote.id, terms);
        }
        if phase == CommitPhase::Prepare {
            return Admission::Admitted(None);
        }
        if let Some((extension, levels)) = &mut reserved {
            levels.set_until(&extension.budget, quote.id, extension.until, now);
        }
        if let Some((charge, totals)) = &mut charged {
            totals.add(charge, now);
        }
        Admission::Admitted(book.map(|book| book.enter(booking)))
    }
}

/// Returns the signature on record, if the quote is signed already.
///
/// # Errors
/// The refusal, if the quote cannot be signed for these terms.
fn check_quote(
    shard: &MutexGuard<'_, Shard>,
    Commitment { quote, terms, is_quote_stored, .. }: &Commitment<'_>,
    now: Timestamp,
) -> Result<Option<SignedQuote>, QuoteRefusal> {
    match shard.open(quote.id, &quote.client, terms, now) {
        OpenOutcome::Signed(signed) => Ok(Some(signed)),
        OpenOutcome::Unsigned(_) => Ok(None),
        OpenOutcome::Refused(QuoteRefusal::Unknown) if !is_quote_stored => {
            if is_expired(quote.must_accept_by, now) {
                Err(QuoteRefusal::Unknown)
            } else {
                Ok(None)
            }
        }
        OpenOutcome::Refused(refusal) => Err(refusal),
    }
}
