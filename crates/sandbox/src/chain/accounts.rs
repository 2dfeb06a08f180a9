//! Accounts of the simulated chain: how many transactions each has sent, and what it has received and paid. Every account
//! starts with the same amounts, and approves every spender.

use alloy_primitives::U256;
use firmquote_domain::{Address, Decimals};

use crate::bounded_map::BoundedMap;

/// The accounts that are remembered, by the number of their transactions and by token.
const MAX_ACCOUNTS: usize = 10_000;

/// The whole tokens that every account starts with.
const INITIAL_TOKENS: u64 = 1_000_000;

/// What an account has received and paid.
#[derive(Clone, Copy, Debug, Default)]
struct Flows {
    received: U256,
    paid: U256,
}

#[derive(Default)]
pub(super) struct Accounts {
    nonces: BoundedMap<Address, u64, MAX_ACCOUNTS>,
    flows: BoundedMap<(Address, Address), Flows, MAX_ACCOUNTS>,
}

impl Accounts {
    /// The number of transactions that `account` has sent.
    pub(super) fn nonce(&self, account: Address) -> u64 {
        self.nonces.get(&account).copied().unwrap_or(0)
    }

    pub(super) fn increase_nonce(&mut self, account: Address) {
        self.nonces.insert(account, self.nonce(account) + 1);
    }

    /// The balance of `account` in base units of `token`.
    pub(super) fn balance(&self, token: Address, decimals: Decimals, account: Address) -> U256 {
        let Flows { received, paid } = self.flows.get(&(token, account)).copied().unwrap_or_default();
        let unit = U256::from(10).pow(U256::from(decimals.get()));
        U256::from(INITIAL_TOKENS).saturating_mul(unit).saturating_add(received).saturating_sub(paid)
    }

    pub(super) fn receive(&mut self, token: Address, account: Address, amount: U256) {
        let flows = self.flows.get(&(token, account)).copied().unwrap_or_default();
        let flows = Flows { received: flows.received.saturating_add(amount), ..flows };
        self.flows.insert((token, account), flows);
    }

    pub(super) fn pay(&mut self, token: Address, account: Address, amount: U256) {
        let flows = self.flows.get(&(token, account)).copied().unwrap_or_default();
        let flows = Flows { paid: flows.paid.saturating_add(amount), ..flows };
        self.flows.insert((token, account), flows);
    }
}
