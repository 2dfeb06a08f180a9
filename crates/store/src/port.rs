//! The ports of this crate: the store of quotes, and that of the pools paused by an operator.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use firmquote_domain::{
    Client, Execution, PoolId, Quote, QuoteId, ReserveBounds, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp,
};

use crate::{ClaimOutcome, CommitOutcome, Commitment, StoreError, VolumeCharge, VolumeOutcome};

/// A quote, as stored, without its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteRecord {
    /// The quote as it was made.
    pub quote: Quote,
    /// The terms and time of its signature; `None` while it is unsigned.
    pub signed: Option<SigningRecord>,
    /// The outcome of the signed swap; `None` while it is open.
    pub outcome: Option<SwapOutcome>,
}

/// The terms and the time of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningRecord {
    /// The terms.
    pub terms: Terms,
    /// Whether execution is guaranteed to the taker.
    pub execution: Execution,
    /// The reserve bounds of the guarantee, if other swaps must be refused for it.
    pub guarantee: Option<Box<ReserveBounds>>,
    /// When it was signed.
    pub signed_at: Timestamp,
}

impl From<&SignedQuote> for SigningRecord {
    fn from(signed: &SignedQuote) -> Self {
        let SignedQuote { terms, execution, guarantee, signed_at, .. } = signed;
        Self { terms: *terms, execution: *execution, guarantee: guarantee.clone(), signed_at: *signed_at }
    }
}

/// The fill level of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Stored quotes, including signed ones and expired ones that are not removed yet.
    pub quotes: usize,
    /// The maximum number of quotes.
    pub capacity: usize,
}

/// A store of quotes until they expire, which binds each quote, once, to the terms it is signed for, across all
/// replicas that share the store.
///
/// [`contract::check`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check.html) (feature
/// `contract`) tests every implementation against this documentation. Every call takes the current time; only the
/// functions of the domain decide about expiry, whatever the store's own expiry has already removed.
#[async_trait]
pub trait QuoteStore: Send + Sync {
    /// Stores `quote` until its `must_accept_by`. A live quote stored under the same id stays unchanged, with its claim
    /// and its signature.
    ///
    /// # Errors
    /// [`StoreError::Full`] when no room is left, [`StoreError::ClientFull`] when the remaining room is reserved for
    /// other clients; nothing is stored in either case.
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError>;

    /// Returns the quote until its `must_accept_by` or, once it is signed, for as long after its `good_until` as the
    /// store is configured to retain it; `None` if it was never inserted, has expired or is forgotten. Changes nothing,
    /// and does not check the client: the caller decides who may see the quote. The signature is not part of the
    /// result, since only [`claim`](Self::claim), [`record`](Self::record) and [`insert_signed`](Self::insert_signed)
    /// return a signature that may leave the service.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError>;

    /// Binds the quote to `terms` if it belongs to `client` and is not bound to other terms, in one atomic step.
    ///
    /// The first terms stay, whether or not a signature ever follows: only [`release`](Self::release) removes a claim.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; the claim may or may not have been made, and retrying with
    /// the same terms is safe.
    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError>;

    /// Removes the claim of an unsigned quote, if it is for `terms`.
    ///
    /// Only for terms that can never be signed for this quote, whichever caller requests them: then no other attempt
    /// under the same claim can be about to produce a signature.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError>;

    /// Records the signature of a claimed quote for as long as [`find`](Self::find) returns the quote. Returns the
    /// recorded signature: `signed`, or that of an earlier attempt with the same terms. Only the returned signature may
    /// leave the service.
    ///
    /// # Errors
    /// [`StoreError::OtherTerms`] when the quote is bound to other terms, [`StoreError::Unclaimed`] when it is not
    /// bound to any, [`StoreError::Full`] when no room is left.
    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError>;

    /// Records the signature of a quote that was quoted and signed in one step, and therefore never inserted; otherwise
    /// like [`record`](Self::record).
    ///
    /// # Errors
    /// [`StoreError::OtherTerms`] when the quote is bound to other terms, [`StoreError::Full`] and
    /// [`StoreError::ClientFull`] as for [`insert`](Self::insert).
    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError>;

    /// Stores the outcome of a signed swap, or with `None` that it is open again after a reorganization; a new outcome
    /// is added to the ledger. It is retained as long as the quote.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; a retry is safe.
    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Adds a trade to the totals of the last minute of its pool and of its client at that pool, unless a total would
    /// exceed its limit, in one atomic step. If either limit is exceeded, neither total changes.
    ///
    /// No span of 60 seconds admits more than a limit while the clocks of all replicas agree; clock skew shortens the
    /// span by as much. Added volume is never subtracted again. Without any limit the store is neither
    /// queried nor changed.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; the trade may or may not be counted, and a retry may count
    /// it twice.
    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError>;

    /// Whether [`commit`](Self::commit) is available.
    fn supports_commit(&self) -> bool {
        false
    }

    /// Stores everything that a signature requires before it may leave the service, in one atomic step: see
    /// [`Commitment`]. Only where [`supports_commit`](Self::supports_commit), for signatures of keys in this process: a
    /// signature that is refused here is discarded.
    ///
    /// # Errors
    /// Those of [`claim`](Self::claim), [`charge_volume`](Self::charge_volume) and [`record`](Self::record);
    /// [`StoreError::Unavailable`] from a store without this operation.
    async fn commit(&self, _commitment: &Commitment<'_>, _now: Timestamp) -> Result<CommitOutcome, StoreError> {
        Err(StoreError::Unavailable("the store does not support atomic signing".into()))
    }

    /// Whether the store has a clock of its own, and refuses claims and records of a caller whose clock is too far
    /// ahead of it.
    fn has_clock(&self) -> bool {
        false
    }

    /// Checks for room for one more quote of `client`, without a round trip, so that no work is spent on a quote that
    /// the store would certainly refuse.
    ///
    /// # Errors
    /// [`StoreError::Full`] and [`StoreError::ClientFull`].
    fn check_capacity(&self, _client: &Client, _now: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns the fill level of the store; `None` if only another machine knows it.
    fn occupancy(&self) -> Option<Occupancy> {
        None
    }

    /// Checks that the store would accept a quote and a signature at `now`, also by its own clock if it has one.
    ///
    /// # Errors
    /// [`StoreError::ClockSkew`] when the clocks differ by more than the allowed skew, another [`StoreError`] when the
    /// store does not respond or would not accept them.
    async fn ping(&self, now: Timestamp) -> Result<(), StoreError>;
}

/// The paused pools of a store, read in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PausedPools {
    /// The pools.
    pub pools: BTreeSet<PoolId>,
    /// Changes whenever the store may have lost pauses; `None` for a store that loses none while it runs.
    pub generation: Option<[u8; 32]>,
}

/// The set of paused pools, for all replicas that share the store.
///
/// [`contract::check_pauses`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_pauses.html)
/// (feature `contract`) tests every implementation against this documentation. Nothing expires: a pool stays paused
/// until the pause is lifted. The caller decides what a pause means, and how to behave while the store cannot be
/// reached.
#[async_trait]
pub trait PauseStore: Send + Sync {
    /// Sets whether `pool` is paused; the last write wins. Setting the current value again is not an error.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the store could not be reached, or has not made the value as durable as
    /// configured; it may or may not be set, and setting it again is safe.
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError>;

    /// Returns all paused pools, and the generation of the store in which they are.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the store could not be reached, [`StoreError::Unreadable`] when any part of it
    /// cannot be read, since that part may be a pause.
    async fn paused(&self) -> Result<PausedPools, StoreError>;

    /// Whether other replicas see the pauses set here.
    fn is_shared(&self) -> bool;

    /// Whether pauses outlive this process.
    fn outlives_process(&self) -> bool {
        self.is_shared()
    }
}

/// What a process has estimated from prices, for its successor and, where the store is shared, for its replicas.
///
/// [`contract::check_estimates`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_estimates.html)
/// (feature `contract`) tests every implementation against this documentation. The caller decides what an estimate
/// says, and which of two is better. Estimates may be lost, for instance when the store is.
#[async_trait]
pub trait EstimateStore: Send + Sync {
    /// Returns the stored estimates by their names.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the store could not be reached.
    async fn estimates(&self) -> Result<BTreeMap<String, String>, StoreError>;

    /// Stores `estimates` by their names, which contain no blanks; the last write of a name wins. Estimates of other
    /// names may be dropped.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the store could not be reached.
    async fn store_estimates(&self, estimates: &BTreeMap<String, String>, now: Timestamp) -> Result<(), StoreError>;
}
