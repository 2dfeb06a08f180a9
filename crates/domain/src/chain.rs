//! Chain ids, pools identified by chain and contract address, and the depth of reorganizations.

use std::{fmt, num::NonZeroU64, str::FromStr};

use alloy_primitives::Address;

use crate::InvalidValue;

/// The number of newest blocks that a reorganization may replace; blocks below them are final.
pub const MAX_REORG_DEPTH: u64 = 64;

/// EIP-155 chain id, never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainId(NonZeroU64);

impl ChainId {
    /// The chain id, or `None` for zero.
    pub fn new(id: u64) -> Option<Self> {
        NonZeroU64::new(id).map(Self)
    }

    /// The plain number.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A pool contract on a chain. The same address on another chain is another pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolId {
    /// The chain the contract lives on.
    pub chain_id: ChainId,
    /// The contract's address.
    pub address: Address,
}

impl FromStr for PoolId {
    type Err = InvalidValue;

    /// Parses exactly the text that [`Display`](fmt::Display) writes, and no other spelling of it.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "a chain id, a colon, a checksummed address" };
        let (chain_id, address) = text.split_once(':').ok_or(SHAPE)?;
        let address = Address::parse_checksummed(address, None).map_err(|_| SHAPE)?;
        let chain_id = chain_id.parse().ok().and_then(ChainId::new).ok_or(SHAPE)?;
        let pool = Self { chain_id, address };
        if pool.to_string() == text { Ok(pool) } else { Err(SHAPE) }
    }
}

impl fmt::Display for PoolId {
    /// `<chain id>:<checksummed address>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.chain_id, self.address)
    }
}
