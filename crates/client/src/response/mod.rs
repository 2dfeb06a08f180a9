//! Responses, each with every field of the wire format.

mod chains;
mod grid;
mod levels;
mod offchain;
mod onchain;
mod pool;
mod quote;
pub(crate) mod read;
mod signed;
mod status;

use std::ops::Deref;

pub(crate) use self::{
    chains::ChainsResponse,
    offchain::OffchainRecord,
    onchain::OnchainRecord,
    pool::{PoolList, PoolRecord},
    signed::SignObject,
};
pub use self::{
    chains::{Chain, TradedAsset, TradedPool},
    grid::{QuoteGrid, QuoteGridRow},
    levels::{LevelBook, LevelsSnapshot, WithdrawnLevels},
    offchain::{OffchainAsset, OffchainPool, OffchainPools, PairFee},
    onchain::{OnchainAsset, OnchainPool, OnchainPools},
    pool::{Pool, Pools},
    quote::Quote,
    signed::{QuoteSummary, QuotedSwap, SignedSwap, Transaction},
    status::{QuoteState, QuoteStatus, Settlement},
};
use crate::ResponseMeta;

/// A typed response, with its metadata and its body.
#[derive(Clone, Debug)]
pub struct Response<T> {
    /// The typed value.
    pub value: T,
    /// Request id and rate limit.
    pub meta: ResponseMeta,
    /// The body as received.
    pub text: String,
}

impl<T> Response<T> {
    /// Replaces the value with the result of `convert`.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Response<U> {
        Response { value: convert(self.value), meta: self.meta, text: self.text }
    }
}

impl<T> Deref for Response<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
