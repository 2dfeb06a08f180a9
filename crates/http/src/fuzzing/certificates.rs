//! What the fuzz target `certificates` holds against the certificate that the service shows.

use crate::{TlsCertificate, TlsIdentity};

/// Reads `data` as a certificate and as its key: both can stand in one file.
///
/// # Panics
/// When what is accepted cannot be spoken TLS with, and when what stands around it in the file makes a difference.
pub fn certificates(data: &[u8]) {
    let Ok(certificate) = TlsCertificate::from_pem(data, data) else { return };
    let identity = TlsIdentity::new(certificate);
    assert!(identity.acceptor().is_ok());
    assert!(identity.expires_at().is_none_or(|second| second <= 253_402_300_800), "beyond the year 9999");
    let among_others = [b"Subject: a text before\n", data, b"\nand a text behind\n"].concat();
    assert!(TlsCertificate::from_pem(&among_others, &among_others).is_ok(), "{}", data.escape_ascii());
}
