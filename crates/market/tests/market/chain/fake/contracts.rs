//! The contracts on a node: a pool that is there from the start, and whatever a test adds.

use alloy_primitives::hex;
use alloy_sol_types::{SolCall, SolValue as _};
use firmquote_domain::{Address, U256};
use serde_json::{Value, json};

use super::{Part, Reply};
use crate::chain::interfaces::SwapPool::allTokensBalanceCall;

/// The pool that every node knows: it holds as much of its only token as the number of the block.
pub(crate) const POOL: Address = Address::repeat_byte(9);

/// What `allTokensBalance` answers.
pub(crate) fn books(balances: &[(Address, u64)], pool_tokens: u64) -> Vec<u8> {
    let (tokens, balances): (Vec<_>, Vec<_>) =
        balances.iter().map(|(token, balance)| (*token, U256::from(*balance))).unzip();
    (balances, tokens, U256::from(pool_tokens)).abi_encode_params()
}

impl Part {
    /// Has `contract` answer `answer` to `C` from now on.
    pub(crate) fn answers<C: SolCall>(&mut self, contract: Address, answer: &[u8]) {
        self.replies::<C>(contract, Reply::Result(json!(hex::encode_prefixed(answer))));
    }

    /// Has the node reply `reply` when `contract` is asked `C`.
    pub(crate) fn replies<C: SolCall>(&mut self, contract: Address, reply: Reply) {
        self.contracts.insert((contract, C::SELECTOR), reply);
    }
}

/// What the contract that `question` is for answers; one that is not there answers nothing.
pub(super) fn answer(part: &Part, question: &Value) -> Reply {
    let contract: Address = question["to"].as_str().unwrap().parse().unwrap();
    let data = hex::decode(question["data"].as_str().unwrap()).unwrap();
    assert_eq!(question["data"], question["input"], "nodes read the one or the other");
    if data.is_empty() {
        return Reply::Result(json!("0x"));
    }
    let selector: [u8; 4] = data[..4].try_into().unwrap();
    if let Some(reply) = part.contracts.get(&(contract, selector)) {
        return reply.clone();
    }
    if (contract, selector) == (POOL, allTokensBalanceCall::SELECTOR) {
        let books = books(&[(Address::repeat_byte(1), part.newest.number)], part.name);
        return Reply::Result(json!(hex::encode_prefixed(books)));
    }
    Reply::Result(json!("0x"))
}
