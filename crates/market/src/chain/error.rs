//! Why no node of a chain could be read, and what that means for the source that reads it.

use super::{NodeFailure, NodeFault};
use crate::SourceError;

/// Why no node of a chain could be read; one variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
