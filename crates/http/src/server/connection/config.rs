//! What every connection of a listener has in common.

use std::{io, sync::Arc};

use tokio_rustls::TlsAcceptor;

use super::admission::Admission;
use crate::{LiveService, TlsIdentity, request::body::MAX_BODY_BYTES, service::ConnectionSettings};

/// What every connection of a listener has in common: timeouts, TLS, and how many there may be.
#[derive(Clone)]
pub struct ConnectionConfig {
    /// How long clients may take.
    pub(crate) settings: ConnectionSettings,
    /// Speaks TLS, if it is spoken here.
    pub(crate) tls: Option<TlsAcceptor>,
    /// Which connections are taken; all of them where it is absent.
    pub(crate) admission: Option<Arc<Admission>>,
    /// The longest body that a handler reads.
    pub(crate) max_body_bytes: usize,
    pub(crate) service: Arc<LiveService>,
}

impl ConnectionConfig {
    /// Connections with these settings, which are counted in the metrics of `service`; its trusted proxies are not limited by
    /// their address.
    pub fn new(settings: ConnectionSettings, service: Arc<LiveService>) -> Self {
        let admission = Admission::new(
            settings.max_connections,
            settings.max_connections_per_address,
            service.load().metrics().admission.clone(),
        );
        let admission = Some(Arc::new(admission));
        Self { settings, tls: None, admission, max_body_bytes: MAX_BODY_BYTES, service }
    }

    /// The same for an application whose own routes read bodies of up to so many bytes; 16 KiB by default, which is what the
    /// routes of this crate read. No more than twice as much is taken in of a body, and a connection whose handler waits for
    /// more ends after the time for a head.
    pub fn with_max_body_bytes(self, bytes: usize) -> Self {
        Self { max_body_bytes: bytes.max(MAX_BODY_BYTES), ..self }
    }

    /// The same with TLS.
    ///
    /// # Errors
    /// [`io::Error`] when the cryptographic provider has no usable version of TLS.
    pub fn with_tls(self, identity: &TlsIdentity) -> io::Result<Self> {
        Ok(Self { tls: Some(identity.acceptor().map_err(io::Error::other)?), ..self })
    }
}
