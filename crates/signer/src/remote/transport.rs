//! One question to the signing service, and its answer: up to a size, over connections that are kept.

use std::{error::Error, io, iter::successors, time::Duration};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{self, Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use crate::SignerError;

/// How long a connection is kept that nothing is asked on. Shorter than what balancers keep theirs.
const IDLE: Duration = Duration::from_secs(15);

/// Asks one service.
pub(super) struct Transport {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Transport {
    /// Connects to nothing yet.
    pub(super) fn new(connector: HttpsConnector<HttpConnector>) -> Self {
        Self { client: Client::builder(TokioExecutor::new()).pool_idle_timeout(IDLE).build(connector) }
    }

    /// The body of a successful answer of at most `most` bytes; `None` for 404. Redirections are not followed: only the
    /// configured host is asked.
    ///
    /// # Errors
    /// [`SignerError::Unavailable`] for everything else, with nothing of the address and nothing that the service said.
    pub(super) async fn ask(&self, request: Request<Full<Bytes>>, most: usize) -> Result<Option<Bytes>, SignerError> {
        let answer = self.send(request).await.map_err(|error| unavailable(told(&error)))?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(unavailable(format!("HTTP status {}", status.as_u16()))),
        }
        let body = Limited::new(answer.into_body(), most).collect().await;
        body.map(|body| Some(body.to_bytes())).map_err(|error| unavailable(told(&*error)))
    }

    /// Sends a request, and sends it again, once, if the connection ended before there was an answer: it may have been a
    /// kept one that the service was closing. Nothing comes of a question that is asked twice: only an answer that
    /// arrives here can leave, and one does.
    async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, legacy::Error> {
        match self.client.request(request.clone()).await {
            Err(error) if has_ended(&error) => self.client.request(request).await,
            answer => answer,
        }
    }
}

/// Whether a connection was there, and ended before the answer began.
fn has_ended(error: &legacy::Error) -> bool {
    let is_end = |cause: &(dyn Error + 'static)| match cause.downcast_ref::<hyper::Error>() {
        Some(error) => error.is_incomplete_message() || error.is_closed() || error.is_canceled(),
        None => cause.is::<io::Error>(),
    };
    !error.is_connect() && causes(error).any(is_end)
}

/// An error and what caused it, in one line.
fn told(error: &(dyn Error + 'static)) -> String {
    causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(Some(error), |error: &&'e (dyn Error + 'static)| Error::source(*error))
}

pub(super) fn unavailable(reason: String) -> SignerError {
    SignerError::Unavailable { source: reason.into() }
}
