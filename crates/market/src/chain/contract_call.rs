//! Contract calls without a transaction: `eth_call` at a block, and the contract functions that are called.

use std::collections::BTreeMap;

use alloy_json_rpc::ErrorPayload;
use alloy_primitives::{Bytes, U64, hex};
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

/// What a simulation assumes in place of the state of its block. Not every node supports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SimulationOverrides<'a> {
    /// The block time, in Unix seconds.
    pub(super) block_time: Option<u64>,
    /// The tokens of which every account has more than enough, all of it approved: their code becomes
    /// [`ABUNDANT_TOKEN`].
    pub(super) abundant_tokens: &'a [Address],
}

/// The code of a token that returns 2^128 for every balance and allowance, and success for every other call:
/// `mstore(0, shl(mul(128, or(eq(selector, balanceOf), eq(selector, allowance))), 1)) return(0, 32)`.
const ABUNDANT_TOKEN: Bytes =
    Bytes::from_static(&hex!("60003560e01c806370a08231149063dd62ed3e14176080026001901b60005260206000f3"));

/// The fields of an account that a simulation overrides.
#[derive(Clone, Debug, Serialize)]
struct AccountOverride {
    code: Bytes,
}

/// The fields of a block that a simulation overrides.
#[derive(Clone, Debug, Serialize)]
struct BlockOverrides {
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<U64>,
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
        match self.execute(name, call.abi_encode().into(), at, SimulationOverrides::default()).await? {
            Ok(data) => decode_return::<C>(&data),
            Err(error) => Err(contract_fault(C::SIGNATURE, &error)),
        }
    }

    /// Returns what a call of the function `signature` of `contract` with `data` would do at the block `at`, with these
    /// overrides.
    ///
    /// # Errors
    /// The fault of the node; a failure of the contract is an outcome, not an error.
    pub(super) async fn simulate(
        &self,
        (contract, signature): (Address, &'static str),
        data: Bytes,
        at: &Head,
        overrides: SimulationOverrides<'_>,
    ) -> Result<CallOutcome, NodeFault> {
        let outcome = self.execute(Call::Function { signature, contract }, data, at, overrides).await?;
        Ok(match outcome {
            Ok(data) => CallOutcome::Returned(data),
            Err(error) => CallOutcome::Reverted(error.as_revert_data().unwrap_or_default()),
        })
    }

    /// Checks that the node can execute calls at the block `at`.
    ///
    /// # Errors
    /// The fault of the node.
    pub(super) async fn check_execution(&self, at: &Head, overrides: SimulationOverrides<'_>) -> Result<(), NodeFault> {
        let response = self.eth_call(Call::NoContract, Bytes::new(), at, overrides).await?;
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
        overrides: SimulationOverrides<'_>,
    ) -> Result<Result<Bytes, ErrorPayload>, NodeFault> {
        let response = self.eth_call(call, data, at, overrides).await?;
        if let Err(error) = &response
            && error.code != REVERTED
            && let Err(fault) = self.check_execution(at, overrides).await
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
        overrides: SimulationOverrides<'_>,
    ) -> Result<Result<Bytes, ErrorPayload>, NodeFault> {
        let to = match call {
            Call::Function { contract, .. } => contract,
            _ => Address::ZERO,
        };
        let params = EthCall { to, data: data.clone(), input: data };
        let block = BlockHashParameter { block_hash: at.hash };
        if overrides == SimulationOverrides::default() {
            return self.request_fallible(call, (params, block)).await;
        }
        let accounts: BTreeMap<Address, AccountOverride> =
            overrides.abundant_tokens.iter().map(|token| (*token, AccountOverride { code: ABUNDANT_TOKEN })).collect();
        let block_fields = BlockOverrides { time: overrides.block_time.map(U64::from) };
        self.request_fallible(call, (params, block, accounts, block_fields)).await
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
