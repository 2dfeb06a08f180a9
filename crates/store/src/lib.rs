//! Stores quotes until they expire, and binds each quote, once, to the terms it is signed for.
#![doc = include_str!("../README.md")]

mod book;
#[cfg(feature = "contract")]
pub mod contract;
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
mod port;
#[cfg(feature = "redis")]
pub mod redis;
mod signing;
mod volume;

/// Entry points of the fuzz targets; not part of any program.
#[cfg(all(any(test, fuzzing), feature = "redis"))]
pub mod fuzzing {
    pub use crate::redis::fuzzing::{certificates, stored};
}

pub use self::{
    book::{
        BookChange, BookStore, BookUpdate, BookVersion, Booking, BookingOutcome, BookingRefusal, ClientFlows,
        OutstandingLimits,
    },
    error::StoreError,
    layered::{LayeredStore, StoreCall, StoreLayer},
    levels::{LevelBudget, LevelStore, LevelsLookup, Reservation, ReservationOutcome},
    memory::{DEFAULT_STATUS_RETENTION_SECONDS, MemoryStore},
    port::{EstimateStore, Occupancy, PauseStore, PausedPools, QuoteRecord, QuoteStore, SigningRecord},
    signing::{ClaimOutcome, ClaimRefusal, CommitOutcome, Commitment},
    volume::{LimitExceeded, VolumeCharge, VolumeOutcome, VolumeRefusal},
};
#[cfg(feature = "ledger-file")]
pub use crate::estimate_file::EstimateFile;
#[cfg(feature = "ledger-file")]
pub use crate::pause_file::{PauseFile, PauseFileState};
