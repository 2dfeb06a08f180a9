//! What is wrong with a node. The faults of a call name its method and what it asks for. Their texts contain host and
//! port at most, never a whole address or a key.

use std::fmt;

/// Why a node could not be used; one variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
