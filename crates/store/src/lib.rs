//! Stores quotes until they expire, and binds each quote, once, to the terms it is signed for.
#![doc = include_str!("../README.md")]

mod book;
#[cfg(feature = "codec")]
pub mod codec;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
#[cfg(feature = "ledger-file")]
mod estimate_file;
#[cfg(feature = "ledger-file")]
mod files;
mod layered;
#[cfg(any(feature = "ledger-file", feature = "redis"))]
pub mod ledger;
mod levels;
mod memory;
#[cfg(feature = "ledger-file")]
mod pause_file;
#[cfg(feature = "redis")]
pub mod redis;
mod signing;
mod store;
mod swap_history;
mod volume;

/// Entry points of the fuzz targets; not part of any program.
#[cfg(all(any(test, fuzzing), feature = "redis"))]
pub mod fuzzing {
    pub use crate::redis::fuzzing::{certificates, stored};
}

pub use self::{
    book::{BookChange, BookUpdate, BookVersion, Booking, BookingRefusal, ClientFlows, OutstandingLimits},
    error::StoreError,
    layered::{LayeredStore, StoreCall, StoreLayer},
    levels::{LevelBudget, LevelsLookup, Reservation, ReservationOutcome},
    memory::{DEFAULT_STATUS_RETENTION_SECONDS, MemoryStore},
    signing::{
        CommitOutcome, CommitRefusal, Commitment, OpenOutcome, PrepareOutcome, QuoteRefusal, ReservationExtension,
    },
    store::{Occupancy, PausedPools, QuoteRecord, SigningRecord, Store},
    swap_history::{MAX_SWAPS_PER_PAGE, SwapPage, SwapPosition, SwapRange},
    volume::{LimitExceeded, VolumeCharge, VolumeRefusal},
};
#[cfg(feature = "ledger-file")]
pub use crate::estimate_file::EstimateFile;
#[cfg(feature = "ledger-file")]
pub use crate::pause_file::{PauseFile, PauseFileState};
