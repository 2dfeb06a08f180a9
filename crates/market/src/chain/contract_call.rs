//! Contract calls without a transaction: `eth_call` at a block, and the contract functions that are called.

use alloy_primitives::{Bytes, U64};
use alloy_sol_types::{SolCall, abi::AbiDecoderConfig, sol};
use alloy_transport::{RpcError, TransportError};
use firmquote_domain::{Address, B256};
use serde::Serialize;

use super::{Head, Node, NodeFault};

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
    }
}

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
    /// The call reverts with these bytes; empty if the contract gives no reason.
    Reverted(Bytes),
}

impl Node {
    /// Returns the result of `call` on `contract` at the block `at`.
    ///
    /// # Errors
    /// [`NodeFault::Contract`] for a contract that reverts, does not exist, or returns data of another shape; otherwise
    /// the fault of the node, including that it no longer has the block, or does not have it yet.
    pub(crate) async fn call_contract<C: SolCall + Sync>(
        &self,
        contract: Address,
        call: &C,
        at: &Head,
    ) -> Result<C::Return, NodeFault> {
        let data = Bytes::from(call.abi_encode());
        let params =
            (EthCall { to: contract, data: data.clone(), input: data }, BlockHashParameter { block_hash: at.hash });
        let data: Bytes = self.request("eth_call", params).await.map_err(revert_to_contract_fault)?;
        decode_return::<C>(&data)
    }

    /// Returns what a call of `contract` with `data` would do at the block `at`, with the block time overridden if
    /// `block_time` is given.
    ///
    /// # Errors
    /// The fault of the node; a revert is an outcome, not an error.
    pub(super) async fn simulate(
        &self,
        contract: Address,
        data: Bytes,
        at: &Head,
        block_time: Option<u64>,
    ) -> Result<CallOutcome, NodeFault> {
        let params = EthCall { to: contract, data: data.clone(), input: data };
        let block = BlockHashParameter { block_hash: at.hash };
        let call = async {
            match block_time {
                None => self.call::<_, Bytes>("eth_call", (params, block)).await,
                Some(time) => {
                    let no_state = serde_json::Map::new();
                    let overrides = (params, block, no_state, BlockOverrides { time: U64::from(time) });
                    self.call::<_, Bytes>("eth_call", overrides).await
                }
            }
        };
        let recover_revert = |error: TransportError| match &error {
            RpcError::ErrorResp(payload) if is_revert(payload.code, &payload.message) => {
                Ok(CallOutcome::Reverted(payload.as_revert_data().unwrap_or_default()))
            }
            _ => Err(error),
        };
        self.with_timeout(async { call.await.map(CallOutcome::Returned).or_else(recover_revert) }).await
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

/// Returns whether an error of a node means that the contract reverted.
fn is_revert(code: i64, message: &str) -> bool {
    code == 3 || message.contains("revert")
}

/// Converts a revert to [`NodeFault::Contract`]: the node only relays it.
pub(super) fn revert_to_contract_fault(fault: NodeFault) -> NodeFault {
    match fault {
        NodeFault::Refused { code, message } if is_revert(code, &message) => NodeFault::Contract("reverts".to_owned()),
        fault => fault,
    }
}
