//! Following the reserves of one pool from block to block, and reading them at one.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use firmquote_domain::PoolId;
use tokio::time::{sleep, timeout};

use super::{
    PoolReserves, ReserveError, ReserveListener,
    history::{BlockOrder, History},
};
use crate::{
    SourceError,
    chain::{
        ChainRpc, Head, InvalidChainAccess, Node, NodeFault, Reading,
        abi::SwapPool::{allTokensBalanceCall, allTokensBalanceReturn},
        config::check_time,
    },
};

/// The least time between two looks, however fast nodes tell of blocks.
const MIN_INTERVAL: Duration = Duration::from_millis(20);

/// Tells the reserves of one pool at every new block.
///
/// The newest block is asked for in an interval, and when a node that is connected to by a WebSocket says that there is a
/// new one; a block that was told of costs nothing more. What was told of is
/// remembered from one [`run`](Self::run) to the next: reserves of a lower block are told only when the chain itself
/// has gone back, that is when the block, or its parent, is another one than was told of at that height, or when what
/// was told is too old to count as new.
pub struct ReserveSource {
    name: String,
    rpc: Arc<ChainRpc>,
    pool: PoolId,
    poll_interval: Duration,
    published: Mutex<PublishedBlocks>,
}

#[derive(Default)]
struct PublishedBlocks {
    history: History,
    /// Whether the listener heard of reserves last, not of an error, and in this run.
    is_current: bool,
}

impl ReserveSource {
    /// A source of what `pool` holds; asks nothing yet. A good interval is a part of the time between two blocks.
    ///
    /// # Errors
    /// [`InvalidChainAccess`] for a pool on another chain than that of `rpc`, and for an interval of zero or of more than
    /// a day.
    pub fn new(rpc: Arc<ChainRpc>, pool: PoolId, poll_interval: Duration) -> Result<Self, InvalidChainAccess> {
        check_time("poll interval", poll_interval)?;
        if pool.chain_id != rpc.chain_id() {
            return Err(InvalidChainAccess(format!("pool {pool} is not on chain {}", rpc.chain_id())));
        }
        let name = format!("reserves of {pool}, {rpc}");
        Ok(Self { name, rpc, pool, poll_interval, published: Mutex::default() })
    }

    /// What the source is, for people: the pool and the hosts of the nodes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells `listener` reserves until no node can be read from, which is told as well; whoever runs it starts it again
    /// after a pause. Each run tells the present reserves first. Dropping the future ends it.
    pub async fn run(&self, listener: &dyn ReserveListener) -> SourceError {
        self.published().is_current = false;
        self.rpc.survey().await;
        tokio::select! {
            error = self.follow(listener) => error,
            never = self.rpc.keep_surveying() => match never {},
        }
    }

    async fn follow(&self, listener: &dyn ReserveListener) -> SourceError {
        let mut news = self.rpc.news();
        loop {
            news.mark_unchanged();
            match self.rpc.read(self).await {
                Ok(Some(reserves)) => listener.receive(self.pool, Ok(reserves)),
                Ok(None) => {}
                Err(error) => {
                    self.published().is_current = false;
                    listener.receive(self.pool, Err(error.clone().into()));
                    return error.into();
                }
            }
            sleep(MIN_INTERVAL.min(self.poll_interval)).await;
            // Either is a reason to look: the time, or a node that says that there is something new.
            drop(timeout(self.poll_interval, news.changed()).await);
        }
    }

    /// Whether reserves at `head` would be told. A block that is too old by now holds back no other: else one node that
    /// once showed a height that does not exist would silence all others for ever.
    fn is_wanted(&self, head: &Head) -> Result<bool, NodeFault> {
        let published = self.published();
        if published
            .history
            .last()
            .is_some_and(|last| last.check_age(self.rpc.access(), self.rpc.clock().now()).is_err())
        {
            return Ok(true);
        }
        match published.history.judge(head) {
            BlockOrder::New => Ok(true),
            BlockOrder::Same => Ok(!published.is_current),
            BlockOrder::Lower(blocks) if blocks > self.rpc.access().max_lag_blocks => Err(NodeFault::Behind { blocks }),
            // Behind one address there are often several nodes, a block or two apart.
            BlockOrder::Lower(_) => Ok(false),
        }
    }

    /// Every change is whole, so one that panicked left nothing half done.
    fn published(&self) -> MutexGuard<'_, PublishedBlocks> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Reading for ReserveSource {
    /// `None` where nothing new is to be told.
    type Answer = Option<PoolReserves>;

    async fn read(&self, node: &Node, head: &Head) -> Result<Self::Answer, NodeFault> {
        if !self.is_wanted(head)? {
            return Ok(None);
        }
        let reserves = read(self.pool, node, head).await?;
        let mut published = self.published();
        published.history.take(head);
        published.is_current = true;
        Ok(Some(reserves))
    }
}

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
