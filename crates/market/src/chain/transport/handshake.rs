//! The WebSocket handshake: the one of the WebSocket library logs whole URLs, which may contain keys.

use std::{sync::Arc, time::Duration};

use firmquote_outbound::{HttpClient, Retry, error_chain};
use http_body_util::Full;
use hyper::{
    HeaderMap, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{self, CONNECTION, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE},
    upgrade::{self, Upgraded},
};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        handshake::{client::generate_key, derive_accept_key},
        protocol::Role,
    },
};

use super::{MAX_LONG_RESPONSE_BYTES, rate_limited};
use crate::{
    InvalidConfig, USER_AGENT,
    chain::{NodeFault, url::NodeUrl},
    web_socket_config,
};

pub(super) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// A WebSocket connector for one node.
#[derive(Clone)]
pub(super) struct Handshake {
    client: HttpClient,
    url: Arc<NodeUrl>,
}

impl Handshake {
    /// Creates a connector without connecting.
    ///
    /// # Errors
    /// [`InvalidConfig`] for `wss` without a certificate authority to trust.
    pub(super) fn new(url: Arc<NodeUrl>, authorities: Option<&[u8]>) -> Result<Self, InvalidConfig> {
        Ok(Self { client: super::client(url.endpoint(), authorities, Duration::ZERO)?, url })
    }

    /// Opens a new connection. Redirects are not followed.
    ///
    /// # Errors
    /// [`NodeFault::RateLimited`] for a node that rate limits, [`NodeFault::Disconnected`] for one that cannot be
    /// reached or refuses, and [`NodeFault::Malformed`] for one that does not support WebSockets or repeats its
    /// address.
    pub(super) async fn perform(&self) -> Result<Socket, NodeFault> {
        let key = generate_key();
        let sent = self.client.send(self.request(&key)?, Retry::Never).await;
        let response = sent.map_err(|error| self.disconnected(error.to_string()))?;
        check(&response, &key)?;
        let upgraded = upgrade::on(response).await.map_err(|error| self.disconnected(error_chain(&error)))?;
        // The limit is one of the connection, not of a response.
        let config = web_socket_config::with_max_message_bytes(MAX_LONG_RESPONSE_BYTES);
        Ok(WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Client, Some(config)).await)
    }

    fn request(&self, key: &str) -> Result<Request<Full<Bytes>>, NodeFault> {
        let mut request = Request::new(Full::default());
        *request.uri_mut() = self.url.endpoint().handshake_uri();
        let key = HeaderValue::from_str(key).map_err(|error| NodeFault::Malformed(error.to_string()))?;
        let mut headers = HeaderMap::new();
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(SEC_WEBSOCKET_KEY, key);
        headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
        *request.headers_mut() = headers;
        Ok(request)
    }

    fn disconnected(&self, reason: String) -> NodeFault {
        self.url.check_leak(&reason).err().unwrap_or(NodeFault::Disconnected(reason))
    }
}

/// Checks the handshake response of the node (RFC 6455, section 4.1).
fn check(response: &Response<Incoming>, key: &str) -> Result<(), NodeFault> {
    match response.status() {
        StatusCode::SWITCHING_PROTOCOLS => {}
        StatusCode::TOO_MANY_REQUESTS => return Err(rate_limited(response.headers())),
        status => return Err(NodeFault::Disconnected(format!("HTTP {}", status.as_u16()))),
    }
    let accepted = response.headers().get(SEC_WEBSOCKET_ACCEPT).map(HeaderValue::as_bytes);
    if accepted != Some(derive_accept_key(key.as_bytes()).as_bytes()) {
        return Err(NodeFault::Malformed("its handshake does not match the request".to_owned()));
    }
    Ok(())
}
