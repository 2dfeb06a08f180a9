//! Reads all feeds of a chain at an interval.

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use firmquote_domain::{Address, InvalidValue, Timestamp};
use futures_util::future::{try_join, try_join_all};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use super::{
    ChainlinkConfig,
    round::{Aggregator, AnswerBounds, BoundedAggregator, Round},
};
use crate::{
    InvalidConfig, PriceListener, PriceSource, SourceError,
    chain::{ChainError, ChainQuery, ChainRpc, Head, Node, NodeFault},
};

/// The bounds of an aggregator, if it has any, and when they were read.
type ReadBounds = (Option<AnswerBounds>, Instant);

/// A source of the prices of Chainlink feeds, all read at one block of one node.
///
/// Each interval publishes every feed again, even if unchanged, to confirm that its price is current. A feed whose
/// answer is not a price, or that misses its heartbeat, is published as invalid. An answer of an earlier round than the
/// one published before, as from a node that is a block behind, is not published until that later round has missed its
/// heartbeat.
pub struct ChainlinkSource {
    name: String,
    rpc: Arc<ChainRpc>,
    config: ChainlinkConfig,
    /// The newest round of each feed that was a valid price.
    newest: Mutex<Vec<Option<LatestRound>>>,
    /// The bounds of the aggregator behind each feed, by contract and phase, and when they were read.
    bounds: Mutex<HashMap<(Address, u128), ReadBounds>>,
}

#[derive(Clone, Copy)]
struct LatestRound {
    round_id: u128,
    /// The time until which no earlier round is published.
    expires_at: Timestamp,
}

impl ChainlinkSource {
    /// Creates a source for the feeds without querying anything.
    ///
    /// # Errors
    /// [`InvalidConfig`] for no feeds, an asset with two of them, and numbers outside their bounds.
    pub fn new(rpc: Arc<ChainRpc>, config: ChainlinkConfig) -> Result<Self, InvalidConfig> {
        config.check()?;
        let newest = Mutex::new(vec![None; config.feeds.len()]);
        Ok(Self { name: format!("chainlink, {rpc}"), rpc, config, newest, bounds: Mutex::default() })
    }

    async fn follow(&self, listener: &dyn PriceListener) -> SourceError {
        loop {
            match self.read().await {
                Ok(rounds) => self.publish(&rounds, listener),
                Err(error) => return error.into(),
            }
            sleep(self.config.poll_interval).await;
        }
    }

    /// Reads every feed. A contract that no node can read as a feed does not prevent reading the others.
    async fn read(&self) -> Result<Vec<Result<Round, InvalidValue>>, ChainError> {
        let query = |skips_contract_faults| FeedsQuery { source: self, skips_contract_faults };
        match self.rpc.read(&query(false)).await {
            Err(error) if error.has_contract_fault() => self.rpc.read(&query(true)).await,
            rounds => rounds,
        }
    }

    fn publish(&self, rounds: &[Result<Round, InvalidValue>], listener: &dyn PriceListener) {
        let now = self.rpc.clock().now();
        let mut updates = Vec::new();
        for ((feed, round), newest) in self.config.feeds.iter().zip(rounds).zip(self.newest.lock().iter_mut()) {
            match round {
                Ok(round) if newest.is_some_and(|newest| round.id < newest.round_id && now <= newest.expires_at) => {}
                Ok(round) => {
                    let update = round.observation(feed, self.config.clock_tolerance_seconds, now);
                    if let (Ok(_), Some(expires_at)) = (&update, round.expires_at(feed)) {
                        *newest = Some(LatestRound { round_id: round.id, expires_at });
                    }
                    updates.push((&feed.symbol, update));
                }
                Err(error) => updates.push((&feed.symbol, Err(*error))),
            }
        }
        listener.receive(&updates);
    }
}

#[async_trait]
impl PriceSource for ChainlinkSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        self.rpc.run_with_surveys(self.follow(listener)).await
    }
}

/// A reading of all feeds.
struct FeedsQuery<'s> {
    source: &'s ChainlinkSource,
    /// Whether the other feeds are returned if a contract is not a feed.
    skips_contract_faults: bool,
}

#[async_trait]
impl ChainQuery for FeedsQuery<'_> {
    /// One round for each feed; an error if its contract is not a feed.
    type Output = Vec<Result<Round, InvalidValue>>;

    async fn read(&self, node: &Node, head: &Head) -> Result<Self::Output, NodeFault> {
        let rounds = self.source.config.feeds.iter().map(|feed| async move {
            match self.source.read_feed(feed.aggregator, node, head).await {
                Err(NodeFault::Contract(_)) if self.skips_contract_faults => {
                    Ok(Err(InvalidValue::Malformed { expected: "an answer of a Chainlink feed" }))
                }
                round => round.map(Ok),
            }
        });
        try_join_all(rounds).await
    }
}

impl ChainlinkSource {
    /// Reads the newest round of a feed. Its decimals are read at the same block of the same node: they change with the
    /// aggregator behind a proxy, and decimals that another node once returned would make the price wrong by powers of
    /// ten.
    async fn read_feed(&self, feed: Address, node: &Node, head: &Head) -> Result<Round, NodeFault> {
        let (round, decimals) = (Aggregator::latestRoundDataCall {}, Aggregator::decimalsCall {});
        let (data, decimals) =
            try_join(node.call_contract(feed, &round, head), node.call_contract(feed, &decimals, head)).await?;
        let bounds = self.bounds(feed, data.roundId.to::<u128>() >> PHASE_SHIFT, node, head).await?;
        Ok(Round::new(&data, decimals, bounds))
    }

    /// Returns the bounds of the aggregator behind a feed. They are those of its phase, but read again after a while: a
    /// node may have been wrong.
    async fn bounds(
        &self,
        feed: Address,
        phase: u128,
        node: &Node,
        head: &Head,
    ) -> Result<Option<AnswerBounds>, NodeFault> {
        if let Some((bounds, read_at)) = self.bounds.lock().get(&(feed, phase))
            && read_at.elapsed() < BOUNDS_LIFETIME
        {
            return Ok(*bounds);
        }
        let bounds = read_bounds(feed, node, head).await?;
        self.bounds.lock().insert((feed, phase), (bounds, Instant::now()));
        Ok(bounds)
    }
}

/// How long the bounds of an aggregator are used.
const BOUNDS_LIFETIME: Duration = Duration::from_mins(10);

/// The position of the phase in the number of a round.
const PHASE_SHIFT: u32 = 64;

/// Reads the bounds of the aggregator behind a feed; `None` if it is none or has none.
async fn read_bounds(feed: Address, node: &Node, head: &Head) -> Result<Option<AnswerBounds>, NodeFault> {
    let Some(aggregator) = optional(node.call_contract(feed, &Aggregator::aggregatorCall {}, head).await)? else {
        return Ok(None);
    };
    let (min, max) = (BoundedAggregator::minAnswerCall {}, BoundedAggregator::maxAnswerCall {});
    let min = optional(node.call_contract(aggregator, &min, head).await)?;
    let max = optional(node.call_contract(aggregator, &max, head).await)?;
    Ok(min.zip(max).map(|(min, max)| [i128::try_from(min).ok(), i128::try_from(max).ok()]))
}

/// Returns `None` for a function that the contract does not have.
fn optional<T>(result: Result<T, NodeFault>) -> Result<Option<T>, NodeFault> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(NodeFault::Contract(_)) => Ok(None),
        Err(fault) => Err(fault),
    }
}
