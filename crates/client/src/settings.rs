//! The settings of a client: server, credential and limits.

use std::time::Duration;

use crate::Credential;

/// The settings of a [`Client`](crate::Client). Every field but `base_url` has a default.
pub struct ClientSettings {
    /// `https://` or `http://`, a host, and optionally a port and a path prefix. Over `http` the credential can be read
    /// in transit: use it only on the same machine and in private networks.
    pub base_url: String,
    /// The base URL of version 2, if the operator serves it elsewhere; `base_url` by default.
    pub base_url_v2: Option<String>,
    /// The credential; anonymous by default.
    pub credential: Credential,
    /// PEM certificates of the trusted authorities; by default those of this system.
    pub authorities: Option<Vec<u8>>,
    /// The timeout of a connection attempt, including its TLS handshake; 2 seconds by default.
    pub connect_timeout: Duration,
    /// The timeout of a request, from its start to the last byte of its response, including the connection; 10 seconds
    /// by default. A quote is valid for a few seconds only, so a longer timeout is of little use.
    pub request_timeout: Duration,
    /// How long an idle connection is kept; 15 seconds by default, less than servers and load balancers usually allow.
    pub idle_timeout: Duration,
    /// The maximum size of a response, in bytes; 1 MiB by default.
    pub max_response_bytes: usize,
}

impl ClientSettings {
    /// Default settings for the server at `base_url`.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            base_url_v2: None,
            credential: Credential::Anonymous,
            authorities: None,
            connect_timeout: Duration::from_secs(2),
            request_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(15),
            max_response_bytes: 1 << 20,
        }
    }
}
