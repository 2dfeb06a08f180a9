//! Errors of nodes. Those of a call name its method and what it asks for. Their texts contain host and port at most,
//! never a whole address or a key.

use std::fmt;

use crate::SourceError;

/// Why a node could not be used; one variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeFault {
    /// The node could not be reached, closed the connection, or responded with an unexpected HTTP status.
    #[error("{0}")]
    Disconnected(String),
    /// The node did not respond in time.
    #[error("{call}: no response within {millis} ms")]
    Timeout {
        /// The method, and what it asks for.
        call: String,
        /// The time limit, in milliseconds.
        millis: u128,
    },
    /// The node rate limits us (HTTP 429, or an equivalent JSON-RPC error), and is not queried for that time.
    #[error("rate limited for {seconds} s")]
    RateLimited {
        /// The time to wait, in seconds.
        seconds: u64,
    },
    /// The node responded with a JSON-RPC error that does not come from the contract.
    #[error("{call}: error {code}: {message}")]
    Refused {
        /// The method, and what it asks for.
        call: String,
        /// The code of the error.
        code: i64,
        /// Its message, shortened.
        message: String,
    },
    /// The response violates the protocol, or repeats a part of the node's address.
    #[error("{0}")]
    Malformed(String),
    /// The response is longer than any that is needed.
    #[error("{call}: its response has more than {max_bytes} bytes")]
    TooLong {
        /// The method, and what it asks for.
        call: String,
        /// The limit, in bytes.
        max_bytes: usize,
    },
    /// The node is on another chain.
    #[error("is on chain {actual}")]
    WrongChain {
        /// The chain id that the node reports.
        actual: u64,
    },
    /// The node's newest block is too far behind the highest block at which another node was read.
    #[error("is {blocks} blocks behind")]
    Behind {
        /// The lag, in blocks.
        blocks: u64,
    },
    /// The node's newest block is too old.
    #[error("its newest block is {seconds} s old")]
    Old {
        /// The age of the block, in seconds.
        seconds: u64,
    },
    /// The node's newest block is in the future: one of the clocks is wrong.
    #[error("its newest block is {seconds} s ahead of the clock")]
    Ahead {
        /// How far the block is ahead of the clock, in seconds.
        seconds: u64,
    },
    /// The chain was reorganized while the node was read. The node is not blamed for that.
    #[error("it changed to another branch while its events were read")]
    Reorganized,
    /// The contract reverts, does not exist, or returns data of the wrong shape. The node is not blamed for that,
    /// unless another node can read the same contract.
    #[error("the contract {0}")]
    Contract(String),
}

/// The failure of one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFailure {
    /// Host and port of the node.
    pub node: String,
    /// The fault of the node.
    pub fault: NodeFault,
}

impl fmt::Display for NodeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.node, self.fault)
    }
}

/// Why no node of a chain could be read; one variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// Every node rate limits us.
    #[error("rate limited by every node, by the first for {seconds} s")]
    RateLimited {
        /// The time until the first of them can be queried again, in seconds.
        seconds: u64,
    },
    /// No node could be read; one failure per node.
    #[error("{}", in_one_line(.0))]
    NoNode(Vec<NodeFailure>),
}

impl ChainError {
    pub(super) fn from_failures(failures: Vec<NodeFailure>) -> Self {
        let delays = failures.iter().map(|failure| match failure.fault {
            NodeFault::RateLimited { seconds } => Some(seconds),
            _ => None,
        });
        let soonest = delays.collect::<Option<Vec<_>>>().and_then(|delays| delays.into_iter().min());
        soonest.map_or(Self::NoNode(failures), |seconds| Self::RateLimited { seconds })
    }

    /// Returns what is wrong with the contract, if every node reports that the contract is what failed.
    pub(super) fn contract_fault(&self) -> Option<&str> {
        let mut reasons = self.contract_reasons();
        reasons.next().flatten().filter(|_| reasons.all(|reason| reason.is_some()))
    }

    /// Whether any node reports that the contract is what failed.
    pub(crate) fn has_contract_fault(&self) -> bool {
        self.contract_reasons().any(|reason| reason.is_some())
    }

    /// Returns what is wrong with the contract according to each node, if that is what failed.
    fn contract_reasons(&self) -> impl Iterator<Item = Option<&str>> {
        let failures = match self {
            Self::NoNode(failures) => failures.as_slice(),
            Self::RateLimited { .. } => &[],
        };
        failures.iter().map(|failure| match &failure.fault {
            NodeFault::Contract(reason) => Some(reason.as_str()),
            _ => None,
        })
    }
}

impl From<ChainError> for SourceError {
    /// Maps an unusable chain to [`SourceError::Disconnected`], to be retried soon, unless every node rate limits or
    /// every fault is one that does not resolve by itself ([`SourceError::Protocol`]).
    fn from(error: ChainError) -> Self {
        let failures = match &error {
            ChainError::RateLimited { seconds } => return Self::RateLimited { seconds: *seconds },
            ChainError::NoNode(failures) => failures,
        };
        let is_final = |fault: &NodeFault| matches!(fault, NodeFault::WrongChain { .. } | NodeFault::Contract(_));
        if failures.iter().all(|failure| is_final(&failure.fault)) {
            return Self::Protocol { reason: error.to_string() };
        }
        Self::Disconnected(Box::new(error))
    }
}

fn in_one_line(failures: &[NodeFailure]) -> String {
    failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(faults: &[NodeFault]) -> ChainError {
        ChainError::from_failures(
            faults.iter().map(|fault| NodeFailure { node: "node.example".to_owned(), fault: fault.clone() }).collect(),
        )
    }

    fn timeout(millis: u128) -> NodeFault {
        NodeFault::Timeout { call: "eth_chainId".to_owned(), millis }
    }

    #[test]
    fn a_chain_is_busy_only_when_every_node_is() {
        let busy = |seconds| NodeFault::RateLimited { seconds };
        assert_eq!(error(&[busy(9), busy(5)]), ChainError::RateLimited { seconds: 5 });
        assert!(matches!(error(&[busy(9), timeout(1)]), ChainError::NoNode(_)));
    }

    #[test]
    fn only_permanent_faults_end_a_source() {
        let contract = NodeFault::Contract("reverts".to_owned());
        let other = NodeFault::WrongChain { actual: 5 };
        let late = timeout(250);
        assert!(matches!(error(&[contract.clone(), other]).into(), SourceError::Protocol { .. }));
        let gone = SourceError::from(error(&[contract.clone(), late]));
        assert!(matches!(gone, SourceError::Disconnected(_)));
        assert_eq!(
            gone.to_string(),
            "node.example: the contract reverts; node.example: eth_chainId: no response within 250 ms",
            "each node with its own reason"
        );
    }

    #[test]
    fn a_contract_is_at_fault_only_when_every_node_says_so() {
        let contract = NodeFault::Contract("reverts".to_owned());
        let late = timeout(250);
        for (faults, all, any) in [
            (vec![contract.clone()], Some("reverts"), true),
            (vec![contract.clone(), contract.clone()], Some("reverts"), true),
            (vec![contract.clone(), late.clone()], None, true),
            (vec![late.clone(), contract], None, true),
            (vec![late], None, false),
            (vec![NodeFault::RateLimited { seconds: 1 }], None, false),
        ] {
            let error = error(&faults);
            assert_eq!((error.contract_fault(), error.has_contract_fault()), (all, any), "{faults:?}");
        }
    }
}
