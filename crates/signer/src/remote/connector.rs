//! Who is trusted to be the signing service, and who it is told is asking.

use std::sync::Arc;

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};

use super::{InvalidRemoteAccess, RemoteAccess, RemoteIdentity};

/// Connects by TLS if `is_tls`, and otherwise without.
///
/// # Errors
/// [`InvalidRemoteAccess::Authorities`] and [`InvalidRemoteAccess::Identity`], both for TLS only.
pub(super) fn connector(
    is_tls: bool,
    access: &RemoteAccess,
) -> Result<HttpsConnector<HttpConnector>, InvalidRemoteAccess> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    // Without TLS nobody is asked, and nobody is trusted.
    let roots = if is_tls { roots(access.authorities.as_deref())? } else { RootCertStore::empty() };
    let identity = access.identity.as_ref().filter(|_| is_tls);
    let builder = HttpsConnectorBuilder::new().with_tls_config(tls(roots, identity)?);
    let builder = if is_tls { builder.https_only() } else { builder.https_or_http() };
    Ok(builder.enable_http1().wrap_connector(http))
}

fn tls(roots: RootCertStore, identity: Option<&RemoteIdentity>) -> Result<ClientConfig, InvalidRemoteAccess> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| untrusted(error.to_string()))?
        .with_root_certificates(roots);
    let Some(identity) = identity else { return Ok(builder.with_no_client_auth()) };
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&identity.certificates).collect();
    let certificates = certificates.map_err(|_| InvalidRemoteAccess::Identity)?;
    let key = PrivateKeyDer::from_pem_slice(&identity.key).map_err(|_| InvalidRemoteAccess::Identity)?;
    builder.with_client_auth_cert(certificates, key).map_err(|_| InvalidRemoteAccess::Identity)
}

fn roots(authorities: Option<&[u8]>) -> Result<RootCertStore, InvalidRemoteAccess> {
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
    if roots.is_empty() { Err(untrusted("there is no certificate".to_owned())) } else { Ok(roots) }
}

fn untrusted(reason: String) -> InvalidRemoteAccess {
    InvalidRemoteAccess::Authorities { reason }
}
