//! The calls that are made to nodes, as their errors name them.

use std::fmt;

use firmquote_domain::Address;

/// A call to a node: its JSON-RPC method, and what it asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Call {
    ChainId,
    NewestBlock,
    Block(u64),
    /// A function of a contract.
    Function {
        signature: &'static str,
        contract: Address,
    },
    /// Without a contract: whether the node can execute calls at all.
    NoContract,
    /// The events of a range of blocks.
    Events {
        first: u64,
        last: u64,
    },
    /// The events of one block by its hash.
    BlockEvents(u64),
}

impl Call {
    /// Returns the JSON-RPC method.
    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::ChainId => "eth_chainId",
            Self::NewestBlock | Self::Block(_) => "eth_getBlockByNumber",
            Self::Function { .. } | Self::NoContract => "eth_call",
            Self::Events { .. } | Self::BlockEvents(_) => "eth_getLogs",
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method())?;
        match self {
            Self::ChainId => Ok(()),
            Self::NewestBlock => f.write_str(" of the newest block"),
            Self::Block(number) => write!(f, " of block {number}"),
            Self::Function { signature, contract } => write!(f, " of {signature} on {contract}"),
            Self::NoContract => f.write_str(" without a contract"),
            Self::Events { first, last } => write!(f, " of blocks {first} to {last}"),
            Self::BlockEvents(number) => write!(f, " of block {number} by its hash"),
        }
    }
}
