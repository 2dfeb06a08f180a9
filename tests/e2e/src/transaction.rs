//! Unsent transactions, used for both the in-memory chain and a node.

use alloy_sol_types::SolCall;
use firmquote_domain::{Address, U256};

/// An unsigned transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The sender.
    pub from: Address,
    /// The called contract; `None` to create one.
    pub to: Option<Address>,
    /// Value in wei.
    pub value: U256,
    /// Calldata, or creation code.
    pub data: Vec<u8>,
}

impl Transaction {
    /// Creates a contract creation.
    pub const fn creating(from: Address, code: Vec<u8>) -> Self {
        Self { from, to: None, value: U256::ZERO, data: code }
    }

    /// Creates a call with encoded calldata.
    pub const fn raw(from: Address, to: Address, data: Vec<u8>) -> Self {
        Self { from, to: Some(to), value: U256::ZERO, data }
    }

    /// Creates a call of a contract function.
    pub fn calling<C: SolCall>(from: Address, to: Address, call: &C) -> Self {
        Self::raw(from, to, call.abi_encode())
    }

    /// Sets the value in wei.
    #[must_use]
    pub fn with_value(self, value: U256) -> Self {
        Self { value, ..self }
    }
}
