//! Keeps quotes until they expire, and binds each to the terms it is signed for, once.
#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
pub mod contract;
mod error;
mod memory;
mod port;

pub use error::StoreError;
pub use memory::MemoryStore;
pub use port::{Claim, QuoteStore};
