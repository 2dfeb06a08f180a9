//! Stores wrapped in a layer: the one place that forwards every call, for layers that measure, delay or fail some of
//! them.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use firmquote_domain::{
    Client, FirmLevels, Hedge, LevelsId, PoolId, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp,
};

use crate::{
    Actor, BookChange, BookUpdate, BookVersion, CommitOutcome, Commitment, EventCursor, EventPage, HedgeOutcome,
    LevelBudget, LevelsLookup, Occupancy, OpenOutcome, OperatorEntry, PausedPools, PoolSample, PrepareOutcome,
    QuoteRecord, Reservation, ReservationOutcome, Store, StoreError, SwapPage, SwapRange, Trip,
};

/// Passes every asynchronous call of a [`Store`] but [`Store::changed`] to `$then!`: the one list of them beside the trait, from
/// which forwarding is generated.
macro_rules! store_calls {
    ($then:ident) => {
        $then! {
            Insert insert(quote: &Quote, now: Timestamp) -> ();
            Find find(id: QuoteId, now: Timestamp) -> Option<QuoteRecord>;
            Open open(id: QuoteId, client: &Client, terms: &Terms, now: Timestamp) -> OpenOutcome;
            Prepare prepare(commitment: &Commitment<'_>, now: Timestamp) -> PrepareOutcome;
            Commit commit(commitment: &Commitment<'_>, signed: SignedQuote, now: Timestamp) -> CommitOutcome;
            SetOutcome set_outcome(swap: &SignedSwap, outcome: Option<SwapOutcome>, now: Timestamp) -> ();
            SignedSwaps signed_swaps(client: &Client, range: &SwapRange, now: Timestamp) -> SwapPage;
            ApplyChanges apply_changes(pool: PoolId, changes: &[BookChange], now: Timestamp) -> ();
            ChangesSince changes_since(pool: PoolId, version: Option<BookVersion>, now: Timestamp) -> BookUpdate;
            SigningDelaySeconds signing_delay_seconds(
                pool: PoolId, max_lifetime_seconds: u32, is_observed: bool, now: Timestamp
            ) -> u32;
            StoreLevels store_levels(levels: &FirmLevels, renewal: bool, now: Timestamp) -> bool;
            FindLevels find_levels(pool: PoolId, id: LevelsId, now: Timestamp) -> LevelsLookup;
            Reserve reserve(reservation: &Reservation<'_>, now: Timestamp) -> ReservationOutcome;
            SetReservedUntil set_reserved_until(
                budget: &LevelBudget, quote_id: QuoteId, until: Timestamp, now: Timestamp
            ) -> bool;
            SetPaused set_paused(pool: PoolId, is_paused: bool, entry: Option<&OperatorEntry>, now: Timestamp) -> ();
            SetRevoked set_revoked(credential: &str, is_revoked: bool, entry: Option<&OperatorEntry>) -> ();
            Paused paused() -> PausedPools;
            Trip trip(trip: &Trip, entry: Option<&OperatorEntry>) -> bool;
            EndTrip end_trip(trip: &Trip, entry: &OperatorEntry) -> bool;
            AppendEntry append_entry(entry: &OperatorEntry) -> ();
            StoreHedge store_hedge(hedge: &Hedge, actor: Option<&Actor>, now: Timestamp) -> HedgeOutcome;
            StoreSample store_sample(pool: PoolId, sample: &PoolSample) -> ();
            Samples samples(pool: PoolId, since: Timestamp) -> Vec<PoolSample>;
            Events events(after: Option<&EventCursor>, count: usize) -> EventPage;
            LeaseDeliveries lease_deliveries(dispatcher: &str) -> Option<BTreeMap<String, EventCursor>>;
            StoreDelivered store_delivered(dispatcher: &str, endpoint: &str, until: &EventCursor) -> bool;
            Estimates estimates() -> BTreeMap<String, String>;
            StoreEstimates store_estimates(estimates: &BTreeMap<String, String>, now: Timestamp) -> ();
            Ping ping(now: Timestamp) -> ();
        }
    };
}
#[cfg(feature = "redis")]
pub(crate) use store_calls;

macro_rules! enumerate {
    ($($call:ident $method:ident($($_argument:ident: $_type:ty),*) -> $_output:ty;)*) => {
        /// The calls of a [`Store`] that pass through a layer, each named after its method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the methods are documented")]
        pub enum StoreCall {
            $($call,)*
        }

        impl StoreCall {
            /// All calls, in the order of their declaration.
            pub const ALL: [Self; [$(Self::$call),*].len()] = [$(Self::$call),*];

            /// Returns the name of the method.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$call => stringify!($method),)*
                }
            }
        }
    };
}
store_calls!(enumerate);

/// Middleware around the asynchronous calls of a store.
pub trait StoreLayer: Send + Sync {
    /// Returns the result of `work`, the future of `call`. The store is not called before `work` is polled.
    ///
    /// # Errors
    /// Those of the call, and those of the layer.
    fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> impl Future<Output = Result<T, StoreError>> + Send;

    /// Whether other replicas use the store, of which the store itself says `is_shared`: a layer may connect them.
    fn is_shared(&self, is_shared: bool) -> bool {
        is_shared
    }
}

/// A function that runs before each call, and refuses it by returning an error.
impl<F: Fn(StoreCall) -> Result<(), StoreError> + Send + Sync> StoreLayer for F {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        self(call)?;
        work.await
    }
}

/// A store whose asynchronous calls pass through a layer; all others go straight to the store.
#[derive(Debug)]
pub struct LayeredStore<S: ?Sized, L> {
    /// The layer.
    pub layer: L,
    /// The store.
    pub store: Arc<S>,
}

macro_rules! pass_through_layer {
    ($($call:ident $method:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {
        #[async_trait]
        impl<S: Store + ?Sized, L: StoreLayer> Store for LayeredStore<S, L> {
            $(
                async fn $method(&self, $($argument: $type),*) -> Result<$output, StoreError> {
                    self.layer.around(StoreCall::$call, self.store.$method($($argument),*)).await
                }
            )*

            async fn changed(&self) {
                self.store.changed().await;
            }

            fn retains_pauses(&self) -> bool {
                self.store.retains_pauses()
            }

            fn is_shared(&self) -> bool {
                self.layer.is_shared(self.store.is_shared())
            }

            fn has_clock(&self) -> bool {
                self.store.has_clock()
            }

            fn check_capacity(&self, client: &Client, now: Timestamp) -> Result<(), StoreError> {
                self.store.check_capacity(client, now)
            }

            fn occupancy(&self) -> Option<Occupancy> {
                self.store.occupancy()
            }
        }
    };
}
store_calls!(pass_through_layer);
