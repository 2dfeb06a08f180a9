//! A client for pool data, firm quotes and signatures of a Firmquote server.
//!
//! A [`Client`] pools its connections and is cheap to clone. Every response is typed: amounts are integers of base
//! units, prices and k keep all their digits, and a response that does not match its request is an error.
//! [`Error::reaction`] returns what to do about an error. No credential ever appears in `Debug`, in an error or in a
//! response, redirects are not followed, and nothing here logs, reads the environment or a wall clock, or sends a
//! transaction.
#![doc = include_str!("../README.md")]

mod client;
mod credential;
mod error;
mod events;
mod executor;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod levels;
mod parse;
mod refusal;
mod request;
mod response;
mod response_meta;
mod route;
mod settings;
mod stream;
mod transport;
mod validate;

pub use alloy_primitives::Bytes;
pub use firmquote_api as api;
pub use firmquote_api::{
    Chain, ErrorType, Json, LevelBook, LevelsSnapshot, OffchainAsset, OffchainData, OffchainPool, OnchainAsset,
    OnchainData, OnchainPool, PairFee, Pool, PoolAsset, PoolData, Quote, QuoteEvent, QuoteEventKind, QuoteGrid,
    QuoteGridRow, QuoteState, QuoteStatus, Reason, Settlement, Swap, Swaps, TradedAsset, TradedPool, WithdrawnLevels,
};
pub use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Decimals, Execution, GoodUntil, InvalidValue, LevelsId, NativeSide,
    PoolConstant, Price, QuoteId, Signature, StateId, SwapAmount, Symbol, Timestamp, U256, UnixSeconds, Usd, Weight,
    parse_address,
};

pub use self::{
    client::Client,
    credential::{Credential, Secret},
    error::{Error, InvalidSettings},
    events::{EventsChange, QuoteEvents},
    levels::{Levels, LevelsChange},
    parse::{ParseError, parse_offchain_pools, parse_onchain_pools, parse_pools, parse_signed_swap},
    refusal::{Bounds, Conflict, InvalidField, Reaction, Refusal},
    request::{LevelsRequest, PoolRequest, QuoteGridRequest, QuoteRequest, SignRequest, SwapTerms, SwapsRequest},
    response::{OffchainPools, OnchainPools, Pools, QuotedSwap, Response, SignedSwap, Transaction},
    response_meta::{RateLimit, ResponseMeta},
    settings::ClientSettings,
};
