//! One request and its answer: in time, up to a size, over connections that are kept.

use std::{error::Error as Cause, io, iter::successors, time::Duration};

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::{
    HeaderMap, Request, Response,
    body::{Bytes, Incoming},
};
use hyper_util::{
    client::legacy::{self, Client},
    rt::TokioExecutor,
};
use tokio::time::timeout;

use crate::{ClientSettings, connector::Connector, error::one_line};

/// Asks over HTTP.
pub(crate) struct Transport {
    client: Client<Connector, Full<Bytes>>,
    request_timeout: Duration,
    most_answer_bytes: usize,
}

/// An answer, whatever it says.
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is none.
pub(crate) enum Failure {
    Unreachable(String),
    TimedOut(Duration),
    Interrupted(String),
    TooLarge { status: u16, most: usize },
}

impl Transport {
    /// Connects to nothing yet.
    pub(crate) fn new(connector: Connector, settings: &ClientSettings) -> Self {
        let client = Client::builder(TokioExecutor::new()).pool_idle_timeout(settings.idle_timeout).build(connector);
        let ClientSettings { request_timeout, most_answer_bytes, .. } = *settings;
        Self { client, request_timeout, most_answer_bytes }
    }

    /// Sends a request and reads the whole answer; sends it twice only if it is repeatable. Redirections are not followed: nobody else is told the credential.
    ///
    /// # Errors
    /// [`Failure`], by what is known of the request.
    pub(crate) async fn ask(&self, request: Request<Full<Bytes>>, is_repeatable: bool) -> Result<Received, Failure> {
        let answered = timeout(self.request_timeout, self.exchange(request, is_repeatable)).await;
        answered.map_err(|_| Failure::TimedOut(self.request_timeout))?
    }

    async fn exchange(&self, request: Request<Full<Bytes>>, is_repeatable: bool) -> Result<Received, Failure> {
        let (head, body) = self.send(request, is_repeatable).await?.into_parts();
        let status = head.status.as_u16();
        let most = self.most_answer_bytes;
        match Limited::new(body, most).collect().await {
            Ok(body) => Ok(Received { status, headers: head.headers, body: body.to_bytes() }),
            Err(error) if error.is::<LengthLimitError>() => Err(Failure::TooLarge { status, most }),
            Err(error) => Err(Failure::Interrupted(told(&*error))),
        }
    }

    /// Sends a request, and sends a repeatable one again, once, if the connection ended before there was an answer: it may
    /// have been a kept one that the service was closing. The service may have read the first, so whatever befalls the second
    /// is an interruption.
    async fn send(&self, request: Request<Full<Bytes>>, is_repeatable: bool) -> Result<Response<Incoming>, Failure> {
        match self.client.request(request.clone()).await {
            Err(error) if is_repeatable && has_ended(&error) => {
                let again = self.client.request(request).await;
                again.map_err(|error| Failure::Interrupted(told(&error)))
            }
            answer => answer.map_err(|error| failure(&error)),
        }
    }
}

fn failure(error: &legacy::Error) -> Failure {
    if error.is_connect() { Failure::Unreachable(told(error)) } else { Failure::Interrupted(told(error)) }
}

/// Whether a connection was there, and ended before the answer began.
fn has_ended(error: &legacy::Error) -> bool {
    let is_end = |cause: &(dyn Cause + 'static)| match cause.downcast_ref::<hyper::Error>() {
        Some(error) => error.is_incomplete_message() || error.is_closed() || error.is_canceled(),
        None => cause.is::<io::Error>(),
    };
    !error.is_connect() && causes(error).any(is_end)
}

/// An error and what caused it, in one line.
fn told(error: &(dyn Cause + 'static)) -> String {
    one_line(&causes(error).map(ToString::to_string).collect::<Vec<_>>().join(": "))
}

fn causes<'e>(error: &'e (dyn Cause + 'static)) -> impl Iterator<Item = &'e (dyn Cause + 'static)> {
    successors(Some(error), |error: &&'e (dyn Cause + 'static)| Cause::source(*error))
}
