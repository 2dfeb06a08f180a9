//! Follows the reserves of one pool from block to block, or reads them once.

use std::{collections::HashSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use firmquote_domain::PoolId;
use parking_lot::Mutex;
use tokio::time::{sleep, timeout};

use super::{
    PoolReserves, ReserveError, ReserveListener,
    history::{BlockOrder, History},
};
use crate::{
    InvalidConfig, SourceError,
    chain::{
        ChainQuery, ChainRpc, Head, Node, NodeFault,
        contract_call::SwapPool::{allTokensBalanceCall, allTokensBalanceReturn},
        logs::{self, LogCache},
    },
    chain_rpc_config::check_time,
};

/// The minimum time between two readings, however fast nodes announce blocks.
const MIN_INTERVAL: Duration = Duration::from_millis(20);

/// A source that publishes the reserves of one pool at every new block.
///
/// The newest block is queried at an interval, and when a node announces a block over a WebSocket; a block that was
/// already published costs no further call. Published blocks are remembered from one [`run`](Self::run) to the next:
/// reserves of a lower block are published only after a reorganization, that is if the block or its parent differs from
/// the one published at that height, or if the last published block is too old to count as new.
pub struct ReserveSource {
    name: String,
    rpc: Arc<ChainRpc>,
    pool: PoolId,
    poll_interval: Duration,
    published: Mutex<PublishedBlocks>,
    logs: LogCache,
}

#[derive(Default)]
struct PublishedBlocks {
    history: History,
    /// Whether the last update in this run was reserves, not an error.
    is_current: bool,
}

impl ReserveSource {
    /// Creates a source for `pool` without querying anything. A good interval is a fraction of the time between two
    /// blocks.
    ///
    /// # Errors
    /// [`InvalidConfig`] for a pool on another chain than that of `rpc`, and for an interval of zero or of more
    /// than a day.
    pub fn new(rpc: Arc<ChainRpc>, pool: PoolId, poll_interval: Duration) -> Result<Self, InvalidConfig> {
        check_time("poll interval", poll_interval)?;
        if pool.chain_id != rpc.chain_id() {
            return Err(InvalidConfig(format!("pool {pool} is not on chain {}", rpc.chain_id())));
        }
        let name = format!("reserves of {pool}, {rpc}");
        Ok(Self { name, rpc, pool, poll_interval, published: Mutex::default(), logs: LogCache::default() })
    }

    /// Returns the display name of the source: the pool and the hosts of the nodes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Publishes reserves to `listener` until no node can be read, which is reported to it as well; the caller restarts
    /// it after a delay. Each run first publishes the current reserves. Dropping the future stops it.
    pub async fn run(&self, listener: &dyn ReserveListener) -> SourceError {
        self.published.lock().is_current = false;
        self.rpc.run_with_surveys(self.follow(listener)).await
    }

    async fn follow(&self, listener: &dyn ReserveListener) -> SourceError {
        let mut new_heads = self.rpc.new_heads();
        loop {
            new_heads.mark_unchanged();
            match self.rpc.read(&ReservesQuery { source: self, listener }).await {
                Ok(Some(reserves)) => listener.receive(self.pool, Ok(reserves)),
                Ok(None) => {}
                Err(error) => {
                    self.published.lock().is_current = false;
                    listener.receive(self.pool, Err(error.clone().into()));
                    return error.into();
                }
            }
            sleep(MIN_INTERVAL.min(self.poll_interval)).await;
            // Either the interval has passed, or a node has announced a block.
            drop(timeout(self.poll_interval, new_heads.changed()).await);
        }
    }

    /// Returns whether reserves at `head` are to be published. A published block that is too old by now no longer holds
    /// back others: otherwise one node that once showed a nonexistent height would silence all others forever.
    fn should_publish(&self, head: &Head) -> Result<bool, NodeFault> {
        let published = self.published.lock();
        if published
            .history
            .last()
            .is_some_and(|last| last.check_age(self.rpc.config(), self.rpc.clock().now()).is_err())
        {
            return Ok(true);
        }
        match published.history.compare(head) {
            BlockOrder::New => Ok(true),
            BlockOrder::Same => Ok(!published.is_current),
            BlockOrder::Lower(blocks) if blocks > self.rpc.config().max_lag_blocks => Err(NodeFault::Behind { blocks }),
            // There are often several nodes behind one address, a block or two apart.
            BlockOrder::Lower(_) => Ok(false),
        }
    }
}

/// A reading of the reserves and of the events that the listener requests with them.
struct ReservesQuery<'a> {
    source: &'a ReserveSource,
    listener: &'a dyn ReserveListener,
}

#[async_trait]
impl ChainQuery for ReservesQuery<'_> {
    /// `None` if there is nothing new to publish.
    type Output = Option<PoolReserves>;

    async fn read(&self, node: &Node, head: &Head) -> Result<Self::Output, NodeFault> {
        let Self { source, listener } = self;
        if !source.should_publish(head)? {
            return Ok(None);
        }
        let mut reserves = read_balances(source.pool, node, head).await?;
        if let Some(requested) = listener.requested_events(source.pool, (head.number, head.time)) {
            reserves.events = Some(logs::read(node, source.pool.address, &requested, head, &source.logs).await?);
        }
        let mut published = source.published.lock();
        published.history.record(head);
        // The same block is read again until the events of all blocks are confirmed.
        published.is_current = reserves.events.as_ref().is_none_or(|events| events.is_confirmed);
        Ok(Some(reserves))
    }
}

/// Reads the reserves of `pool` at the newest block of the first node that can be read.
///
/// # Errors
/// [`ReserveError::Unavailable`] if no node can be read, and [`ReserveError::Contract`] if the contract is not a pool.
pub async fn read_reserves(rpc: &ChainRpc, pool: PoolId) -> Result<PoolReserves, ReserveError> {
    Ok(rpc.read(&BalancesQuery(pool)).await?)
}

/// Reads what the contract accounts for each token of `pool` at `head`.
pub(super) async fn read_balances(pool: PoolId, node: &Node, head: &Head) -> Result<PoolReserves, NodeFault> {
    reserves_from_balances(node.call_contract(pool.address, &allTokensBalanceCall {}, head).await?, head)
}

/// Converts `balances` to reserves, if every token has one balance.
pub(in crate::chain) fn reserves_from_balances(
    balances: allTokensBalanceReturn,
    head: &Head,
) -> Result<PoolReserves, NodeFault> {
    if balances.tokens.len() != balances.balances.len() {
        return Err(NodeFault::Contract("returns different numbers of tokens and balances".to_owned()));
    }
    let mut tokens = HashSet::new();
    if !balances.tokens.iter().all(|token| tokens.insert(token)) {
        return Err(NodeFault::Contract("has a token twice".to_owned()));
    }
    Ok(PoolReserves {
        block_number: head.number,
        block_hash: head.hash,
        block_time: head.time,
        balances: balances.tokens.into_iter().zip(balances.balances).collect(),
        pool_tokens: balances.totalSupply,
        events: None,
    })
}

struct BalancesQuery(PoolId);

#[async_trait]
impl ChainQuery for BalancesQuery {
    type Output = PoolReserves;

    async fn read(&self, node: &Node, head: &Head) -> Result<PoolReserves, NodeFault> {
        read_balances(self.0, node, head).await
    }
}
