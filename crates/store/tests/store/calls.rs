//! Calls of a store in the terms of the tests: each with a commitment against which nothing else speaks.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use firmquote_domain::{Quote, SignedQuote, Terms, Timestamp};
use firmquote_store::{
    BookVersion, Booking, BookingRefusal, CommitOutcome, CommitRefusal, PrepareOutcome, QuoteRefusal, Store,
    StoreError, VolumeCharge, VolumeRefusal,
    conformance::{SampleCommitment, sample_signed},
};

pub(crate) trait Calls {
    /// Binds a stored quote to terms.
    async fn bind(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> Result<PrepareOutcome, StoreError>;
    /// Commits the signature of a stored quote, and returns the one on record.
    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError>;
    /// The same for a quote that was made for its signature.
    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError>;
    /// Enters a swap, with the signature of a quote of its own.
    async fn enter(
        &self,
        booking: &Booking,
        now: Timestamp,
    ) -> Result<Result<Option<BookVersion>, BookingRefusal>, StoreError>;
    /// Charges a trade, with the signature of a quote of its own.
    async fn charge_volume(
        &self,
        charge: &VolumeCharge,
        now: Timestamp,
    ) -> Result<Result<(), VolumeRefusal>, StoreError>;
}

impl<S: Store> Calls for S {
    async fn bind(&self, quote: &Quote, terms: &Terms, now: Timestamp) -> Result<PrepareOutcome, StoreError> {
        SampleCommitment::new(sample_signed(quote, *terms, 1)).try_prepare(self, now).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        Ok(recorded(SampleCommitment::new(signed).try_commit(self, now).await?))
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        Ok(recorded(SampleCommitment::at_once(signed).try_commit(self, now).await?))
    }

    async fn enter(
        &self,
        booking: &Booking,
        now: Timestamp,
    ) -> Result<Result<Option<BookVersion>, BookingRefusal>, StoreError> {
        let commitment = SampleCommitment { booking: booking.clone(), ..SampleCommitment::fresh(now) };
        match commitment.try_commit(self, now).await? {
            CommitOutcome::Recorded { version, .. } => Ok(Ok(version)),
            CommitOutcome::Refused(CommitRefusal::Booking(refusal)) => Ok(Err(refusal)),
            outcome => panic!("only the book can refuse it: {outcome:?}"),
        }
    }

    async fn charge_volume(
        &self,
        charge: &VolumeCharge,
        now: Timestamp,
    ) -> Result<Result<(), VolumeRefusal>, StoreError> {
        let commitment = SampleCommitment { charge: Some(charge.clone()), ..SampleCommitment::fresh(now) };
        match commitment.try_commit(self, now).await? {
            CommitOutcome::Recorded { .. } => Ok(Ok(())),
            CommitOutcome::Refused(CommitRefusal::Volume(refusal)) => Ok(Err(refusal)),
            outcome => panic!("only the volume can refuse it: {outcome:?}"),
        }
    }
}

fn recorded(outcome: CommitOutcome) -> SignedQuote {
    match outcome {
        CommitOutcome::Recorded { signed, .. } | CommitOutcome::AlreadySigned(signed) => signed,
        CommitOutcome::Refused(refusal) => panic!("nothing speaks against it: {refusal:?}"),
    }
}

/// The refusal of a quote, as that of a preparation.
pub(crate) const fn refused(refusal: QuoteRefusal) -> PrepareOutcome {
    PrepareOutcome::Refused(CommitRefusal::Quote(refusal))
}
