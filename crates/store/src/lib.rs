//! Stores quotes until they expire, and binds each quote, once, to the terms it is signed for.
#![doc = include_str!("../README.md")]

#[cfg(feature = "archive")]
pub mod archive;
mod book;
mod breakers;
#[cfg(feature = "codec")]
pub mod codec;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod events;
mod layered;
pub mod ledger;
mod levels;
mod memory;
mod operator;
mod pauses;
mod records;
#[cfg(feature = "redis")]
pub mod redis;
mod signing;
mod state_files;
mod store;
mod volume;

/// Entry points of the fuzz targets; not part of any program.
#[cfg(all(any(test, fuzzing), feature = "redis"))]
pub mod fuzzing {
    pub use crate::redis::fuzzing::{certificates, stored};
}

pub use self::{
    book::{BookChange, BookUpdate, BookVersion, Booking, BookingRefusal, ClientFlows, OutstandingLimits},
    breakers::{Breaker, BreakerStep, PoolSample, Trip, TripKey},
    error::StoreError,
    events::{EventCursor, EventPage, EventPosition, EventStream, StreamEntry},
    layered::{LayeredStore, StoreCall, StoreLayer},
    levels::{LevelBudget, LevelsLookup, Reservation, ReservationOutcome},
    memory::{DEFAULT_STATUS_RETENTION_SECONDS, MemoryStore},
    operator::{Actor, ChangedKey, HedgeOutcome, OperatorEntry, OperatorEvent, hedge_of_line, read_hedges},
    pauses::PausedPools,
    records::{MAX_SWAPS_PER_PAGE, QuoteRecord, SigningRecord, SwapPage, SwapPosition, SwapRange},
    signing::{
        CommitOutcome, CommitRefusal, Commitment, OpenOutcome, PrepareOutcome, QuoteRefusal, ReservationExtension,
    },
    state_files::{NamedTextsFile, PauseFile, PauseFileState, SampleFile, replace_file},
    store::{DISPATCH_LEASE_SECONDS, HEDGE_RETENTION_SECONDS, Occupancy, Store},
    volume::{LimitExceeded, VolumeCharge, VolumeRefusal},
};
