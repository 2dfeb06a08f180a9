//! JSON-RPC over a WebSocket. A call opens the connection if none is open; a late response closes it, because nothing
//! else detects a lost peer.

use std::{sync::Arc, task, time::Duration};

use alloy_json_rpc::{Id, PubSubItem, Request, RequestPacket, Response, ResponsePacket};
use alloy_primitives::B256;
use alloy_pubsub::{ConnectionHandle, ConnectionInterface, PubSubConnect, PubSubFrontend, RawSubscription};
use alloy_transport::{TransportError, TransportErrorKind, TransportFut, TransportResult};
use futures_util::{SinkExt as _, StreamExt as _, future::poll_fn};
use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, broadcast::error::RecvError, watch},
    time::timeout,
};
use tokio_tungstenite::tungstenite::Message;
use tower_service::Service;

use super::{
    handshake::{Handshake, Socket},
    message::Message as JsonRpcMessage,
};
use crate::{InvalidConfig, chain::url::NodeUrl};

/// The id of the subscription request, beyond those that the RPC client counts up from zero.
const SUBSCRIPTION: Id = Id::Number(1 << 52);

/// The WebSocket transport of one node: one connection at a time, subscribed to new blocks.
#[derive(Clone)]
pub(in crate::chain) struct WebSocketTransport {
    connector: Connector,
    /// Counts the blocks that nodes have announced.
    new_heads: watch::Sender<u64>,
    connection: Arc<Mutex<Option<PubSubFrontend>>>,
    /// Held while connecting, so that concurrent calls wait for that connection instead of opening their own.
    connecting: Arc<Semaphore>,
}

/// The address of the node and the means to connect to it.
#[derive(Clone)]
struct Connector {
    url: Arc<NodeUrl>,
    handshake: Handshake,
    call_timeout: Duration,
}

impl WebSocketTransport {
    /// Creates a transport without connecting. Every block that the node announces is counted in `new_heads`.
    ///
    /// # Errors
    /// [`InvalidConfig`] for `wss` without a certificate authority to trust.
    pub(in crate::chain) fn new(
        url: Arc<NodeUrl>,
        authorities: Option<&[u8]>,
        call_timeout: Duration,
        new_heads: watch::Sender<u64>,
    ) -> Result<Self, InvalidConfig> {
        let handshake = Handshake::new(Arc::clone(&url), authorities)?;
        let connector = Connector { url, handshake, call_timeout };
        Ok(Self { connector, new_heads, connection: Arc::default(), connecting: Arc::new(Semaphore::new(1)) })
    }

    /// Drops the connection. Pending responses are lost.
    pub(in crate::chain) fn close(&self) {
        self.set_connection(None);
    }

    /// Returns the open connection, or opens one; concurrent calls open one together.
    async fn connect_once(&self) -> TransportResult<PubSubFrontend> {
        if let Some(open) = self.open_connection().await {
            return Ok(open);
        }
        let _connecting = self.connecting.acquire().await;
        if let Some(open) = self.open_connection().await {
            return Ok(open);
        }
        let connection = self.connector.clone().into_service().await?;
        self.set_connection(Some(connection.clone()));
        tokio::spawn(listen(connection.clone(), self.connector.call_timeout, self.new_heads.clone()));
        Ok(connection)
    }

    /// Returns the connection if it is open.
    async fn open_connection(&self) -> Option<PubSubFrontend> {
        let mut open = self.connection.lock().clone()?;
        let is_ready = poll_fn(|context| open.poll_ready(context)).await.is_ok();
        is_ready.then_some(open)
    }

    fn set_connection(&self, connection: Option<PubSubFrontend>) {
        *self.connection.lock() = connection;
    }
}

impl Service<RequestPacket> for WebSocketTransport {
    type Response = ResponsePacket;
    type Error = TransportError;
    type Future = TransportFut<'static>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> task::Poll<Result<(), Self::Error>> {
        task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, packet: RequestPacket) -> Self::Future {
        let this = self.clone();
        Box::pin(async move { this.connect_once().await?.send_packet(packet).await })
    }
}

/// Counts the blocks that the node announces, until the connection ends. A node that announces none is polled like the
/// others.
async fn listen(connection: PubSubFrontend, call_timeout: Duration, new_heads: watch::Sender<u64>) {
    let Ok(Some(mut blocks)) = timeout(call_timeout, subscribe(connection)).await else { return };
    // Blocks that arrived faster than they were counted count as well.
    while let Ok(_) | Err(RecvError::Lagged(_)) = blocks.recv().await {
        new_heads.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// Subscribes to new blocks, if the node supports it. The subscription does not keep the connection open.
async fn subscribe(connection: PubSubFrontend) -> Option<RawSubscription> {
    let request = Request::new("eth_subscribe", SUBSCRIPTION, ["newHeads"]).serialize().ok()?;
    let answer = connection.send(request).await.ok()?;
    let id: B256 = serde_json::from_str(answer.payload.as_success()?.get()).ok()?;
    connection.get_subscription(id).await.ok()
}

impl PubSubConnect for Connector {
    fn is_local(&self) -> bool {
        false
    }

    async fn connect(&self) -> TransportResult<ConnectionHandle> {
        let socket = self.handshake.perform().await.map_err(TransportErrorKind::custom)?;
        let (handle, interface) = ConnectionHandle::new();
        tokio::spawn(self.clone().forward(socket, interface));
        Ok(handle)
    }

    /// Fails: only a call opens a new connection.
    async fn try_reconnect(&self) -> TransportResult<ConnectionHandle> {
        Err(connection_lost())
    }
}

impl Connector {
    /// Forwards requests to the node and its responses back, until one side is gone.
    async fn forward(self, mut socket: Socket, mut interface: ConnectionInterface) {
        loop {
            tokio::select! {
                request = interface.recv_from_frontend() => {
                    let Some(request) = request else { return };
                    let sent = timeout(self.call_timeout, socket.send(Message::text(request.get()))).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        break;
                    }
                }
                message = socket.next() => {
                    let is_forwarded = match message {
                        Some(Ok(Message::Text(text))) => self.forward_response(&text, &interface),
                        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => true,
                        _ => false,
                    };
                    if !is_forwarded {
                        break;
                    }
                }
            }
        }
        interface.close_with_transport_error(connection_lost());
    }

    /// Forwards a message of the node and returns true, if it is JSON-RPC and reveals nothing of the address.
    fn forward_response(&self, text: &str, interface: &ConnectionInterface) -> bool {
        parse_response(&self.url, text).is_some_and(|item| interface.send_to_frontend(item).is_ok())
    }
}

/// Parses a message of the node, if it is JSON-RPC and reveals nothing of the address.
pub(in crate::chain) fn parse_response(url: &NodeUrl, text: &str) -> Option<PubSubItem> {
    url.check_leak(text).ok()?;
    let item = serde_json::from_str(text).ok().and_then(JsonRpcMessage::into_item)?;
    // An error without an id may concern any pending request, and none of them would ever complete.
    Some(item).filter(|item| !matches!(item, PubSubItem::Response(Response { id: Id::None, .. })))
}

fn connection_lost() -> TransportError {
    TransportErrorKind::non_retryable_str("the connection was lost")
}
