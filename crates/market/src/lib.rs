//! Prices and reserves of pools, as one immutable snapshot that every quote reads without a lock.
#![doc = include_str!("../README.md")]

mod market;
mod prices;
mod snapshot;
mod sources;

pub use market::Market;
pub use prices::Observation;
pub use snapshot::{AssetState, PoolState, Snapshot};
pub use sources::{PriceListener, PriceSource, SourceError};
