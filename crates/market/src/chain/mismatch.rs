//! Differences between a chain and its configuration, and what could not be found out about it.

use firmquote_domain::{Address, ChainId, GoodUntilKind, Symbol, U256};

/// One thing that is not as it is configured; written as a sentence that names both sides.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A node is on another chain.
    #[error("the node at {node} is on chain {says}, configured is chain {configured}")]
    Chain {
        /// Host and port of the node.
        node: String,
        /// The chain id that it tells.
        says: u64,
        /// The configured one.
        configured: ChainId,
    },
    /// The pool honours the signatures of somebody else.
    #[error("the pool honours signatures of {says}, configured is the signer {configured}")]
    Signer {
        /// The pool's designated signer.
        says: Address,
        /// Whose key is configured.
        configured: Address,
    },
    /// The pool works with another wrapped-native contract.
    #[error("the pool wraps the native coin with {says}, configured is {configured}")]
    WrappedNative {
        /// The pool's wrapper.
        says: Address,
        /// The configured one.
        configured: Address,
    },
    /// The pool does not hold a configured token.
    #[error("the pool does not hold {token}, configured as {symbol}")]
    NotInPool {
        /// The configured symbol.
        symbol: Symbol,
        /// The configured token contract.
        token: Address,
    },
    /// The pool holds a token that is not configured.
    #[error("the pool holds {token}, which is not configured")]
    NotConfigured {
        /// The token contract.
        token: Address,
    },
    /// A token has other decimals.
    #[error("{token} has {says} decimals, configured are {configured} for {symbol}")]
    Decimals {
        /// The configured symbol.
        symbol: Symbol,
        /// The token contract.
        token: Address,
        /// What the token says.
        says: u8,
        /// What is configured.
        configured: u8,
    },
    /// The contract reads another form of `good_until`: its check would be off, or offers would not expire.
    #[error("the pool {} packed good_until, configured is good_until = \"{}\"", does(*.configured), name(*.configured))]
    Kind {
        /// What is configured.
        configured: GoodUntilKind,
    },
    /// The contract recovers signatures under another EIP-712 domain.
    #[error(
        "the pool signs as {:?} version {:?} on chain {chain_id} for {contract}, configured is {:?} version {:?}",
        .says.0, .says.1, .configured.0, .configured.1
    )]
    Domain {
        /// Name and version of the contract's domain.
        says: (String, String),
        /// Its chain.
        chain_id: U256,
        /// Its verifying contract.
        contract: Address,
        /// Name and version that are configured.
        configured: (String, String),
    },
    /// A contract does not answer as such a contract does.
    #[error("{contract} is configured as {role}, but the contract {reason}")]
    Contract {
        /// The contract.
        contract: Address,
        /// What it is configured as.
        role: String,
        /// What it does.
        reason: String,
    },
}

/// What could not be found out about a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// Which form of `good_until` the contract reads.
    #[error(
        "whether the pool verifies packed good_until is not known: it answers unpackGoodUntil(uint256) in its own way"
    )]
    Kind,
    /// Whether the contract honours the signatures of the configured key under the configured domain.
    #[error(
        "whether the pool honours the signatures of this key under this domain is not proven: it answers ours as a stranger's"
    )]
    Recovery,
}

const fn does(configured: GoodUntilKind) -> &'static str {
    match configured {
        GoodUntilKind::Plain => "verifies",
        GoodUntilKind::Verified => "does not verify",
    }
}

const fn name(kind: GoodUntilKind) -> &'static str {
    match kind {
        GoodUntilKind::Plain => "plain",
        GoodUntilKind::Verified => "verified",
    }
}
