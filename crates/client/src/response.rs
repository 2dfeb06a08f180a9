//! Responses with their metadata, and signed swaps with what only the request says about them.

use std::ops::Deref;

use alloy_primitives::Bytes;
use firmquote_api::{OffchainData, OnchainData, PoolData, QuotedSwap as QuotedSwapResponse};
use firmquote_domain::{Address, NativeSide, U256};
use firmquote_outbound::excerpt;

use crate::ResponseMeta;

/// The on-chain data of the requested pools.
pub type OnchainPools = Vec<OnchainData>;

/// The off-chain data of the requested pools.
pub type OffchainPools = Vec<OffchainData>;

/// All data of the requested pools, each from one instant.
pub type Pools = Vec<PoolData>;

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

/// A swap that the service has signed, for the pool contract to honor until `good_until`.
///
/// Its members are claims of the service. The client compares them with the quote or the request, as documented at each
/// method, but does not recover the signer and does not decode the calldata: a dishonest service may return the
/// signature of another account, or an arbitrary call. Before anything is approved or sent, verify both with
/// `firmquote-verify`, against a pool, tokens and a signer that do not come from the service.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedSwap {
    /// The response.
    pub response: firmquote_api::SignedSwap,
    /// Which side is native coin, as requested; responses do not contain it.
    pub native: NativeSide,
}

/// A swap that was quoted and signed in one step.
#[derive(Clone, Debug, PartialEq)]
pub struct QuotedSwap {
    /// The response, with the members of the quote.
    pub quote: QuotedSwapResponse,
    /// The signed swap.
    pub swap: SignedSwap,
}

/// A transaction, to be sent to the chain unchanged once the [swap](SignedSwap) is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The pool contract.
    pub to: Address,
    /// Wei to send along: the whole input if it is native coin, otherwise zero. Any excess would stay in the pool.
    pub value: U256,
    /// The calldata of the service.
    pub data: Bytes,
}

impl SignedSwap {
    /// Returns the transaction that executes the swap; `None` if no calldata was requested. If the input is a token, it
    /// must be in the pool beforehand or, with `transmit`, the pool needs an allowance for it.
    pub fn transaction(&self) -> Option<Transaction> {
        let value = match self.native {
            NativeSide::Input => self.input_amount.base_units(),
            NativeSide::Neither | NativeSide::Output => U256::ZERO,
        };
        let data = self.calldata.as_ref()?.0.clone();
        Some(Transaction { to: *self.service_exchange_address, value, data })
    }
}

impl Deref for SignedSwap {
    type Target = firmquote_api::SignedSwap;

    fn deref(&self) -> &firmquote_api::SignedSwap {
        &self.response
    }
}

impl QuotedSwap {
    pub(crate) fn new(quote: QuotedSwapResponse, native: NativeSide) -> Self {
        let swap = SignedSwap { response: quote.clone().into(), native };
        Self { quote, swap }
    }
}

/// The maximum length of response text that is passed on, in characters.
const MAX_TEXT_CHARS: usize = 300;

/// Reduces untrusted text to a form that is safe in a log: one line of bounded length.
pub(crate) fn one_line(text: &str) -> String {
    excerpt(text, MAX_TEXT_CHARS)
}
