//! JSON-RPC over HTTP, one HTTP request per call.

use std::{sync::Arc, task, time::Duration};

use alloy_json_rpc::{Id, RequestPacket, ResponsePacket};
use alloy_transport::{TransportError, TransportErrorKind, TransportFut};
use firmquote_outbound::{Error, HttpClient, Retry, read_body};
use http_body_util::Full;
use hyper::{
    Method, Request, StatusCode,
    header::{self, CONTENT_TYPE, HeaderValue},
};
use tower_service::Service;

use super::{LongResponse, MAX_LONG_RESPONSE_BYTES, MAX_RESPONSE_BYTES, message::Message, rate_limited};
use crate::{
    InvalidConfig, USER_AGENT,
    chain::{NodeFault, url::NodeUrl},
};

/// How long an idle connection is kept. Shorter than the idle timeouts of load balancers.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// The HTTP transport of one node.
#[derive(Clone)]
pub(in crate::chain) struct HttpTransport {
    client: HttpClient,
    url: Arc<NodeUrl>,
}

impl HttpTransport {
    /// Creates a transport without connecting.
    ///
    /// # Errors
    /// [`InvalidConfig`] for `https` without a certificate authority to trust.
    pub(in crate::chain) fn new(url: Arc<NodeUrl>, authorities: Option<&[u8]>) -> Result<Self, InvalidConfig> {
        Ok(Self { client: super::client(url.endpoint(), authorities, IDLE_TIMEOUT)?, url })
    }

    async fn send(self, packet: RequestPacket) -> Result<ResponsePacket, NodeFault> {
        let request_id = packet.as_single().map(|request| request.id().clone());
        let is_long =
            packet.as_single().is_some_and(|request| request.meta().extensions().get::<LongResponse>().is_some());
        let max_bytes = if is_long { MAX_LONG_RESPONSE_BYTES } else { MAX_RESPONSE_BYTES };
        let body = packet.serialize().map_err(|error| NodeFault::Malformed(error.to_string()))?;
        let mut request = Request::new(Full::from(String::from(Box::<str>::from(body))));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.endpoint().uri().clone();
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers_mut().insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
        let response = self.client.send(request, Retry::Never).await.map_err(disconnected)?;
        let (head, body) = response.into_parts();
        if head.status == StatusCode::TOO_MANY_REQUESTS {
            return Err(rate_limited(&head.headers));
        }
        let body = read_body(body, max_bytes).await.map_err(disconnected)?;
        parse_response(&self.url, head.status, &body, request_id)
    }
}

/// Returns the response in a body, if it answers the request `request_id` and reveals nothing of the address.
pub(in crate::chain) fn parse_response(
    url: &NodeUrl,
    status: StatusCode,
    body: &[u8],
    request_id: Option<Id>,
) -> Result<ResponsePacket, NodeFault> {
    url.check_leak(&String::from_utf8_lossy(body))?;
    let response = serde_json::from_slice(body).ok().and_then(Message::into_response);
    match response {
        // Some nodes send JSON-RPC errors with an HTTP error status.
        Some(response) if status.is_success() || response.is_error() => {
            check_id(ResponsePacket::Single(response), request_id)
        }
        None if status.is_success() => Err(NodeFault::Malformed("its response is not JSON-RPC".to_owned())),
        _ => Err(NodeFault::Disconnected(format!("HTTP status {status}"))),
    }
}

impl Service<RequestPacket> for HttpTransport {
    type Response = ResponsePacket;
    type Error = TransportError;
    type Future = TransportFut<'static>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> task::Poll<Result<(), Self::Error>> {
        task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, packet: RequestPacket) -> Self::Future {
        let this = self.clone();
        Box::pin(async move { this.send(packet).await.map_err(TransportErrorKind::custom) })
    }
}

fn disconnected(error: Error) -> NodeFault {
    match error {
        Error::TooLong { max_bytes } => NodeFault::TooLong { call: String::new(), max_bytes },
        error => NodeFault::Disconnected(error.to_string()),
    }
}

/// Rejects a response to another request. Errors may come without an id.
fn check_id(response: ResponsePacket, request_id: Option<Id>) -> Result<ResponsePacket, NodeFault> {
    let response_id = response.as_single().map(|response| response.id.clone());
    if response_id == request_id || (response_id == Some(Id::None) && response.is_error()) {
        return Ok(response);
    }
    Err(NodeFault::Malformed("its response is to another request".to_owned()))
}
