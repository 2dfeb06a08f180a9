//! What all sources on the web share: whom they trust, how long they leave a busy server alone, what they repeat of it.

#[cfg(any(feature = "chain", feature = "pyth"))]
use std::error::Error;
use std::sync::Arc;
#[cfg(any(feature = "exchange", feature = "pyth"))]
use std::{convert::Infallible, time::Duration};

use hyper::http::uri::Authority;
#[cfg(any(feature = "chain", feature = "pyth"))]
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
#[cfg(any(feature = "chain", feature = "pyth"))]
use hyper_util::client::legacy::connect::HttpConnector;
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject as _},
};
#[cfg(any(feature = "exchange", feature = "pyth"))]
use tokio::time::timeout;

#[cfg(any(feature = "exchange", feature = "pyth"))]
use crate::SourceError;

/// The longest text of a server that is told on, in characters.
#[cfg(any(feature = "exchange", feature = "pyth"))]
const LONGEST_TEXT: usize = 200;

/// How long to leave a server alone that does not say how long, in seconds.
#[cfg(any(feature = "exchange", feature = "pyth"))]
const DEFAULT_PAUSE_SECONDS: u64 = 60;

/// Whether what stands behind the host, if anything does, is a port that there is: 1 to 65535. Without a look at it a port
/// that is mistyped is none, and somebody else is asked, at the default one.
pub(crate) fn is_port_right(authority: &Authority) -> bool {
    let has_port = authority.as_str().len() > authority.host().len();
    !has_port || authority.port_u16().is_some_and(|port| port != 0)
}

/// TLS that trusts the authorities whose certificates are in `authorities` (PEM), or those that this system trusts.
///
/// # Errors
/// In words, when nobody would be trusted.
pub(crate) fn tls(authorities: Option<&[u8]>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(pem) => {
            for (number, certificate) in (1..).zip(CertificateDer::pem_slice_iter(pem)) {
                // What the parser says repeats whole lines, which may be those of a key.
                let broken = || format!("certificate {number} is broken");
                roots.add(certificate.map_err(|_| broken())?).map_err(|_| broken())?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() {
        return Err("no certificate authority is trusted".to_owned());
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// Seconds of a `Retry-After`, at most `most`; a date, or none at all, is a minute.
#[cfg(any(feature = "exchange", feature = "pyth"))]
pub(crate) fn pause_seconds(retry_after: &str, most: u64) -> u64 {
    retry_after.trim().parse().unwrap_or(DEFAULT_PAUSE_SECONDS).min(most)
}

/// What of a server's text can stand in a log.
#[cfg(any(feature = "exchange", feature = "pyth"))]
pub(crate) fn shortened(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(LONGEST_TEXT).collect()
}

/// Connects by TLS as [`tls`] says, or without.
///
/// # Errors
/// Those of [`tls`].
#[cfg(any(feature = "chain", feature = "pyth"))]
pub(crate) fn connector(is_tls: bool, authorities: Option<&[u8]>) -> Result<HttpsConnector<HttpConnector>, String> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    if is_tls {
        let builder = HttpsConnectorBuilder::new().with_tls_config(tls(authorities)?);
        return Ok(builder.https_only().enable_http1().wrap_connector(http));
    }
    // Nobody is trusted, for nobody is asked.
    let nobody = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    Ok(HttpsConnectorBuilder::new().with_tls_config(nobody).https_or_http().enable_http1().wrap_connector(http))
}

/// An error with its causes, in one line.
#[cfg(any(feature = "chain", feature = "pyth"))]
pub(crate) fn told(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

/// Follows a source until it ends, or until `lifetime` has passed: servers end connections after a day, and a new one is
/// to be there before. `what` is what has reached its lifetime.
#[cfg(any(feature = "exchange", feature = "pyth"))]
pub(crate) async fn within_lifetime(
    lifetime: Duration,
    what: &str,
    follow: impl Future<Output = Result<Infallible, SourceError>>,
) -> SourceError {
    match timeout(lifetime, follow).await {
        Ok(Ok(never)) => match never {},
        Ok(Err(error)) => error,
        Err(_) => SourceError::Gone(format!("{what} has reached its lifetime").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(feature = "exchange", feature = "pyth"))]
    fn a_pause_is_what_the_server_asks_for_up_to_a_bound() {
        for (retry_after, seconds) in [
            ("1", 1),
            (" 90 ", 90),
            ("0", 0),
            ("3601", 3_600),
            ("18446744073709551615", 3_600),
            ("99999999999999999999", 60),
            ("", 60),
            ("-1", 60),
            ("Wed, 21 Oct 2026 07:28:00 GMT", 60),
        ] {
            assert_eq!(pause_seconds(retry_after, 3_600), seconds, "{retry_after}");
        }
    }

    #[test]
    fn what_is_no_certificate_is_refused_without_being_told() {
        for (pem, told) in [
            ("", "no certificate authority is trusted"),
            ("nothing", "no certificate authority is trusted"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 is broken"),
            (&format!("-----BEGIN CERTIFICATE{}", "A".repeat(4_000)), "certificate 1 is broken"),
        ] {
            assert_eq!(tls(Some(pem.as_bytes())).map(drop), Err(told.to_owned()), "{pem}");
        }
    }
}
