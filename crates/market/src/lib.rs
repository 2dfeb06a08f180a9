//! Prices and reserves of pools, as one immutable snapshot that every quote reads without a lock.
#![doc = include_str!("../README.md")]

#[cfg(feature = "chain")]
pub mod chain;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod live;
mod market;
mod prices;
mod snapshot;
mod sources;
mod status;
mod volatility;

pub use live::{FixedPrice, LiveMarket, LivePool, PriceOrigin, ReserveOrigin, Reserves};
pub use market::Market;
pub use prices::{AssetStatus, Change, Choice, Distrust, FeedStatus, Observation, Panel, PriceRules, Rule, Trusted};
pub use snapshot::{AssetState, PoolState, Snapshot};
#[cfg(feature = "chain")]
pub use sources::chainlink;
#[cfg(feature = "exchange")]
pub use sources::exchange;
#[cfg(feature = "push")]
pub use sources::push;
#[cfg(feature = "pyth")]
pub use sources::pyth;
pub use sources::{PriceListener, PriceSource, SourceError};
pub use status::{MarketStatus, PoolStatus};
pub use volatility::{EstimatedVolatility, VolatilityEstimate, VolatilityRule};
