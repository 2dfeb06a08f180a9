//! One node and the calls that are made to it, each within the call timeout.

use std::{fmt, sync::Arc, time::Duration};

use alloy_json_rpc::{RpcRecv, RpcSend};
use alloy_primitives::U64;
use alloy_rpc_client::RpcClient;
use alloy_transport::{RpcError, TransportError, TransportErrorKind};
use firmquote_outbound::excerpt;
use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

use super::{
    ChainRpcConfig, Head, NodeFault,
    head::BlockHeader,
    node_health::NodeHealth,
    transport::{HttpTransport, LongResponse, WebSocketTransport, delay_of_code},
    url::NodeUrl,
};
use crate::InvalidConfig;

/// The maximum length of a node's message in an error, in characters.
const MAX_MESSAGE_CHARACTERS: usize = 120;

/// The error code for a request beyond a limit (EIP-1474): too many requests, or too many results.
const LIMIT_EXCEEDED: i64 = -32_005;

/// The response of a node to a request for a range of blocks.
pub(super) enum RangeResponse<R> {
    /// The result for the whole range.
    Complete(R),
    /// It is longer than a response may be.
    TooLong,
    /// An error, as for a range beyond the node's limit.
    Refused,
}

/// One node of a chain.
pub(crate) struct Node {
    url: Arc<NodeUrl>,
    client: RpcClient,
    /// The transport, if the node is connected to over a WebSocket.
    web_socket: Option<WebSocketTransport>,
    call_timeout: Duration,
    pub(super) health: Mutex<NodeHealth>,
}

impl Node {
    /// Creates a node without connecting to it. Every block that it announces is counted in `new_heads`.
    pub(super) fn new(
        config: &ChainRpcConfig,
        url: NodeUrl,
        new_heads: &watch::Sender<u64>,
    ) -> Result<Self, InvalidConfig> {
        let (url, call_timeout, authorities) = (Arc::new(url), config.call_timeout, config.authorities.as_deref());
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

    /// Returns the id of the chain that the node is on.
    pub(super) async fn chain_id(&self) -> Result<u64, NodeFault> {
        let id: U64 = self.with_timeout(self.client.request_noparams("eth_chainId")).await?;
        Ok(id.to())
    }

    /// Returns the newest block of the node.
    pub(super) async fn head(&self) -> Result<Head, NodeFault> {
        let block: Option<BlockHeader> = self.request("eth_getBlockByNumber", ("latest", false)).await?;
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
        self.with_timeout(self.call(method, params)).await
    }

    /// Calls `method` with `params`, without a timeout.
    pub(super) async fn call<P: RpcSend, R: RpcRecv>(
        &self,
        method: &'static str,
        params: P,
    ) -> Result<R, TransportError> {
        self.client.request(method, params).await
    }

    /// Returns the response to `method` with `params`, which may be as long as the events of any block.
    pub(super) async fn request_long<P: RpcSend, R: RpcRecv>(
        &self,
        method: &'static str,
        params: P,
    ) -> Result<R, NodeFault> {
        let request = self.client.request(method, params).map_meta(|mut meta| {
            meta.extensions_mut().insert(LongResponse);
            meta
        });
        self.with_timeout(request).await
    }

    /// Returns the response to `method` with `params` that name a range of blocks, if the node accepts the range. Over
    /// a WebSocket a response that is too long ends the connection, as other failures do.
    pub(super) async fn request_range<P: RpcSend, R: RpcRecv>(
        &self,
        method: &'static str,
        params: P,
    ) -> Result<RangeResponse<R>, NodeFault> {
        let without_response = |error: TransportError| match &error {
            RpcError::ErrorResp(response)
                if response.code == LIMIT_EXCEEDED || delay_of_code(response.code).is_none() =>
            {
                Ok(RangeResponse::Refused)
            }
            RpcError::Transport(TransportErrorKind::BackendGone) => Ok(RangeResponse::TooLong),
            RpcError::Transport(TransportErrorKind::Custom(cause))
                if matches!(cause.downcast_ref(), Some(NodeFault::TooLong { .. })) =>
            {
                Ok(RangeResponse::TooLong)
            }
            _ => Err(error),
        };
        let response = async { self.call(method, params).await.map(RangeResponse::Complete).or_else(without_response) };
        self.with_timeout(response).await
    }

    /// Returns the response to `request`, unless it fails or exceeds the call timeout.
    pub(super) async fn with_timeout<T>(
        &self,
        request: impl IntoFuture<Output = Result<T, TransportError>>,
    ) -> Result<T, NodeFault> {
        match timeout(self.call_timeout, request).await {
            Ok(response) => response.map_err(node_fault),
            Err(_) => {
                self.web_socket.as_ref().inspect(|web_socket| web_socket.close());
                Err(NodeFault::Timeout { millis: self.call_timeout.as_millis() })
            }
        }
    }
}

/// Converts an error of the RPC client to a fault of the node.
pub(super) fn node_fault(error: TransportError) -> NodeFault {
    match error {
        RpcError::ErrorResp(error) => match delay_of_code(error.code) {
            Some(seconds) => NodeFault::RateLimited { seconds },
            None => NodeFault::Refused { code: error.code, message: excerpt(&error.message, MAX_MESSAGE_CHARACTERS) },
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

impl fmt::Display for Node {
    /// Writes host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}
