//! Differences between a chain and its configuration, and what could not be determined about it.

use firmquote_domain::{Address, ChainId, GoodUntilKind, Symbol, U256};

/// The result of comparing a pool with its configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolVerification {
    /// The differences; empty for a pool that matches its configuration.
    pub mismatches: Vec<Mismatch>,
    /// What could not be determined.
    pub inconclusive: Vec<InconclusiveCheck>,
    /// Whether the contract reports the configured EIP-712 domain (EIP-5267).
    pub reports_domain: bool,
}

/// One difference between the chain and its configuration; displayed as a sentence that names both sides.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// A node is on another chain.
    #[error("the node at {node} is on chain {actual}, but chain {configured} is configured")]
    Chain {
        /// Host and port of the node.
        node: String,
        /// The chain id that the node reports.
        actual: u64,
        /// The configured chain id.
        configured: ChainId,
    },
    /// The pool's designated signer is another account.
    #[error("the pool honors signatures of {actual}, but signer {configured} is configured")]
    Signer {
        /// The pool's designated signer.
        actual: Address,
        /// The account of the configured key.
        configured: Address,
    },
    /// The pool uses another wrapped-native contract.
    #[error("the pool wraps the native coin with {actual}, but {configured} is configured")]
    WrappedNative {
        /// The contract that the pool uses.
        actual: Address,
        /// The configured contract.
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
    /// The decimals of a token differ.
    #[error("{token} has {actual} decimals, but {configured} are configured for {symbol}")]
    Decimals {
        /// The configured symbol.
        symbol: Symbol,
        /// The token contract.
        token: Address,
        /// The decimals that the token reports.
        actual: u8,
        /// The configured decimals.
        configured: u8,
    },
    /// The contract reads another form of `good_until`: its verification would be off, or offers would never expire.
    #[error(
        "the pool {} packed good_until, but good_until = \"{}\" is configured",
        verification_verb(*.configured), .configured.name()
    )]
    GoodUntil {
        /// The configured form.
        configured: GoodUntilKind,
    },
    /// The contract recovers signatures under another EIP-712 domain.
    #[error(
        "the pool signs as {:?} version {:?} on chain {chain_id} for {contract}, but {:?} version {:?} is configured",
        .actual.0, .actual.1, .configured.0, .configured.1
    )]
    Domain {
        /// Name and version of the contract's domain.
        actual: (String, String),
        /// The chain id of the contract's domain.
        chain_id: U256,
        /// The verifying contract of the contract's domain.
        contract: Address,
        /// The configured name and version.
        configured: (String, String),
    },
    /// A contract does not behave as its configured role requires.
    #[error("{contract} is configured as {role}, but the contract {reason}")]
    Contract {
        /// The contract.
        contract: Address,
        /// The role that the contract is configured for.
        role: String,
        /// What the contract does instead.
        reason: String,
    },
}

/// What could not be determined about a pool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InconclusiveCheck {
    /// Whether a token is the one that its configured symbol suggests: it has another name for itself.
    #[error("the token {token}, configured as {configured}, calls itself {actual:?}: are two addresses exchanged?")]
    Symbol {
        /// The configured symbol.
        configured: Symbol,
        /// The token contract.
        token: Address,
        /// The symbol that the token reports, shortened.
        actual: String,
    },
    /// Which form of `good_until` the contract reads.
    #[error(
        "cannot determine whether the pool verifies packed good_until: \
         unpackGoodUntil(uint256) has an unexpected result"
    )]
    GoodUntil,
    /// Whether the contract executes each signature once.
    #[error(
        "cannot determine whether the pool executes each signature once: usedDigest(bytes32) has an unexpected result"
    )]
    SingleUse,
    /// Whether the contract accepts the signatures of the configured key under the configured domain.
    #[error(
        "cannot determine whether the pool accepts this key under this domain: \
         it treats the signature of the configured key like that of an unknown key"
    )]
    Recovery,
}

const fn verification_verb(configured: GoodUntilKind) -> &'static str {
    match configured {
        GoodUntilKind::Plain => "verifies",
        GoodUntilKind::Verified => "does not verify",
    }
}
