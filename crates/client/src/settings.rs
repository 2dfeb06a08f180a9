//! What a client is told once: where, who, how long.

use std::time::Duration;

use crate::Credential;

/// How a [`Client`](crate::Client) asks. Every field but `base_url` has a default.
pub struct ClientSettings {
    /// `https://` or `http://`, a host, perhaps a port and the start of a path. Over `http` the credential can be read on
    /// the way: for the same machine and for private networks only.
    pub base_url: String,
    /// The same for version 2, where the operator serves it elsewhere; `base_url` by default.
    pub base_url_v2: Option<String>,
    /// Who is asking; nobody in particular by default.
    pub credential: Credential,
    /// Certificates (PEM) of the authorities to trust instead of those that this system trusts.
    pub authorities: Option<Vec<u8>>,
    /// How long a connection may take, with its TLS handshake; 2 seconds by default.
    pub connect_timeout: Duration,
    /// How long a request may take from its start to the last byte of its answer, with the connection; 10 seconds by
    /// default. A quote holds for a few seconds only, so that more is of little use.
    pub request_timeout: Duration,
    /// How long a connection is kept that nothing is asked on; 15 seconds by default, less than servers and balancers
    /// keep theirs.
    pub idle_timeout: Duration,
    /// The longest answer that is read, in bytes; 1 MiB by default.
    pub most_answer_bytes: usize,
}

impl ClientSettings {
    /// Everything by default, for the server at `base_url`.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            base_url_v2: None,
            credential: Credential::Anonymous,
            authorities: None,
            connect_timeout: Duration::from_secs(2),
            request_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(15),
            most_answer_bytes: 1 << 20,
        }
    }
}
