//! Prices and reserves of pools, as one immutable snapshot that every quote reads without a lock.
#![doc = include_str!("../README.md")]

#[cfg(feature = "chain")]
pub mod chain;
mod chain_rpc_config;
mod chainlink_config;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
#[cfg(any(feature = "chain", feature = "exchange", feature = "pyth"))]
mod invalid_config;
mod market;
mod prices;
mod sources;
mod volatility;
#[cfg(any(feature = "chain", feature = "exchange"))]
mod web_socket_config;
mod writer;

pub use self::{
    chain_rpc_config::ChainRpcConfig,
    chainlink_config::{ChainlinkConfig, ChainlinkFeed},
    market::{AssetState, Market, PoolState, Snapshot},
    prices::{
        Aggregation, AssetStatus, CompositePrice, Deviation, FeedInput, FeedStatus, LivePrice, Observation, PriceRules,
        Rejection, Rule, Trusted,
    },
    sources::{PriceListener, PriceSource, PriceUpdate, SourceError},
    volatility::{EstimateState, EstimatedVolatility, VolatilityEstimate, VolatilityParameters},
    writer::{MarketStatus, MarketWriter, PoolInputs, PoolStatus, PriceInput, ReserveInput, Reserves},
};
#[cfg(any(feature = "chain", feature = "exchange", feature = "pyth"))]
pub use crate::invalid_config::InvalidConfig;
#[cfg(any(feature = "exchange", feature = "pyth"))]
pub use crate::sources::PriceSourceSettings;
#[cfg(feature = "chain")]
pub use crate::sources::chainlink;
#[cfg(feature = "exchange")]
pub use crate::sources::exchange;
#[cfg(feature = "push")]
pub use crate::sources::push;
#[cfg(feature = "pyth")]
pub use crate::sources::pyth;

/// The user agent of outbound requests.
#[cfg(any(feature = "chain", feature = "pyth"))]
pub(crate) const USER_AGENT: &str = concat!("firmquote/", env!("CARGO_PKG_VERSION"));
