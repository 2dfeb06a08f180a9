//! Errors of a request, by how far it got.

use std::{error::Error as StdError, io, iter::successors};

use http_body_util::LengthLimitError;
use hyper_util::client::legacy;

/// Reasons a request has no usable response. The messages repeat neither the URL nor any part of the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No connection was established: the request was not sent.
    #[error("{0}")]
    Connect(String),
    /// The connection ended or violated the protocol: the server may have read the request.
    #[error("{0}")]
    Interrupted(String),
    /// The body of the response is longer than the limit.
    #[error("length limit exceeded")]
    TooLong {
        /// The limit in bytes.
        max_bytes: usize,
    },
}

impl Error {
    /// Converts an error of sending a request or receiving the head of its response.
    pub(crate) fn from_send(error: &legacy::Error) -> Self {
        if error.is_connect() { Self::Connect(error_chain(error)) } else { Self::Interrupted(error_chain(error)) }
    }

    /// Converts an error of reading a response body of at most `max_bytes`.
    pub(crate) fn from_body(error: &(dyn StdError + 'static), max_bytes: usize) -> Self {
        if error.is::<LengthLimitError>() { Self::TooLong { max_bytes } } else { Self::Interrupted(error_chain(error)) }
    }
}

/// Whether an established connection ended before the response started.
pub(crate) fn is_closed_early(error: &legacy::Error) -> bool {
    let is_end = |cause: &(dyn StdError + 'static)| match cause.downcast_ref::<hyper::Error>() {
        Some(error) => error.is_incomplete_message() || error.is_closed() || error.is_canceled(),
        None => cause.is::<io::Error>(),
    };
    !error.is_connect() && sources(error).any(is_end)
}

/// Formats an error and its sources as one string, separated by colons.
pub fn error_chain(error: &(dyn StdError + 'static)) -> String {
    sources(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn sources<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    successors(Some(error), |error: &&'e (dyn StdError + 'static)| StdError::source(*error))
}
