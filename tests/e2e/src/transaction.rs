//! Transactions before anybody sends them: the same ones go to the chain in memory and to a node.

use alloy_sol_types::SolCall;
use firmquote_domain::{Address, U256};

/// What an account sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The account that sends it.
    pub from: Address,
    /// The contract it calls, or `None` to create one.
    pub to: Option<Address>,
    /// Native coin it carries, in wei.
    pub value: U256,
    /// Calldata, or creation code.
    pub data: Vec<u8>,
}

impl Transaction {
    /// A transaction that creates a contract.
    pub const fn creating(from: Address, code: Vec<u8>) -> Self {
        Self { from, to: None, value: U256::ZERO, data: code }
    }

    /// A call with data that is already encoded.
    pub const fn raw(from: Address, to: Address, data: Vec<u8>) -> Self {
        Self { from, to: Some(to), value: U256::ZERO, data }
    }

    /// A call of one contract function.
    pub fn calling<C: SolCall>(from: Address, to: Address, call: &C) -> Self {
        Self::raw(from, to, call.abi_encode())
    }

    /// The same transaction carrying `value` wei.
    #[must_use]
    pub fn with_value(self, value: U256) -> Self {
        Self { value, ..self }
    }
}
