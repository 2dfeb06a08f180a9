//! JSON-RPC over HTTP. The transports that come with the client write whole addresses into their spans and errors; this
//! one never does, and reads no more of an answer than a limit.

use std::{sync::Arc, task, time::Duration};

use alloy_json_rpc::{Id, RequestPacket, ResponsePacket};
use alloy_provider::transport::{TransportError, TransportErrorKind, TransportFut};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{
    HeaderMap, Method, Request, StatusCode,
    body::{Bytes, Incoming},
    header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, USER_AGENT},
};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use tower_service::Service;

use super::{InvalidChainAccess, NodeFault, url::NodeUrl};
use crate::sources::web;

/// How the node knows us.
const PROGRAM: &str = concat!("firmquote/", env!("CARGO_PKG_VERSION"));

/// The longest answer that is read, in bytes: a block with the hashes of all its transactions fits many times.
const LONGEST_ANSWER: usize = 4 << 20;

/// How long to leave a node alone that does not say how long.
const DEFAULT_PAUSE_SECONDS: u64 = 10;

/// The longest that a node can ask to be left alone.
const LONGEST_PAUSE_SECONDS: u64 = 3_600;

/// How long a connection is kept that nothing is asked on. Shorter than what balancers keep theirs.
const IDLE: Duration = Duration::from_secs(15);

/// Asks one node.
#[derive(Clone)]
pub(super) struct Transport {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: Arc<NodeUrl>,
}

impl Transport {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// [`InvalidChainAccess`] for `https` without a certificate authority to trust.
    pub(super) fn new(url: Arc<NodeUrl>, authorities: Option<&[u8]>) -> Result<Self, InvalidChainAccess> {
        let connector = web::connector(url.is_tls(), authorities).map_err(|error| InvalidChainAccess(format!("no TLS: {error}")))?;
        let client = Client::builder(TokioExecutor::new()).pool_idle_timeout(IDLE).build(connector);
        Ok(Self { client, url })
    }

    async fn ask(self, packet: RequestPacket) -> Result<ResponsePacket, NodeFault> {
        let asked = packet.as_single().map(|request| request.id().clone());
        let body = packet.serialize().map_err(|error| NodeFault::Malformed(error.to_string()))?;
        let mut request = Request::new(Full::from(String::from(Box::<str>::from(body))));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.uri().clone();
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(PROGRAM));
        let answer = self.client.request(request).await.map_err(|error| NodeFault::Gone(web::told(&error)))?;
        let (head, body) = answer.into_parts();
        if head.status == StatusCode::TOO_MANY_REQUESTS {
            return Err(NodeFault::Busy { seconds: pause_seconds(&head.headers) });
        }
        let body = read(body).await?;
        // Whatever the client is given, it may log.
        if self.url.is_betrayed_by(&String::from_utf8_lossy(&body)) {
            return Err(NodeFault::Malformed("its answer holds a part of its address".to_owned()));
        }
        let answer: Option<ResponsePacket> = serde_json::from_slice(&body).ok();
        match answer {
            // Some nodes send their errors with a status of their own.
            Some(answer) if head.status.is_success() || answer.is_error() => check_id(answer, asked),
            None if head.status.is_success() => Err(NodeFault::Malformed("its answer is no JSON-RPC".to_owned())),
            _ => Err(NodeFault::Gone(format!("HTTP status {}", head.status))),
        }
    }
}

impl Service<RequestPacket> for Transport {
    type Response = ResponsePacket;
    type Error = TransportError;
    type Future = TransportFut<'static>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> task::Poll<Result<(), Self::Error>> {
        task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, packet: RequestPacket) -> Self::Future {
        let this = self.clone();
        Box::pin(async move { this.ask(packet).await.map_err(TransportErrorKind::custom) })
    }
}

async fn read(body: Incoming) -> Result<Bytes, NodeFault> {
    let body = Limited::new(body, LONGEST_ANSWER).collect().await;
    body.map(|body| body.to_bytes()).map_err(|error| NodeFault::Gone(web::told(&*error)))
}

/// An answer to another question is none. Errors may come without an id.
fn check_id(answer: ResponsePacket, asked: Option<Id>) -> Result<ResponsePacket, NodeFault> {
    let answered = answer.as_single().map(|answer| answer.id.clone());
    if answered == asked || (answered == Some(Id::None) && answer.is_error()) {
        return Ok(answer);
    }
    Err(NodeFault::Malformed("it answers another question".to_owned()))
}

/// Seconds of a `Retry-After`; a date, or none at all, is the default.
fn pause_seconds(headers: &HeaderMap) -> u64 {
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    seconds.unwrap_or(DEFAULT_PAUSE_SECONDS).min(LONGEST_PAUSE_SECONDS)
}

/// What an error of JSON-RPC says about being asked too often, as the large providers say it.
pub(super) const fn pause_of_code(code: i64) -> Option<u64> {
    match code {
        429 | -32_005 | -32_029 => Some(DEFAULT_PAUSE_SECONDS),
        _ => None,
    }
}
