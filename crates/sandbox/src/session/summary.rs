//! A request with its response, reduced to the parts that a session evaluates.

use actix_web::{http::StatusCode, web::Query};
use alloy_primitives::B256;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::{Fault, operation::Operation};

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct RequestSummary {
    pub(crate) operation: Operation,
    /// The hash of method, path, query and body: equal for a repeated request.
    pub(crate) fingerprint: B256,
    /// The members of the body, or the parameters of the query.
    pub(crate) fields: Map<String, Value>,
}

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct ResponseSummary {
    pub(crate) status: StatusCode,
    /// `Retry-After` in seconds.
    pub(crate) retry_after: Option<u64>,
    /// The members of a JSON object; empty for other bodies.
    pub(crate) members: Map<String, Value>,
}

/// A request with its outcome.
#[derive(Clone, Debug)]
pub(crate) struct HandledRequest {
    pub(crate) request: RequestSummary,
    pub(crate) fault: Option<Fault>,
    /// The response of the service, whether or not the client received it.
    pub(crate) response: Option<ResponseSummary>,
}

impl RequestSummary {
    /// Summarizes a request.
    pub(crate) fn new(operation: Operation, head: &str, query: &str, body: &[u8]) -> Self {
        let fingerprint =
            B256::from_slice(&Sha256::new().chain_update(head).chain_update([0]).chain_update(body).finalize());
        let fields = match serde_json::from_slice(body) {
            Ok(Value::Object(members)) => members,
            _ => Query::from_query(query).map(Query::into_inner).unwrap_or_default(),
        };
        Self { operation, fingerprint, fields }
    }

    /// Returns a field that is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }

    /// Returns the terms of a signature request with their defaults: the sender is the destination, `aux_data` is
    /// `default_aux_data`, and flags are false.
    pub(crate) fn terms(&self, default_aux_data: B256) -> Vec<String> {
        let text = |name: &str| self.text(name).map(str::to_ascii_lowercase);
        let destination = text("destination_address").unwrap_or_default();
        let sender = text("sender_address").unwrap_or_else(|| destination.clone());
        let aux_data = text("aux_data").unwrap_or_else(|| default_aux_data.to_string());
        let flags = ["native_input", "native_output", "transmit", "guarantee"];
        let flags = flags.map(|name| (self.fields.get(name) == Some(&Value::Bool(true))).to_string());
        [destination, sender, aux_data].into_iter().chain(flags).collect()
    }
}

impl ResponseSummary {
    /// Summarizes a response.
    pub(crate) fn new(status: StatusCode, retry_after: Option<u64>, body: &[u8]) -> Self {
        let members = match serde_json::from_slice(body) {
            Ok(Value::Object(members)) => members,
            _ => Map::new(),
        };
        Self { status, retry_after, members }
    }

    /// Returns a member that is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.members.get(name).and_then(Value::as_str)
    }
}
