//! The contracts of a fake node: a pool, and those that a test adds.

use alloy_primitives::hex;
use alloy_sol_types::{SolCall, SolValue as _, sol};
use firmquote_domain::{Address, U256};
use serde_json::{Value, json};

use self::SwapPool::allTokensBalanceCall;
use super::{NodeState, Reply};

sol! {
    interface SwapPool {
        function allTokensBalance() view returns (uint256[] balances, address[] tokens, uint256 totalSupply);
        function DESIGNATED_SIGNER() view returns (address);
        function WRAPPER_CONTRACT() view returns (address);
    }

    interface VerifyingPool {
        function unpackGoodUntil(uint256 packed) pure returns (uint256, uint256, uint256, uint256, uint256);
    }

    interface SingleUsePool {
        function usedDigest(bytes32 digest) view returns (bool);
    }

    interface DomainOwner {
        function eip712Domain() view returns (
            bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt,
            uint256[] extensions
        );
    }

    interface Token {
        function decimals() view returns (uint8);
        function symbol() view returns (string);
    }

    interface Aggregator {
        function aggregator() view returns (address);
        function minAnswer() view returns (int192);
        function maxAnswer() view returns (int192);
        function latestRoundData() view returns (
            uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound
        );
    }
}

/// The pool of every node: it holds as much of its only token as the number of the block.
pub(crate) const POOL: Address = Address::repeat_byte(9);

/// Returns the return data of `allTokensBalance`.
pub(crate) fn books(balances: &[(Address, u64)], pool_tokens: u64) -> Vec<u8> {
    let (tokens, balances): (Vec<_>, Vec<_>) =
        balances.iter().map(|(token, balance)| (*token, U256::from(*balance))).unzip();
    (balances, tokens, U256::from(pool_tokens)).abi_encode_params()
}

impl NodeState {
    /// Sets the return data of the function `C` of `contract`.
    pub(crate) fn set_return_data<C: SolCall>(&mut self, contract: Address, data: &[u8]) {
        self.set_reply::<C>(contract, Reply::Result(json!(hex::encode_prefixed(data))));
    }

    /// Sets the reply to calls of the function `C` of `contract`.
    pub(crate) fn set_reply<C: SolCall>(&mut self, contract: Address, reply: Reply) {
        self.contracts.insert((contract, C::SELECTOR), reply);
    }
}

/// Returns the reply to `call`; a missing contract returns no data.
pub(super) fn reply(state: &NodeState, call: &Value) -> Reply {
    let contract: Address = call["to"].as_str().unwrap().parse().unwrap();
    let data = hex::decode(call["data"].as_str().unwrap()).unwrap();
    assert_eq!(call["data"], call["input"], "nodes read either of them");
    if data.is_empty() {
        return Reply::Result(json!("0x"));
    }
    let selector: [u8; 4] = data[..4].try_into().unwrap();
    if let Some(reply) = state.contracts.get(&(contract, selector)) {
        return reply.clone();
    }
    if (contract, selector) == (POOL, allTokensBalanceCall::SELECTOR) {
        let books = books(&[(Address::repeat_byte(1), state.newest.number)], state.id);
        return Reply::Result(json!(hex::encode_prefixed(books)));
    }
    Reply::Result(json!("0x"))
}
