//! Checks that a response matches its request. A signed swap is sent to the chain unchanged, so no mismatch may pass.

use firmquote_api::{QuotedSwap, SignedSwap};
use firmquote_domain::U512;

use crate::{
    Address, Amount, ChainId, LevelBook, LevelsId, OffchainData, OnchainData, PoolData, PoolRequest, Quote, QuoteGrid,
    QuoteGridRequest, QuoteRequest, StateId, SwapAmount, SwapTerms,
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

impl From<&OnchainData> for ReturnedPool {
    fn from(OnchainData { pool, .. }: &OnchainData) -> Self {
        let state_id = pool.state_id.map(|id| *id);
        Self { chain_id: *pool.chain_id, address: *pool.address, state_id, time_in_seconds: None }
    }
}

impl From<&OffchainData> for ReturnedPool {
    fn from(OffchainData { pool, .. }: &OffchainData) -> Self {
        let (state_id, time_in_seconds) = (pool.state_id.map(|id| *id), Some(pool.time_in_seconds));
        Self { chain_id: *pool.chain_id, address: *pool.address, state_id, time_in_seconds }
    }
}

impl From<&PoolData> for ReturnedPool {
    fn from(PoolData { pool, .. }: &PoolData) -> Self {
        let (state_id, time_in_seconds) = (pool.state_id.map(|id| *id), Some(pool.time_in_seconds));
        Self { chain_id: *pool.chain_id, address: *pool.address, state_id, time_in_seconds }
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
    let swap = ReturnedSwap {
        chain_id: *quote.chain_id,
        input_amount: *quote.input_amount,
        output_amount: *quote.output_amount,
        pool_address: quote.pool_address.map(|address| *address),
        levels_id: quote.levels_id.map(|id| *id),
    };
    check_swap(request, &swap)
}

/// Checks that `quoted` is for the chain, the amount, the pool and the levels of `request`.
pub(crate) fn check_quoted_swap(request: &QuoteRequest, quoted: &QuotedSwap) -> Result<(), &'static str> {
    let swap = ReturnedSwap {
        chain_id: *quoted.chain_id,
        input_amount: *quoted.input_amount,
        output_amount: *quoted.output_amount,
        pool_address: Some(*quoted.service_exchange_address),
        levels_id: quoted.levels_id.map(|id| *id),
    };
    check_swap(request, &swap)
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
        SwapAmount::ExactInput(amount) => amount == swap.input_amount,
        SwapAmount::ExactOutput(amount) => amount == swap.output_amount,
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
    check(swap.expires_at.is_none_or(|second| *second == expires_at), "its expires_at is not that of good_until")?;
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

/// Checks that `grid` is that of `request`: its chain, pool, inputs and times.
pub(crate) fn check_grid(request: &QuoteGridRequest, grid: &QuoteGrid) -> Result<(), &'static str> {
    let times = grid.rows.iter().map(|row| row.time_in_seconds);
    let is_same = grid.chain_id == request.chain_id
        && request.pool_address.is_none_or(|pool| grid.pool_address == pool)
        && grid.input_amounts.iter().map(|amount| **amount).eq(request.inputs.iter().copied())
        && (request.times.is_empty() && grid.rows.len() == 1 || times.eq(request.times.iter().copied()))
        && grid.rows.iter().all(|row| row.output_amounts.len() == request.inputs.len());
    check(is_same, "it does not match the request")
}

/// Checks that the knots of `book` rise, and the price from knot to knot never does.
pub(crate) fn check_concave(book: &LevelBook) -> Result<(), &'static str> {
    let knots = book.knots();
    let steps = knots.iter().zip(knots.iter().skip(1)).map(|(from, to)| {
        let ([from_input, from_output], [to_input, to_output]) = (from.0, to.0);
        Some([to_input.checked_sub(from_input)?, to_output.checked_sub(from_output)?])
    });
    let steps = steps.collect::<Option<Vec<_>>>().filter(|_| !knots.is_empty());
    let wide = |amount: Amount| U512::from(amount.base_units());
    let is_lower = |([width, rise], [next_width, next_rise]): (&[Amount; 2], &[Amount; 2])| {
        wide(*next_rise) * wide(*width) <= wide(*rise) * wide(*next_width)
    };
    let is_concave = steps.is_some_and(|steps| steps.iter().zip(steps.iter().skip(1)).all(is_lower));
    check(is_concave, "prices within a book must not rise")
}

fn check(holds: bool, error: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(error) }
}
