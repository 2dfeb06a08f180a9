//! Connections: whom they trust, and how long they may take to be there.

use std::{
    error::Error,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use hyper::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use tokio::time::timeout;
use tower_service::Service;

use crate::InvalidSettings;

type Https = HttpsConnector<HttpConnector>;
type Failure = Box<dyn Error + Send + Sync>;

/// Connects within a time that covers the address look-up, TCP and TLS.
#[derive(Clone)]
pub(crate) struct Connector {
    https: Https,
    within: Duration,
}

impl Connector {
    /// Connects by TLS where the address says so. Without any such address nobody is trusted, for nobody is asked.
    ///
    /// # Errors
    /// [`InvalidSettings::Authorities`], for TLS only.
    pub(crate) fn new(is_tls: bool, authorities: Option<&[u8]>, within: Duration) -> Result<Self, InvalidSettings> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        let roots = if is_tls { roots(authorities)? } else { RootCertStore::empty() };
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| untrusted(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let builder = HttpsConnectorBuilder::new().with_tls_config(config).https_or_http();
        Ok(Self { https: builder.enable_http1().wrap_connector(http), within })
    }
}

impl Service<Uri> for Connector {
    type Response = <Https as Service<Uri>>::Response;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Failure>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        self.https.poll_ready(context)
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let (connected, within) = (self.https.call(address), self.within);
        Box::pin(async move {
            let late = |_| Failure::from(format!("no connection within {} ms", within.as_millis()));
            timeout(within, connected).await.map_err(late)?
        })
    }
}

fn roots(authorities: Option<&[u8]>) -> Result<RootCertStore, InvalidSettings> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(pem) => {
            for (number, certificate) in (1..).zip(CertificateDer::pem_slice_iter(pem)) {
                // What the parser says repeats whole lines, which may be those of a key.
                let broken = || untrusted(format!("certificate {number} is broken"));
                roots.add(certificate.map_err(|_| broken())?).map_err(|_| broken())?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() { Err(untrusted("no certificate authority is trusted".to_owned())) } else { Ok(roots) }
}

fn untrusted(reason: String) -> InvalidSettings {
    InvalidSettings::Authorities { reason }
}
