//! One node and the calls that are made to it, each within the call timeout.

use std::{fmt, sync::Arc, time::Duration};

use alloy_json_rpc::{ErrorPayload, RpcRecv, RpcSend};
use alloy_primitives::U64;
use alloy_rpc_client::RpcClient;
use alloy_transport::{RpcError, TransportError, TransportErrorKind};
use firmquote_outbound::excerpt;
use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

use super::{
    Call, ChainRpcConfig, Head, NodeFault,
    head::BlockHeader,
    node_health::NodeHealth,
    transport::{HttpTransport, LongResponse, WebSocketTransport, delay_of_code},
    url::NodeUrl,
};
use crate::InvalidConfig;

/// The maximum length of a node's message in an error, in characters.
pub(super) const MAX_MESSAGE_CHARACTERS: usize = 120;

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
        let id: U64 = self.with_timeout(Call::ChainId, self.client.request_noparams(Call::ChainId.method())).await?;
        Ok(id.to())
    }

    /// Returns the newest block of the node.
    pub(super) async fn head(&self) -> Result<Head, NodeFault> {
        let block: Option<BlockHeader> = self.request(Call::NewestBlock, ("latest", false)).await?;
        block.ok_or_else(|| malformed(Call::NewestBlock, "it has no newest block"))?.head()
    }

    /// Returns the block at this height; `None` if the node has none.
    pub(super) async fn block(&self, number: u64) -> Result<Option<Head>, NodeFault> {
        let call = Call::Block(number);
        let block: Option<BlockHeader> = self.request(call, (U64::from(number), false)).await?;
        let block = block.map(|block| block.head()).transpose()?;
        match block {
            Some(block) if block.number != number => {
                Err(malformed(call, &format!("its response is block {}", block.number)))
            }
            block => Ok(block),
        }
    }

    /// Returns the response to `call` with `params`.
    pub(super) async fn request<P: RpcSend, R: RpcRecv>(&self, call: Call, params: P) -> Result<R, NodeFault> {
        self.with_timeout(call, self.client.request(call.method(), params)).await
    }

    /// Returns the response to `call` with `params`, or the JSON-RPC error of the node that is neither a rate limit nor
    /// a failure of the connection.
    pub(super) async fn request_fallible<P: RpcSend, R: RpcRecv>(
        &self,
        call: Call,
        params: P,
    ) -> Result<Result<R, ErrorPayload>, NodeFault> {
        let response = async {
            match self.client.request(call.method(), params).await {
                Err(RpcError::ErrorResp(error)) if delay_of_code(error.code).is_none() => Ok(Err(error)),
                response => response.map(Ok),
            }
        };
        self.with_timeout(call, response).await
    }

    /// Returns the response to `call` with `params`, which may be as long as the events of any block.
    pub(super) async fn request_long<P: RpcSend, R: RpcRecv>(&self, call: Call, params: P) -> Result<R, NodeFault> {
        let request = self.client.request(call.method(), params).map_meta(|mut meta| {
            meta.extensions_mut().insert(LongResponse);
            meta
        });
        self.with_timeout(call, request).await
    }

    /// Returns the response to `call` with `params` that name a range of blocks, if the node accepts the range. Over a
    /// WebSocket a response that is too long ends the connection, as other failures do.
    pub(super) async fn request_range<P: RpcSend, R: RpcRecv>(
        &self,
        call: Call,
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
        let response = async {
            let response = self.client.request(call.method(), params).await;
            response.map(RangeResponse::Complete).or_else(without_response)
        };
        self.with_timeout(call, response).await
    }

    /// Returns the response to `request`, which makes `call`, unless it fails or exceeds the call timeout.
    async fn with_timeout<T>(
        &self,
        call: Call,
        request: impl IntoFuture<Output = Result<T, TransportError>>,
    ) -> Result<T, NodeFault> {
        match timeout(self.call_timeout, request).await {
            Ok(response) => response.map_err(|error| node_fault(call, error)),
            Err(_) => {
                self.web_socket.as_ref().inspect(|web_socket| web_socket.close());
                Err(NodeFault::Timeout { call: call.to_string(), millis: self.call_timeout.as_millis() })
            }
        }
    }
}

/// Converts an error of the RPC client to a fault of the node, which names `call`.
pub(super) fn node_fault(call: Call, error: TransportError) -> NodeFault {
    let disconnected = |reason: &str| NodeFault::Disconnected(format!("{call}: {reason}"));
    match error {
        RpcError::ErrorResp(error) => match delay_of_code(error.code) {
            Some(seconds) => NodeFault::RateLimited { seconds },
            None => refused(call, &error),
        },
        RpcError::Transport(TransportErrorKind::Custom(error)) => match error.downcast::<NodeFault>() {
            Ok(fault) => match *fault {
                NodeFault::Disconnected(reason) => disconnected(&reason),
                NodeFault::Malformed(reason) => malformed(call, &reason),
                NodeFault::TooLong { max_bytes, .. } => NodeFault::TooLong { call: call.to_string(), max_bytes },
                fault => fault,
            },
            Err(_) => disconnected("the connection was lost"),
        },
        RpcError::Transport(_) => disconnected("the connection was lost"),
        RpcError::DeserError { text, .. } if text == "null" => malformed(call, "its result is null"),
        // The texts of these errors contain what the node sent, of any length.
        _ => malformed(call, "its response has an unexpected shape"),
    }
}

/// Returns the fault of a node that responds to `call` with this error.
pub(super) fn refused(call: Call, error: &ErrorPayload) -> NodeFault {
    let message = excerpt(&error.message, MAX_MESSAGE_CHARACTERS);
    NodeFault::Refused { call: call.to_string(), code: error.code, message }
}

/// Returns the fault of a node whose response to `call` is invalid.
pub(super) fn malformed(call: Call, reason: &str) -> NodeFault {
    NodeFault::Malformed(format!("{call}: {reason}"))
}

impl fmt::Display for Node {
    /// Writes host and port.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(f)
    }
}
