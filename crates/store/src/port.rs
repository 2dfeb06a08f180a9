//! The ports: a store of quotes, and a board of the pools that an operator has paused.

use std::collections::BTreeSet;

use async_trait::async_trait;
use firmquote_domain::{Client, PoolId, Quote, QuoteId, SignedQuote, Terms, Timestamp};

use crate::{StoreError, VolumeCharge, VolumeOutcome};

/// What became of an attempt to bind a quote to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// There is no such live quote: never made, expired, or lapsed.
    Unknown,
    /// The quote belongs to another client; nothing was bound.
    AnotherClients,
    /// The quote is bound to other terms, and stays so.
    OtherTerms,
    /// The quote is bound to these terms, now or since an earlier attempt that left no signature.
    Granted(Quote),
    /// The quote is already signed for these very terms; this is what left the service.
    Signed(SignedQuote),
}

/// A live quote as a store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundQuote {
    /// The quote as it was made.
    pub quote: Quote,
    /// The terms that it is signed for; `None` while it is not signed.
    pub terms: Option<Terms>,
}

/// How full a store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Quotes that are kept, signed ones included, and those that expired and were not removed yet.
    pub quotes: usize,
    /// How many it takes.
    pub capacity: usize,
}

/// Keeps quotes until they expire, and binds each to the terms it is signed for, once, across all that share it.
///
/// [`contract::check`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check.html) (feature
/// `contract`) holds every implementation to what is written here. Every call takes the present instant; expiry is
/// decided by the domain's functions alone, whatever the store's own expiry has already removed.
#[async_trait]
pub trait QuoteStore: Send + Sync {
    /// Keeps `quote` until its `must_accept_by`. Where a live quote with the same id is kept, that stays as it is, with
    /// its claim and its signature.
    ///
    /// # Errors
    /// [`StoreError::Full`] when no room is left, [`StoreError::ClientFull`] when what is left is for other clients; nothing is
    /// kept then.
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError>;

    /// Returns the quote while it is live: until its `must_accept_by`, and until its `good_until` once it is signed; `None` if it
    /// was never inserted, has expired or has lapsed. Changes nothing, and belongs to no client: the caller decides who may see
    /// it. The signature is not part of the result, since only [`claim`](Self::claim), [`record`](Self::record) and
    /// [`insert_signed`](Self::insert_signed) return one that may leave the service.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be asked.
    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<FoundQuote>, StoreError>;

    /// Binds the quote to `terms` if it is `client`'s and not bound to others, in one atomic step.
    ///
    /// The first terms stay, whether or not a signature ever follows: a claim is taken back by
    /// [`release`](Self::release) alone.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be asked; the claim may or may not have been made, and asking again with
    /// the same terms is safe.
    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError>;

    /// Takes back a claim on an unsigned quote, if it is for `terms`.
    ///
    /// Only for terms that can never be signed for this quote, by whomever they are asked: then no other attempt
    /// under the same claim can be on its way to a signature.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be asked.
    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError>;

    /// Records the signature of a claimed quote until its `good_until` and returns what stands on record: `signed`, or
    /// what an earlier attempt with the same terms recorded. Only what is returned may leave the service.
    ///
    /// # Errors
    /// [`StoreError::OtherTerms`] when the quote is bound to other terms, [`StoreError::Unclaimed`] when it is bound to
    /// none, [`StoreError::Full`] when no room is left.
    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError>;

    /// Records the signature of a quote that was never inserted because it was quoted and signed in one step; otherwise as
    /// [`record`](Self::record).
    ///
    /// # Errors
    /// [`StoreError::OtherTerms`] when the quote is bound to other terms, [`StoreError::Full`] and [`StoreError::ClientFull`] as
    /// [`insert`](Self::insert).
    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError>;

    /// Adds a trade to what was signed in the last minute for its pool and for its client there, unless a total would
    /// exceed its limit; in one atomic step. Where one limit refuses, nothing is added to either total.
    ///
    /// In no 60 seconds more than a limit is admitted, as long as the clocks of all replicas agree: where they are some
    /// seconds apart, the minute may be that much shorter. What was added is never taken back. Without any limit nothing
    /// is asked or kept.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be asked; the trade may be counted or not, and asking again may count it
    /// twice.
    async fn charge_volume(&self, spending: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError>;

    /// Whether the store has a clock of its own, and refuses to bind and record by one that is too far ahead of it.
    fn has_clock(&self) -> bool {
        false
    }

    /// Whether there is room for one more quote of `client`, as far as the store knows without being asked: what is made for
    /// a quote that is refused afterwards is made in vain.
    ///
    /// # Errors
    /// [`StoreError::Full`] and [`StoreError::ClientFull`].
    fn check_room(&self, _client: &Client, _now: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    /// How full the store is; `None` where another machine knows.
    fn occupancy(&self) -> Option<Occupancy> {
        None
    }

    /// Checks that the store would take a quote and a signature `now`, by its own clock too where it has one.
    ///
    /// # Errors
    /// [`StoreError::ClockSkew`] when the clocks differ by more than is allowed, another [`StoreError`] when the store does
    /// not answer or would not take them.
    async fn ping(&self, now: Timestamp) -> Result<(), StoreError>;
}

/// Which pools are paused, for all replicas that share it.
///
/// [`contract::check_pauses`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_pauses.html)
/// (feature `contract`) holds every implementation to what is written here. Nothing expires: a pool stays paused until it
/// is set otherwise. What a pause means, and what holds while the board cannot be asked, is decided by who asks.
#[async_trait]
pub trait PauseBoard: Send + Sync {
    /// Sets whether `pool` is paused; the last word stays. Setting it again to what it is, is no error.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the board could not be asked, or does not hold it yet as safely as it has to;
    /// it may be set or not, and setting it again is safe.
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError>;

    /// All pools that are paused.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the board could not be asked, [`StoreError::Unreadable`] when any part of it
    /// cannot be read: that may be a pause.
    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError>;

    /// Whether what is set is seen by other replicas.
    fn is_shared(&self) -> bool;

    /// Whether what is set is there after this process has ended.
    fn outlives_process(&self) -> bool {
        self.is_shared()
    }
}
