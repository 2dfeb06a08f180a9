//! Prices and reserves of pools, as one immutable snapshot that every quote reads without a lock.
#![doc = include_str!("../README.md")]

mod market;
mod snapshot;

pub use market::Market;
pub use snapshot::{AssetState, PoolState, Snapshot};
