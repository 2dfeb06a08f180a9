//! Settings shared by all connections of a listener.

use std::{io, sync::Arc};

use tokio_rustls::TlsAcceptor;

use super::admission::Admission;
use crate::{LiveService, TlsIdentity, request::body::MAX_BODY_BYTES, service::ConnectionSettings};

/// Settings shared by all connections of a listener: timeouts, TLS and connection limits.
#[derive(Clone)]
pub struct ConnectionConfig {
    /// Timeouts and limits of connections.
    pub(crate) settings: ConnectionSettings,
    /// The TLS acceptor, if TLS is configured.
    pub(crate) tls: Option<TlsAcceptor>,
    /// Connection limits; unlimited if absent.
    pub(crate) admission: Option<Arc<Admission>>,
    /// The longest body that a handler reads, in bytes.
    pub(crate) max_body_bytes: usize,
    pub(crate) service: Arc<LiveService>,
}

impl ConnectionConfig {
    /// Creates a configuration with these settings. Connections are counted in the metrics of `service`, and its
    /// trusted proxies are exempt from the limit per address.
    pub fn new(settings: ConnectionSettings, service: Arc<LiveService>) -> Self {
        let admission = Admission::new(
            settings.max_connections,
            settings.max_connections_per_address,
            service.load().metrics().admission.clone(),
        );
        let admission = Some(Arc::new(admission));
        Self { settings, tls: None, admission, max_body_bytes: MAX_BODY_BYTES, service }
    }

    /// Sets the maximum body size for an application whose own routes read larger bodies than the default of 16 KiB,
    /// the limit of this crate's routes. At most twice this size is received of a body; a connection whose handler
    /// waits for more is closed after the head timeout.
    pub fn with_max_body_bytes(self, bytes: usize) -> Self {
        Self { max_body_bytes: bytes.max(MAX_BODY_BYTES), ..self }
    }

    /// Enables TLS with `identity`.
    ///
    /// # Errors
    /// [`io::Error`] when the cryptographic provider supports no usable TLS version.
    pub fn with_tls(self, identity: &TlsIdentity) -> io::Result<Self> {
        Ok(Self { tls: Some(identity.acceptor().map_err(io::Error::other)?), ..self })
    }
}
