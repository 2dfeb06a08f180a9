//! TLS configuration of outbound connections: trusted authorities and client certificate.

use std::sync::Arc;

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};

/// A client certificate with its key, both as PEM.
#[derive(Clone, Copy)]
pub struct ClientIdentity<'p> {
    /// The certificate, followed by its intermediates.
    pub certificates: &'p [u8],
    /// The private key of the first certificate.
    pub key: &'p [u8],
}

/// Reasons a TLS configuration is invalid. The messages repeat nothing of the input, which may contain a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTls {
    /// The given PEM contains no certificate, or this system trusts no authority.
    #[error("no certificate authority is trusted")]
    NoAuthority,
    /// One of the given authorities is not a valid certificate.
    #[error("certificate {number} is broken")]
    Authority {
        /// Its position in the PEM, from 1.
        number: usize,
    },
    /// Certificate and key of the client are not PEM, or do not match.
    #[error("certificate and key do not match")]
    Identity,
    /// The cryptographic provider supports no usable TLS version.
    #[error("{0}")]
    Provider(String),
}

/// Builds the configuration of a TLS client that trusts only `authorities` (PEM), or those of this system if `None`,
/// and presents `identity` to servers that request a certificate. For HTTP and WebSockets.
///
/// # Errors
/// [`InvalidTls`] for invalid input, and when no authority would be trusted.
pub fn client_tls(
    authorities: Option<&[u8]>,
    identity: Option<ClientIdentity<'_>>,
) -> Result<ClientConfig, InvalidTls> {
    let roots = trust_roots(authorities)?;
    if roots.is_empty() {
        return Err(InvalidTls::NoAuthority);
    }
    with_roots(roots, identity)
}

/// Builds the configuration of a client that opens no TLS connections: it trusts no authority.
pub(crate) fn without_roots() -> Result<ClientConfig, InvalidTls> {
    with_roots(RootCertStore::empty(), None)
}

fn with_roots(roots: RootCertStore, identity: Option<ClientIdentity<'_>>) -> Result<ClientConfig, InvalidTls> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| InvalidTls::Provider(error.to_string()))?
        .with_root_certificates(roots);
    let Some(ClientIdentity { certificates, key }) = identity else { return Ok(builder.with_no_client_auth()) };
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificates).collect();
    let certificates = certificates.map_err(|_| InvalidTls::Identity)?;
    let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| InvalidTls::Identity)?;
    builder.with_client_auth_cert(certificates, key).map_err(|_| InvalidTls::Identity)
}

fn trust_roots(authorities: Option<&[u8]>) -> Result<RootCertStore, InvalidTls> {
    let mut roots = RootCertStore::empty();
    match authorities {
        Some(pem) => {
            for (number, certificate) in (1..).zip(CertificateDer::pem_slice_iter(pem)) {
                // The message of the parser repeats whole lines, which may be part of a key.
                let broken = InvalidTls::Authority { number };
                roots.add(certificate.map_err(|_| broken.clone())?).map_err(|_| broken)?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_authority_is_rejected_by_its_position_only() {
        for (pem, message) in [
            ("", "no certificate authority is trusted"),
            ("nothing", "no certificate authority is trusted"),
            ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "certificate 1 is broken"),
            (&format!("-----BEGIN CERTIFICATE{}", "A".repeat(4_000)), "certificate 1 is broken"),
        ] {
            let error = client_tls(Some(pem.as_bytes()), None).unwrap_err();
            assert_eq!(error.to_string(), message, "{pem}");
        }
    }

    #[test]
    fn a_mismatched_certificate_and_key_are_rejected() {
        let [one, other] = [0; 2].map(|_| rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap());
        let (certificates, own_key, other_key) =
            (one.cert.pem(), one.signing_key.serialize_pem(), other.signing_key.serialize_pem());
        let tls = |key: &str| {
            let identity = ClientIdentity { certificates: certificates.as_bytes(), key: key.as_bytes() };
            client_tls(Some(certificates.as_bytes()), Some(identity)).map(drop)
        };
        assert_eq!(tls(&own_key), Ok(()));
        for key in [other_key.as_str(), "", "nothing"] {
            assert_eq!(tls(key), Err(InvalidTls::Identity));
        }
    }
}
