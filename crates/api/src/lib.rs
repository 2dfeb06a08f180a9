//! The HTTP interface as types: each response, error and level message once, for the server that writes them and for
//! the clients that read them. Requests are not here: the server collects every invalid input of a request, which a
//! deserializer cannot.
//!
//! Members are in the JSON notation of their domain type ([`Notation`]). Optional members are of three kinds:
//!
//! - absent from earlier releases: always sent, `None` only when read from an older server (`#[serde(default)]`);
//! - absent unless requested: skipped if `None`;
//! - always sent, `null` possible.
//!
//! Unknown members are ignored, so that clients accept the responses of later releases. The feature `schema` derives an
//! OpenAPI schema of each type, whose descriptions are the comments here.
#![doc = include_str!("../README.md")]

mod chains;
mod error;
mod events;
mod grid;
mod json;
mod levels;
mod notation;
mod operator;
mod pools;
mod quote;
mod reason;
mod signed_swap;
mod status;
mod swaps;

pub use chains::{Chain, Chains, TradedAsset, TradedPool};
pub use error::{ErrorObject, InvalidInput, Step};
pub use events::{QuoteEvent, QuoteEventKind, StreamNotice, StreamNoticeKind};
pub use grid::{QuoteGrid, QuoteGridRow};
pub use json::{Json, Notation};
pub use levels::{
    Goodbye, HEARTBEAT_INTERVAL, Heartbeat, Hello, LevelBook, LevelsSnapshot, MessageHead, Renew, SnapshotEnd,
    Withdraw, WithdrawnLevels,
};
pub use notation::{
    AddressText, AmountText, Band, BandText, BaseUnits, BasisPointsNumber, Bytes32, CalldataText, ChainIdNumber,
    DecimalsNumber, DisplayNumber, ExecutionName, GoodUntilText, Knot, LevelsIdText, PoolConstantNumber, PriceNumber,
    QuoteIdText, SignatureObject, StateIdText, SymbolPair, SymbolText, UnixSecondsNumber, UsdNumber, UtcTime,
    WeightNumber,
};
pub use operator::{
    AcceptedPrices, CredentialState, Health, Pauses, PoolPause, Readiness, ReadinessPart, ReadinessParts, RecordedHedge,
};
pub use pools::{
    AllPools, OffchainAsset, OffchainData, OffchainPool, OffchainPools, OnchainAsset, OnchainData, OnchainPool,
    OnchainPools, PairFee, Pool, PoolAsset, PoolData, PoolResponse, PoolType, Pools, PoolsResponse, SigningDomain,
};
pub use quote::Quote;
pub use reason::{ErrorType, Reaction, Reason};
pub use signed_swap::{QuotedSwap, SignedSwap};
pub use status::{QuoteState, QuoteStatus, Settlement};
pub use swaps::{Swap, Swaps};
