//! One node and the calls that are made to it, each within the call timeout.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use alloy_json_rpc::{RpcRecv, RpcSend};
use alloy_primitives::{Bytes, U64};
use alloy_rpc_client::RpcClient;
use alloy_sol_types::{SolCall, abi::AbiDecoderConfig};
use alloy_transport::{RpcError, TransportError, TransportErrorKind};
use firmquote_domain::{Address, B256};
use serde::Serialize;
use tokio::{sync::watch, time::timeout};

use super::{
    ChainRpcConfig, Head, InvalidChainRpcConfig, NodeFault,
    head::BlockHeader,
    node_health::NodeHealth,
    transport::{HttpTransport, WebSocketTransport, pause_of_code},
    url::NodeUrl,
};

/// Accepts only the canonical encoding of each value.
const STRICT: AbiDecoderConfig = AbiDecoderConfig::new().strict(true);

/// The maximum length of a node's message in an error, in characters.
const MAX_MESSAGE: usize = 120;

/// The error code for a request beyond a limit (EIP-1474): too many requests, or too many results.
const LIMIT_EXCEEDED: i64 = -32_005;

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
struct AtBlock {
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

/// One node of a chain.
pub(crate) struct Node {
    url: Arc<NodeUrl>,
    client: RpcClient,
    /// The transport, if the node is connected to over a WebSocket.
    web_socket: Option<WebSocketTransport>,
    call_timeout: Duration,
    health: Mutex<NodeHealth>,
}

impl Node {
    /// Creates a node without connecting to it. Every block that it announces is counted in `new_heads`.
    pub(super) fn new(
        access: &ChainRpcConfig,
        url: NodeUrl,
        new_heads: &watch::Sender<u64>,
    ) -> Result<Self, InvalidChainRpcConfig> {
        let (url, call_timeout, authorities) = (Arc::new(url), access.call_timeout, access.authorities.as_deref());
        let web_socket = match url.endpoint().is_web_socket() {
            true => Some(WebSocketTransport::new(Arc::clone(&url), authorities, call_timeout, new_heads.clone())?),
            false => None,
        };
        let client = match &web_socket {
            Some(web_socket) => RpcClient::new(web_socket.clone(), false),
            None => RpcClient::new(HttpTransport::new(Arc::clone(&url), authorities)?, false),
        };
        Ok(Self { url, client, web_socket, call_timeout, health: Mutex::default() })
    }

    /// Locks the node's health. Every change is atomic, so a panic leaves nothing half done and a poisoned lock is safe
    /// to use.
    pub(super) fn health(&self) -> MutexGuard<'_, NodeHealth> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the id of the chain that the node is on.
    pub(super) async fn chain_id(&self) -> Result<u64, NodeFault> {
        let id: U64 = self.within_time(self.client.request_noparams("eth_chainId")).await?;
        Ok(id.to())
    }

    /// Returns the newest block of the node.
    pub(super) async fn head(&self) -> Result<Head, NodeFault> {
        let request = self.client.request::<_, Option<BlockHeader>>("eth_getBlockByNumber", ("latest", false));
        let block = self.within_time(request).await?;
        block.ok_or_else(|| NodeFault::Malformed("it has no newest block".to_owned()))?.head()
    }

    /// Returns the block at this height; `None` if the node has none.
    pub(super) async fn block(&self, number: u64) -> Result<Option<Head>, NodeFault> {
        let block: Option<BlockHeader> = self.request("eth_getBlockByNumber", (U64::from(number), false)).await?;
        block.map(|block| block.head()).transpose()
    }

    /// Returns the response to `method` with `params`.
    pub(super) async fn request<P: RpcSend, R: RpcRecv>(
        &self,
        method: &'static str,
        params: P,
    ) -> Result<R, NodeFault> {
        self.within_time(self.client.request::<P, R>(method, params)).await
    }

    /// Returns the response to `method` with `params` that name a range of blocks; `None` if the node refuses the
    /// range, or if its response is too long. Over a WebSocket such a response ends the connection, as other failures
    /// do.
    pub(super) async fn request_range<P: RpcSend, R: RpcRecv>(
        &self,
        method: &'static str,
        params: P,
    ) -> Result<Option<R>, NodeFault> {
        let is_too_long = |error: &TransportError| match error {
            RpcError::ErrorResp(error) => error.code == LIMIT_EXCEEDED || pause_of_code(error.code).is_none(),
            RpcError::Transport(TransportErrorKind::BackendGone) => true,
            RpcError::Transport(TransportErrorKind::Custom(error)) => {
                matches!(error.downcast_ref(), Some(NodeFault::TooLong { .. }))
            }
            _ => false,
        };
        let refused = |error| if is_too_long(&error) { Ok(None) } else { Err(error) };
        self.within_time(async { self.client.request::<P, R>(method, params).await.map(Some).or_else(refused) }).await
    }

    /// Returns the result of `call` on `contract` at the block `at`.
    ///
    /// # Errors
    /// [`NodeFault::Contract`] for a contract that reverts, does not exist, or returns data of another shape; otherwise
    /// the fault of the node, including that it no longer has the block, or does not have it yet.
    pub(crate) async fn read<C: SolCall + Sync>(
        &self,
        contract: Address,
        call: &C,
        at: &Head,
    ) -> Result<C::Return, NodeFault> {
        let data = Bytes::from(call.abi_encode());
        let params = (EthCall { to: contract, data: data.clone(), input: data }, AtBlock { block_hash: at.hash });
        let request = self.client.request::<_, Bytes>("eth_call", params);
        decoded::<C>(&self.within_time(request).await.map_err(revert_to_contract_fault)?)
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
        let block = AtBlock { block_hash: at.hash };
        let call = async {
            match block_time {
                None => self.client.request::<_, Bytes>("eth_call", (params, block)).await,
                Some(time) => {
                    let no_state = serde_json::Map::new();
                    let overrides = (params, block, no_state, BlockOverrides { time: U64::from(time) });
                    self.client.request::<_, Bytes>("eth_call", overrides).await
                }
            }
        };
        let reverted = |error: TransportError| match &error {
            RpcError::ErrorResp(payload) if is_revert(payload.code, &payload.message) => {
                Ok(CallOutcome::Reverted(payload.as_revert_data().unwrap_or_default()))
            }
            _ => Err(error),
        };
        self.within_time(async { call.await.map(CallOutcome::Returned).or_else(reverted) }).await
    }

    async fn within_time<T>(
        &self,
        request: impl IntoFuture<Output = Result<T, TransportError>>,
    ) -> Result<T, NodeFault> {
        match timeout(self.call_timeout, request).await {
            Ok(response) => response.map_err(fault),
            Err(_) => {
                self.web_socket.as_ref().inspect(|web_socket| web_socket.close());
                Err(NodeFault::Timeout { millis: self.call_timeout.as_millis() })
            }
        }
    }
}

/// Decodes the return data of a contract call.
pub(super) fn decoded<C: SolCall>(data: &[u8]) -> Result<C::Return, NodeFault> {
    if data.is_empty() {
        return Err(NodeFault::Contract(format!("does not implement {}", C::SIGNATURE)));
    }
    C::abi_decode_returns_with_config(data, STRICT)
        .map_err(|_| NodeFault::Contract(format!("returns unexpected data for {}", C::SIGNATURE)))
}

/// Converts an error of the RPC client to a fault of the node.
pub(super) fn fault(error: TransportError) -> NodeFault {
    match error {
        RpcError::ErrorResp(error) => match pause_of_code(error.code) {
            Some(seconds) => NodeFault::RateLimited { seconds },
            None => NodeFault::Refused { code: error.code, message: shortened(&error.message) },
        },
        RpcError::Transport(TransportErrorKind::Custom(error)) => match error.downcast::<NodeFault>() {
            Ok(fault) => *fault,
            Err(_) => NodeFault::Disconnected("the connection was lost".to_owned()),
        },
        RpcError::Transport(_) => NodeFault::Disconnected("the connection was lost".to_owned()),
        // The texts of these errors contain what the node sent, of any length.
        _ => NodeFault::Malformed("its response has an unexpected shape".to_owned()),
    }
}

/// Strips control characters from a node's message and truncates it.
fn shortened(message: &str) -> String {
    message.chars().filter(|letter| !letter.is_control()).take(MAX_MESSAGE).collect()
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

impl fmt::Display for Node {
    /// Writes host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}
