//! The nodes of a chain, tried in order of health until one of them responds correctly.

use std::{fmt, ptr, sync::Arc};

use async_trait::async_trait;
use firmquote_domain::{ChainId, Clock};
use futures_util::future::join_all;
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use super::{
    ChainError, ChainRpcConfig, Head, Node, NodeFailure, NodeFault, contract_call::SimulationOverrides, url::NodeUrl,
};
use crate::InvalidConfig;

/// A set of calls to one node, all at one block.
#[async_trait]
pub(crate) trait ChainQuery: Sync {
    /// The result of the reading.
    type Output: Send;

    /// Reads from `node` at `head`, the newest block of that node.
    async fn read(&self, node: &Node, head: &Head) -> Result<Self::Output, NodeFault>;
}

/// The nodes of one chain, with failover between them.
///
/// A reading goes to the first node in order of preference that is in good standing. The node first has to show its
/// newest block, and to report its chain unless that block continues the one it showed before. If anything fails, the
/// node is ranked behind the others for the cooldown and the whole reading is repeated with the next one, so a result
/// is never combined from two nodes, except that events of old blocks are kept for the next reading as long as the hash
/// of a later block is the same. Failed nodes are tried last, rate-limiting nodes not at all.
pub struct ChainRpc {
    config: ChainRpcConfig,
    nodes: Vec<Node>,
    clock: Arc<dyn Clock>,
    surveyed_at: Mutex<Option<Instant>>,
    new_heads: watch::Sender<u64>,
}

impl ChainRpc {
    /// Creates the nodes without connecting to them.
    ///
    /// # Errors
    /// [`InvalidConfig`] for an unusable configuration.
    pub fn new(config: ChainRpcConfig, clock: Arc<dyn Clock>) -> Result<Self, InvalidConfig> {
        config.check()?;
        let nodes = config.urls.iter().enumerate();
        let new_heads = watch::Sender::default();
        let nodes = nodes.map(|(position, url)| Node::new(&config, NodeUrl::parse(url, position)?, &new_heads));
        let nodes = nodes.collect::<Result<_, _>>()?;
        Ok(Self { config, nodes, clock, surveyed_at: Mutex::default(), new_heads })
    }

    /// Returns the chain that the nodes must be on.
    pub const fn chain_id(&self) -> ChainId {
        self.config.chain_id
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub(super) const fn config(&self) -> &ChainRpcConfig {
        &self.config
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns a counter that changes whenever a node announces a new block over a WebSocket.
    pub(crate) fn new_heads(&self) -> watch::Receiver<u64> {
        self.new_heads.subscribe()
    }

    /// Reads from the first node that can be read.
    pub(crate) async fn read<R: ChainQuery>(&self, query: &R) -> Result<R::Output, ChainError> {
        let mut failed: Vec<(&Node, NodeFault)> = Vec::new();
        for node in self.nodes_by_rank() {
            match self.read_from(node, query).await {
                Ok(answer) => {
                    // The contract works: the nodes that reported it as failing are at fault.
                    let faulty = failed.iter().filter(|(_, fault)| matches!(fault, NodeFault::Contract(_)));
                    faulty.for_each(|(node, _)| node.health.lock().deprioritize(Instant::now(), self.config.cooldown));
                    return Ok(answer);
                }
                Err(fault) => failed.push((node, fault)),
            }
        }
        let failures = failed.into_iter().map(|(node, fault)| NodeFailure { node: node.to_string(), fault });
        Err(ChainError::from_failures(failures.collect()))
    }

    /// Surveys the nodes, and then runs `reading` with further surveys beside it. Concurrent callers together survey
    /// once per interval.
    pub(crate) async fn run_with_surveys<T>(&self, reading: impl Future<Output = T>) -> T {
        self.survey().await;
        let surveys = async {
            loop {
                sleep(self.config.survey_interval).await;
                self.survey().await;
            }
        };
        tokio::select! {
            output = reading => output,
            never = surveys => never,
        }
    }

    /// Reads from every node in good standing at its newest block, to detect those that have fallen behind. Does
    /// nothing with a single node, or if the last survey is more recent than the interval.
    async fn survey(&self) {
        if self.nodes.len() > 1 && self.is_survey_due() {
            let now = Instant::now();
            let healthy = self.nodes.iter().filter(|node| {
                let health = node.health.lock();
                health.rank(now).is_none() && health.rate_limit_seconds(now).is_none()
            });
            join_all(healthy.map(|node| self.read_from(node, &Survey))).await;
        }
    }

    /// Reads from `node`, and records whether that succeeded.
    pub(super) async fn read_from<R: ChainQuery>(&self, node: &Node, query: &R) -> Result<R::Output, NodeFault> {
        if let Some(seconds) = node.health.lock().rate_limit_seconds(Instant::now()) {
            return Err(NodeFault::RateLimited { seconds });
        }
        let reading = async {
            let head = self.head(node).await?;
            Ok((query.read(node, &head).await?, head))
        };
        match reading.await {
            Ok((answer, head)) => {
                node.health.lock().record_success(&head);
                Ok(answer)
            }
            Err(fault) => {
                node.health.lock().record_failure(&fault, Instant::now(), self.config.cooldown);
                Err(fault)
            }
        }
    }

    /// Returns the newest block of `node`, if it is on the configured chain and new enough.
    async fn head(&self, node: &Node) -> Result<Head, NodeFault> {
        let head = node.head().await?;
        let is_on_chain = node.health.lock().is_on_chain(&head);
        if !is_on_chain {
            let actual = node.chain_id().await?;
            if actual != self.config.chain_id.get() {
                return Err(NodeFault::WrongChain { actual });
            }
        }
        head.check_age(&self.config, self.clock.now())?;
        node.health.lock().set_confirmed_head(&head);
        head.check_lag(&self.config, self.highest_block_of_others(node))?;
        Ok(head)
    }

    /// Returns the highest block at which another node than `node` was read and that still counts as new.
    fn highest_block_of_others(&self, node: &Node) -> u64 {
        let now = self.clock.now();
        let others = self.nodes.iter().filter(|other| !ptr::eq(*other, node));
        others
            .filter_map(|other| other.health.lock().highest_block(self.config.max_age_seconds, now))
            .max()
            .unwrap_or_default()
    }

    fn nodes_by_rank(&self) -> Vec<&Node> {
        let now = Instant::now();
        let mut nodes: Vec<&Node> = self.nodes.iter().collect();
        nodes.sort_by_cached_key(|node| node.health.lock().rank(now));
        nodes
    }

    fn is_survey_due(&self) -> bool {
        let mut surveyed_at = self.surveyed_at.lock();
        let is_due = surveyed_at.is_none_or(|at| at.elapsed() >= self.config.survey_interval);
        if is_due {
            *surveyed_at = Some(Instant::now());
        }
        is_due
    }
}

/// A call without a contract: a node may report a block at which it cannot be read, which must not count against the
/// others.
struct Survey;

#[async_trait]
impl ChainQuery for Survey {
    type Output = ();

    async fn read(&self, node: &Node, head: &Head) -> Result<(), NodeFault> {
        node.check_execution(head, SimulationOverrides::default()).await
    }
}

impl fmt::Display for ChainRpc {
    /// Writes the chain, and host and port of each node.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes: Vec<String> = self.nodes.iter().map(ToString::to_string).collect();
        write!(f, "chain {} at {}", self.config.chain_id, nodes.join(", "))
    }
}
