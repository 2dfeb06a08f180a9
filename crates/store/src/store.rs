//! The port of this crate: one store for the quotes, books, firm levels, pauses and estimates of a service.

use std::collections::BTreeMap;

use async_trait::async_trait;
use firmquote_domain::{
    Client, FirmLevels, Hedge, LevelsId, PoolId, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp,
};

use crate::{
    Actor, BookChange, BookUpdate, BookVersion, CommitOutcome, Commitment, EventCursor, EventPage, HedgeOutcome,
    LevelBudget, LevelsLookup, OpenOutcome, OperatorEntry, PausedPools, PoolSample, PrepareOutcome, QuoteRecord,
    Reservation, ReservationOutcome, StoreError, SwapPage, SwapRange, Trip,
};

/// How long a dispatcher of webhooks holds its lease.
pub const DISPATCH_LEASE_SECONDS: u32 = 10;

/// How long the id of a hedge is retained, so that a repeated report is recognized.
pub const HEDGE_RETENTION_SECONDS: u32 = 7 * 86_400;

fn no_events() -> StoreError {
    StoreError::Unavailable("it keeps no events".into())
}

/// The fill level of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Stored quotes, including signed ones and expired ones that are not removed yet.
    pub quotes: usize,
    /// The maximum number of quotes.
    pub capacity: usize,
}

/// What the replicas of a service share: quotes until they expire, each bound once to the terms it is signed for; the
/// books of the pools; firm levels and their usage by clients; pauses; and estimates.
///
/// [`conformance::check`](https://docs.rs/firmquote-store/latest/firmquote_store/conformance/fn.check.html) (feature
/// `conformance`) tests every implementation against this documentation. Calls take the current time; only the functions
/// of the domain decide about expiry, whatever the store's own expiry has already removed.
///
/// A call fails with a [`StoreError`] when the store could not be reached or has not made a write as durable as
/// configured: what it writes may or may not be stored then, and calling again with the same arguments is safe.
///
/// # Signing
///
/// ```text
/// open -> (checks by the caller) -> prepare, if the signature takes long -> (sign) -> commit
/// ```
///
/// Only [`open`](Self::open), [`prepare`](Self::prepare) and [`commit`](Self::commit) return a signature that may leave
/// the service.
///
/// # Books
///
/// A swap lapses by the clock 60 seconds after the end of its validity, or a day after it if it was checked against the
/// reserves of a block. A lapsed swap is released as long after its end as it was outstanding, and removed as long
/// after the clock would have let it lapse: see [`SignedSwap::deadlines`]. All other changes are up to the callers.
///
/// # Pauses
///
/// Nothing expires: a pool stays paused until the pause is lifted. The caller decides what a pause means for quotes, and
/// how to behave while the store cannot be reached; no signature of a paused pool is committed. The same holds for the
/// trips of breakers, of which some pause the pool.
#[async_trait]
pub trait Store: Send + Sync {
    /// Stores `quote` until its `must_accept_by`. A live quote stored under the same id stays unchanged, with its claim
    /// and its signature.
    ///
    /// # Errors
    /// [`StoreError::Full`] when no room is left, [`StoreError::ClientFull`] when the remaining room is reserved for
    /// other clients; nothing is stored in either case.
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError>;

    /// Returns the quote until its `must_accept_by` or, once it is signed, for as long after its `good_until` as the
    /// store is configured to retain it; `None` if it was never inserted, has expired or is forgotten. Changes nothing,
    /// and does not check the client: the caller decides who may see the quote.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError>;

    /// Returns the quote of `client` for a signature for `terms`, or the signature that is on record for them. Changes
    /// nothing. A store may answer from the quotes that this process inserted: then another replica may have signed the
    /// quote, which [`prepare`](Self::prepare) and [`commit`](Self::commit) find out, as does the next call.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn open(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<OpenOutcome, StoreError>;

    /// Checks, in one atomic step, everything that [`commit`](Self::commit) checks, and binds a stored quote to its
    /// terms, so that no other terms are signed meanwhile. Changes nothing else, and nothing at all if it refuses.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn prepare(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<PrepareOutcome, StoreError>;

    /// Stores everything that the signature requires before it may leave the service, in one atomic step: the entry in
    /// the book, the volume, the reservation of firm levels, the record and the entry in the ledger. Refuses, and then
    /// changes nothing, in this order: while the pool is paused (what was admitted before may still be released); once the quote can no longer be accepted; for a quote
    /// that is unknown, of another client, or bound to other terms; without a reservation; for what the book refuses
    /// ([`Booking`](crate::Booking)); for exceeded volume.
    ///
    /// A signature that is on record for the same terms is returned instead of `signed`. A swap that is in the book
    /// already stays as it is; for other terms it is refused as an equal offer is, since a signature for the first may be
    /// on its way. No span of 60 seconds admits more than a limit of the volume while the clocks of all replicas agree;
    /// clock skew shortens the span by as much.
    ///
    /// A failure may leave claim, volume, entry and a line in the ledger without a record: too much is counted, which is
    /// safe. A store whose volumes do not outlive its process counts none from before its start.
    ///
    /// # Errors
    /// [`StoreError::Full`] and [`StoreError::ClientFull`] for a quote that is not stored; [`StoreError::Ledger`];
    /// [`StoreError`] when the store could not be reached.
    async fn commit(
        &self,
        commitment: &Commitment<'_>,
        signed: SignedQuote,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError>;

    /// Stores the outcome of a signed swap, or with `None` that it is open again after a reorganization; a new outcome
    /// is added to the ledger. It is retained as long as the quote.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Returns the signed swaps of a named client within `range`, in the order of their signatures, for as long as
    /// [`find`](Self::find) returns them; nothing for the anonymous client, who is many. A replica whose clock is behind
    /// may add a swap before those that were returned already.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn signed_swaps(&self, client: &Client, range: &SwapRange, now: Timestamp) -> Result<SwapPage, StoreError>;

    /// Applies changes to the book of `pool`, at most one for each swap, in any order: settled, lapsed and reorganized
    /// swaps, and those that the store lost. Changes that are in the book already are skipped.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; some changes may be applied.
    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError>;

    /// Returns the changes of the book of `pool` since `version`; the whole book without one, and when the store no
    /// longer has all changes since then.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError>;

    /// Waits until a book may have changed since the last call; forever if only this process changes books. For one
    /// caller at a time.
    async fn changed(&self) {
        std::future::pending().await
    }

    /// Returns the seconds until swaps of `pool` are entered again: until nothing that was signed before the store lost
    /// data, or before the process started, can be executed any more. Zero if nothing may be missing. `is_observed` is
    /// whether the contract of the pool is observed, `max_lifetime_seconds` how long its signatures last at most.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn signing_delay_seconds(
        &self,
        _pool: PoolId,
        _max_lifetime_seconds: u32,
        _is_observed: bool,
        _now: Timestamp,
    ) -> Result<u32, StoreError> {
        Ok(0)
    }

    /// Stores firm levels until they expire; only then may they be published. Returns `false`, and stores nothing, for a
    /// `renewal` of levels that the store has lost.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError>;

    /// Returns the levels of an id in a pool.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError>;

    /// Reserves an input for a quote in the budget of its client, in one atomic step; replaces an earlier reservation
    /// of the quote. All levels of a pool and direction share one usage figure per client, so that several of them
    /// promise no more than one.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError>;

    /// Sets the time until which the reserved input of a quote counts; a past time releases it. Returns `false` if the
    /// quote no longer has a reservation.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Sets whether `pool` is paused; the last write wins. Setting the current value again is not an error. Resuming also
    /// ends the trips of the pool's breakers and removes its samples. The `entry` is appended to the operator's stream.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached. A store in memory whose pause took effect returns an error if
    /// its files do not have the pause or the entry.
    async fn set_paused(
        &self,
        pool: PoolId,
        is_paused: bool,
        entry: Option<&OperatorEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Sets whether the credential of this id, which contains no blanks, is revoked; the last write wins. The `entry` is
    /// appended to the operator's stream.
    ///
    /// # Errors
    /// Those of [`set_paused`](Self::set_paused).
    async fn set_revoked(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), StoreError>;

    /// Returns all paused pools, trips and revoked credentials, and the generation of the store in which they are.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached, [`StoreError::Unreadable`] when any part of them cannot be
    /// read, since that part may be a pause.
    async fn paused(&self) -> Result<PausedPools, StoreError>;

    /// Puts `trip` into effect, in one atomic step with the pause of its pool if it is one, and with `entry` in the
    /// operator's stream. Returns `false`, and appends nothing, if a trip that goes as far is in effect for its key.
    ///
    /// # Errors
    /// Those of [`set_paused`](Self::set_paused).
    async fn trip(&self, trip: &Trip, entry: Option<&OperatorEntry>) -> Result<bool, StoreError>;

    /// Ends `trip`, and appends `entry` to the operator's stream. Returns `false`, and changes nothing, if it is not the
    /// one in effect for its key.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn end_trip(&self, trip: &Trip, entry: &OperatorEntry) -> Result<bool, StoreError>;

    /// Appends an entry to the operator's stream; returns once it is as durable as a signature. A store that keeps no
    /// ledger keeps no such stream either.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError>;

    /// Appends `hedge`, which `actor` reported, to the operator's stream, unless one of its id was appended within
    /// [`HEDGE_RETENTION_SECONDS`] at least; returns once it is as durable as a signature.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached, or keeps no operator's stream.
    async fn store_hedge(
        &self,
        _hedge: &Hedge,
        _actor: Option<&Actor>,
        _now: Timestamp,
    ) -> Result<HedgeOutcome, StoreError> {
        Err(no_events())
    }

    /// Stores a sample of `pool`, at most one for each [`PoolSample::INTERVAL_SECONDS`], for
    /// [`PoolSample::RETENTION_SECONDS`]; one that is stored already stays.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn store_sample(&self, pool: PoolId, sample: &PoolSample) -> Result<(), StoreError>;

    /// Returns the samples of `pool` from `since` on, in the order of the times of their blocks.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached, [`StoreError::Unreadable`] for a sample that cannot be read.
    async fn samples(&self, pool: PoolId, since: Timestamp) -> Result<Vec<PoolSample>, StoreError>;

    /// Whether pauses outlive this process.
    fn retains_pauses(&self) -> bool {
        self.is_shared()
    }

    /// Returns what processes have estimated from prices, by name, for their successors and other replicas. The caller
    /// decides what an estimate says, and which of two is better. Estimates may be lost.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn estimates(&self) -> Result<BTreeMap<String, String>, StoreError>;

    /// Stores `estimates` by their names, which contain no blanks; the last write of a name wins. Estimates of other
    /// names may be dropped.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn store_estimates(&self, estimates: &BTreeMap<String, String>, now: Timestamp) -> Result<(), StoreError>;

    /// Returns at most `count` entries of the ledger and as many of the operator's stream that were added after `after`; with
    /// `None`, only the cursor after the last ones. A signature is in the ledger before it leaves the service.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached, or keeps neither.
    async fn events(&self, _after: Option<&EventCursor>, _count: usize) -> Result<EventPage, StoreError> {
        Err(no_events())
    }

    /// Takes the lease of the one dispatcher of webhooks for [`DISPATCH_LEASE_SECONDS`], or keeps it, unless another
    /// dispatcher holds it. Returns the position of each endpoint by its name; `None` while another one holds it.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached, or keeps no events.
    async fn lease_deliveries(&self, _dispatcher: &str) -> Result<Option<BTreeMap<String, EventCursor>>, StoreError> {
        Err(no_events())
    }

    /// Stores up to which event an endpoint, whose name contains no blanks, has received all. Returns whether `dispatcher`
    /// holds the lease; nothing changes otherwise.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached, or keeps no events.
    async fn store_delivered(
        &self,
        _dispatcher: &str,
        _endpoint: &str,
        _until: &EventCursor,
    ) -> Result<bool, StoreError> {
        Err(no_events())
    }

    /// Whether other replicas use the same store.
    fn is_shared(&self) -> bool;

    /// Whether the store has a clock of its own, and refuses commitments of a caller whose clock is too far ahead of it.
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
