//! Contract calls without a transaction: `eth_call` at a block, and the contract functions that are called.

use alloy_json_rpc::ErrorPayload;
use alloy_primitives::{Bytes, U64};
use alloy_sol_types::{SolCall, abi::AbiDecoderConfig, sol};
use firmquote_domain::{Address, B256};
use firmquote_outbound::excerpt;
use serde::Serialize;

use super::{
    Call, Head, Node, NodeFault,
    node::{MAX_MESSAGE_CHARACTERS, refused},
};

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
}

/// The error code of a call that the contract reverts, with its data, as most nodes report it.
const REVERTED: i64 = 3;

/// Accepts only the canonical encoding of each value.
const STRICT: AbiDecoderConfig = AbiDecoderConfig::new().strict(true);

/// A contract call without a transaction. Some nodes read `data`, others `input`.
#[derive(Clone, Debug, Serialize)]
struct EthCall {
    to: Address,
    data: Bytes,
    input: Bytes,
}

/// A block parameter in the notation of EIP-1898; the RPC client's own type serializes to the bare hash, which not all
/// nodes support.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockHashParameter {
    block_hash: B256,
}

/// The fields of a block that a simulation overrides.
#[derive(Clone, Debug, Serialize)]
struct BlockOverrides {
    time: U64,
}

/// The outcome of a simulated call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    /// The call returns these bytes.
    Returned(Bytes),
    /// The call fails with these bytes; empty if neither contract nor node give a reason.
    Reverted(Bytes),
}

impl Node {
    /// Returns the result of `call` on `contract` at the block `at`.
    ///
    /// # Errors
    /// [`NodeFault::Contract`] for a contract that fails, does not exist, or returns data of another shape; otherwise
    /// the fault of the node, including that it no longer has the block, or does not have it yet.
    pub(crate) async fn call_contract<C: SolCall + Sync>(
        &self,
        contract: Address,
        call: &C,
        at: &Head,
    ) -> Result<C::Return, NodeFault> {
        let name = Call::Function { signature: C::SIGNATURE, contract };
        match self.execute(name, call.abi_encode().into(), at, None).await? {
            Ok(data) => decode_return::<C>(&data),
            Err(error) => Err(contract_fault(C::SIGNATURE, &error)),
        }
    }

    /// Returns what a call of the function `signature` of `contract` with `data` would do at the block `at`, with the
    /// block time overridden if `block_time` is given.
    ///
    /// # Errors
    /// The fault of the node; a failure of the contract is an outcome, not an error.
    pub(super) async fn simulate(
        &self,
        (contract, signature): (Address, &'static str),
        data: Bytes,
        at: &Head,
        block_time: Option<u64>,
    ) -> Result<CallOutcome, NodeFault> {
        let outcome = self.execute(Call::Function { signature, contract }, data, at, block_time).await?;
        Ok(match outcome {
            Ok(data) => CallOutcome::Returned(data),
            Err(error) => CallOutcome::Reverted(error.as_revert_data().unwrap_or_default()),
        })
    }

    /// Checks that the node can execute calls at the block `at`.
    ///
    /// # Errors
    /// The fault of the node.
    pub(super) async fn check_execution(&self, at: &Head, block_time: Option<u64>) -> Result<(), NodeFault> {
        let response = self.eth_call(Call::NoContract, Bytes::new(), at, block_time).await?;
        response.map(drop).map_err(|error| refused(Call::NoContract, &error))
    }

    /// Executes a call without a transaction. Returns the data, or the error of the contract. Nodes word an error of a
    /// contract in many ways, so one without the code of a revert is that of the contract if the node executes a call
    /// without one at the same block.
    ///
    /// # Errors
    /// The fault of the node.
    async fn execute(
        &self,
        call: Call,
        data: Bytes,
        at: &Head,
        block_time: Option<u64>,
    ) -> Result<Result<Bytes, ErrorPayload>, NodeFault> {
        let response = self.eth_call(call, data, at, block_time).await?;
        if let Err(error) = &response
            && error.code != REVERTED
            && let Err(fault) = self.check_execution(at, block_time).await
        {
            return Err(match fault {
                NodeFault::Refused { .. } => refused(call, error),
                fault => fault,
            });
        }
        Ok(response)
    }

    async fn eth_call(
        &self,
        call: Call,
        data: Bytes,
        at: &Head,
        block_time: Option<u64>,
    ) -> Result<Result<Bytes, ErrorPayload>, NodeFault> {
        let to = match call {
            Call::Function { contract, .. } => contract,
            _ => Address::ZERO,
        };
        let params = EthCall { to, data: data.clone(), input: data };
        let block = BlockHashParameter { block_hash: at.hash };
        match block_time {
            None => self.request_fallible(call, (params, block)).await,
            Some(time) => {
                let no_state = serde_json::Map::new();
                let overrides = BlockOverrides { time: U64::from(time) };
                self.request_fallible(call, (params, block, no_state, overrides)).await
            }
        }
    }
}

/// Decodes the return data of a contract call.
pub(super) fn decode_return<C: SolCall>(data: &[u8]) -> Result<C::Return, NodeFault> {
    if data.is_empty() {
        return Err(NodeFault::Contract(format!("does not implement {}", C::SIGNATURE)));
    }
    C::abi_decode_returns_with_config(data, STRICT)
        .map_err(|_| NodeFault::Contract(format!("returns unexpected data for {}", C::SIGNATURE)))
}

/// Returns the fault of a contract whose function `signature` fails with `error`: the node only relays it.
pub(super) fn contract_fault(signature: &str, error: &ErrorPayload) -> NodeFault {
    NodeFault::Contract(match error.code {
        REVERTED => format!("reverts in {signature}"),
        code => format!("fails in {signature} with error {code}: {}", excerpt(&error.message, MAX_MESSAGE_CHARACTERS)),
    })
}
