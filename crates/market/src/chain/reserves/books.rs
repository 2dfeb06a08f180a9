//! Reading the books of a pool at one block.

use std::collections::HashSet;

use async_trait::async_trait;
use firmquote_domain::PoolId;

use super::{PoolReserves, ReserveError};
use crate::chain::{
    ChainRpc, Head, Node, NodeFault, Reading,
    abi::SwapPool::{allTokensBalanceCall, allTokensBalanceReturn},
};

/// What `pool` holds at the newest block of the first node that can be read from.
///
/// # Errors
/// [`ReserveError::Unavailable`] if no node can be read, and [`ReserveError::Contract`] for a contract that is no pool.
pub async fn read_reserves(rpc: &ChainRpc, pool: PoolId) -> Result<PoolReserves, ReserveError> {
    Ok(rpc.read(&Books(pool)).await?)
}

/// What the books of `pool` say at `head`.
pub(super) async fn read(pool: PoolId, node: &Node, head: &Head) -> Result<PoolReserves, NodeFault> {
    reserves(node.read(pool.address, &allTokensBalanceCall {}, head).await?, head)
}

/// What `books` say, if every token has one balance.
pub(in crate::chain) fn reserves(books: allTokensBalanceReturn, head: &Head) -> Result<PoolReserves, NodeFault> {
    if books.tokens.len() != books.balances.len() {
        return Err(NodeFault::Contract("has more tokens than balances, or fewer".to_owned()));
    }
    let mut tokens = HashSet::new();
    if !books.tokens.iter().all(|token| tokens.insert(token)) {
        return Err(NodeFault::Contract("has a token twice".to_owned()));
    }
    Ok(PoolReserves {
        block_number: head.number,
        block_time: head.time,
        balances: books.tokens.into_iter().zip(books.balances).collect(),
        pool_tokens: books.totalSupply,
    })
}

struct Books(PoolId);

#[async_trait]
impl Reading for Books {
    type Answer = PoolReserves;

    async fn read(&self, node: &Node, head: &Head) -> Result<PoolReserves, NodeFault> {
        read(self.0, node, head).await
    }
}
