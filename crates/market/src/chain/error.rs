//! What can be wrong with nodes, in words that hold no address and no key.

use std::fmt;

use crate::SourceError;

/// Why an answer of a node is of no use; a variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeFault {
    /// It could not be reached, closed the connection, or answered with another HTTP status than 200.
    #[error("{0}")]
    Gone(String),
    /// It did not answer in time.
    #[error("no answer within {millis} ms")]
    Late {
        /// The time it had, in milliseconds.
        millis: u128,
    },
    /// It asks to be left alone for a while (HTTP 429, or an error that says the same), and is.
    #[error("asks to be left alone for {seconds} s")]
    Busy {
        /// How long, in seconds.
        seconds: u64,
    },
    /// It answers with an error of JSON-RPC that is not the contract's.
    #[error("error {code}: {message}")]
    Refused {
        /// The code of the error.
        code: i64,
        /// Its message, shortened.
        message: String,
    },
    /// It answers what JSON-RPC does not know.
    #[error("{0}")]
    Malformed(String),
    /// It is on another chain.
    #[error("is on chain {says}")]
    OtherChain {
        /// The chain id that it tells.
        says: u64,
    },
    /// Its newest block is too far behind the highest that was shown.
    #[error("is {blocks} blocks behind")]
    Behind {
        /// How far, in blocks.
        blocks: u64,
    },
    /// Its newest block is too old.
    #[error("its newest block is {seconds} s old")]
    Old {
        /// How old, in seconds.
        seconds: u64,
    },
    /// Its newest block is in the future: one of the clocks is wrong.
    #[error("its newest block is {seconds} s ahead of the clock")]
    Ahead {
        /// How far, in seconds.
        seconds: u64,
    },
    /// The contract reverts, is not there, or answers what such a contract does not. Not held against the node, unless
    /// another one reads the same contract.
    #[error("the contract {0}")]
    Contract(String),
}

/// What was wrong with one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeFailure {
    /// Host and port of the node.
    pub node: String,
    /// What was wrong.
    pub fault: NodeFault,
}

impl fmt::Display for NodeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.node, self.fault)
    }
}

/// Why nothing could be read from any node of a chain; a variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// Every node asks to be left alone.
    #[error("every node asks to be left alone, the first for {seconds} s")]
    Busy {
        /// Until the first of them can be asked again, in seconds.
        seconds: u64,
    },
    /// Nothing was read, for these reasons.
    #[error("{}", in_one_line(.0))]
    NoNode(Vec<NodeFailure>),
}

impl ChainError {
    pub(super) fn from_failures(failures: Vec<NodeFailure>) -> Self {
        let pauses = failures.iter().map(|failure| match failure.fault {
            NodeFault::Busy { seconds } => Some(seconds),
            _ => None,
        });
        let soonest = pauses.collect::<Option<Vec<_>>>().and_then(|pauses| pauses.into_iter().min());
        soonest.map_or(Self::NoNode(failures), |seconds| Self::Busy { seconds })
    }

    /// What is wrong with the contract, if a node could be read and the contract is what fails.
    pub(super) fn of_contract(&self) -> Option<&str> {
        let Self::NoNode(failures) = self else { return None };
        failures.iter().find_map(|failure| match &failure.fault {
            NodeFault::Contract(reason) => Some(reason.as_str()),
            _ => None,
        })
    }
}

impl From<ChainError> for SourceError {
    /// A chain without a usable node is gone, and to be asked again soon, unless every node answers what will not change
    /// by itself.
    fn from(error: ChainError) -> Self {
        let failures = match &error {
            ChainError::Busy { seconds } => return Self::Busy { seconds: *seconds },
            ChainError::NoNode(failures) => failures,
        };
        let is_final = |fault: &NodeFault| matches!(fault, NodeFault::OtherChain { .. } | NodeFault::Contract(_));
        if failures.iter().all(|failure| is_final(&failure.fault)) {
            return Self::Protocol { reason: error.to_string() };
        }
        Self::Gone(Box::new(error))
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

    #[test]
    fn a_chain_is_busy_only_when_every_node_is() {
        let busy = |seconds| NodeFault::Busy { seconds };
        assert_eq!(error(&[busy(9), busy(5)]), ChainError::Busy { seconds: 5 });
        assert!(matches!(error(&[busy(9), NodeFault::Late { millis: 1 }]), ChainError::NoNode(_)));
    }

    #[test]
    fn sources_end_for_good_only_over_what_does_not_change_by_itself() {
        let contract = NodeFault::Contract("reverts".to_owned());
        let other = NodeFault::OtherChain { says: 5 };
        let late = NodeFault::Late { millis: 250 };
        assert!(matches!(error(&[contract.clone(), other]).into(), SourceError::Protocol { .. }));
        let gone = SourceError::from(error(&[contract, late]));
        assert!(matches!(gone, SourceError::Gone(_)));
        assert_eq!(
            gone.to_string(),
            "node.example: the contract reverts; node.example: no answer within 250 ms",
            "each node with its own reason"
        );
    }
}
