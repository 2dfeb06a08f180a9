//! Checks that a response matches its request. A signed swap is sent to the chain unchanged, so no mismatch may pass.

use crate::{
    Address, Amount, ChainId, FixedAmount, LevelsId, OffchainPool, OnchainPool, Pool, PoolRequest, Quote, QuoteRequest,
    QuotedSwap, SignedSwap, StateId, SwapTerms,
};

/// The members of pool data that are compared with the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReturnedPool {
    chain_id: ChainId,
    address: Address,
    state_id: Option<StateId>,
    /// `None` for on-chain data, which has no fees.
    time_in_seconds: Option<u32>,
}

impl ReturnedPool {
    pub(crate) const fn from_onchain(pool: &OnchainPool) -> Self {
        let OnchainPool { chain_id, address, state_id, .. } = *pool;
        Self { chain_id, address, state_id, time_in_seconds: None }
    }

    pub(crate) const fn from_offchain(pool: &OffchainPool) -> Self {
        let OffchainPool { chain_id, address, state_id, time_in_seconds, .. } = *pool;
        Self { chain_id, address, state_id, time_in_seconds: Some(time_in_seconds) }
    }

    pub(crate) const fn from_pool(pool: &Pool) -> Self {
        Self::from_offchain(&pool.offchain)
    }
}

/// Checks that there are `pools`, since a chain without any is refused, and that they match the chain of `request`, and
/// its pool, state and time if it has them.
pub(crate) fn check_pools(request: &PoolRequest, pools: &[ReturnedPool]) -> Result<(), &'static str> {
    let is_single = request.pool_address.is_some() || request.state_id.is_some();
    check(!is_single || pools.len() == 1, "expected exactly one pool")?;
    check(!pools.is_empty(), "it has no pool")?;
    for pool in pools {
        let is_same_time =
            request.time_in_seconds.is_none_or(|time| pool.time_in_seconds.is_none_or(|returned| returned == time));
        check(pool.chain_id == request.chain_id, "chain_id differs from the request")?;
        check(
            request.pool_address.is_none_or(|address| address == pool.address),
            "pool_address differs from the request",
        )?;
        check(request.state_id.is_none() || request.state_id == pool.state_id, "state_id differs from the request")?;
        check(is_same_time, "time_in_seconds differs from the request")?;
    }
    Ok(())
}

/// Checks that `quote` is for the chain, the amount, the pool and the levels of `request`.
pub(crate) fn check_quote(request: &QuoteRequest, quote: &Quote) -> Result<(), &'static str> {
    let Quote { chain_id, input_amount, output_amount, pool_address, levels_id, .. } = *quote;
    check_swap(request, &ReturnedSwap { chain_id, input_amount, output_amount, pool_address, levels_id })
}

/// Checks that `quoted` is for the chain, the amount, the pool and the levels of `request`.
pub(crate) fn check_quoted_swap(request: &QuoteRequest, quoted: &QuotedSwap) -> Result<(), &'static str> {
    let SignedSwap { chain_id, input_amount, output_amount, service_exchange_address, .. } = quoted.swap;
    let (pool_address, levels_id) = (Some(service_exchange_address), quoted.quote.levels_id);
    check_swap(request, &ReturnedSwap { chain_id, input_amount, output_amount, pool_address, levels_id })
}

/// The members of a quote, signed or not, that are compared with the request.
struct ReturnedSwap {
    chain_id: ChainId,
    input_amount: Amount,
    output_amount: Amount,
    pool_address: Option<Address>,
    levels_id: Option<LevelsId>,
}

fn check_swap(request: &QuoteRequest, swap: &ReturnedSwap) -> Result<(), &'static str> {
    let is_same_amount = match request.amount {
        FixedAmount::Input(amount) => amount == swap.input_amount,
        FixedAmount::Output(amount) => amount == swap.output_amount,
    };
    let is_same_pool = request.pool_address.is_none_or(|pool| swap.pool_address == Some(pool));
    check(swap.chain_id == request.chain_id, "chain_id differs from the request")?;
    check(is_same_amount, "it is for another amount")?;
    check(is_same_pool, "pool_address differs from the request")?;
    check(request.levels_id == swap.levels_id, "levels_id differs from the request")
}

/// Checks that `swap` is signed for the parts of `terms` that the response reveals.
pub(crate) fn check_terms(terms: &SwapTerms, swap: &SignedSwap) -> Result<(), &'static str> {
    let expires_at = swap.good_until.expires_at();
    check(swap.destination_address == terms.destination, "it pays to another destination")?;
    check(swap.expires_at.is_none_or(|second| second == expires_at), "its expires_at is not that of good_until")?;
    check(swap.calldata.is_some() == terms.calldata, "it has unrequested calldata, or lacks requested calldata")
}

/// Checks that `swap` has the terms of `quote`, and its pool if it names one.
pub(crate) fn check_matches_quote(quote: &Quote, swap: &SignedSwap) -> Result<(), &'static str> {
    let is_same = (quote.chain_id, quote.input_asset_address, quote.output_asset_address)
        == (swap.chain_id, swap.input_asset_address, swap.output_asset_address)
        && (quote.input_amount, quote.output_amount) == (swap.input_amount, swap.output_amount)
        && quote.good_until == swap.good_until.expires_at()
        && quote.pool_address.is_none_or(|pool| pool == swap.service_exchange_address);
    check(is_same, "the swap differs from the quote")
}

/// Checks that `fresh` may replace `quote`: the same chain, pool and tokens, and one of the two amounts, since a
/// quote does not say which one was requested.
pub(crate) fn check_fresh_quote(quote: &Quote, fresh: &Quote) -> Result<(), &'static str> {
    let is_same_swap = (quote.chain_id, quote.pool_address, quote.input_asset_address, quote.output_asset_address)
        == (fresh.chain_id, fresh.pool_address, fresh.input_asset_address, fresh.output_asset_address);
    let is_same_amount = quote.input_amount == fresh.input_amount || quote.output_amount == fresh.output_amount;
    check(is_same_swap, "it is for another swap")?;
    check(is_same_amount, "it is for another amount")
}

fn check(holds: bool, error: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(error) }
}
