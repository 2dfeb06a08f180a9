//! The part of the fuzz target `certificates` that reads authorities and client certificates.
//!
//! Built for fuzzing, and for the test that replays the corpus of the target; not part of any program.

use crate::{ClientIdentity, InvalidTls, client_tls};

/// Parses `pem` as trusted authorities, and as a client certificate and its key.
///
/// # Panics
/// When a message repeats part of the input, and when an identity changes the result for the authorities.
pub fn certificates(pem: &[u8]) {
    let alone = client_tls(Some(pem), None).map(drop);
    if let Err(error) = &alone {
        let is_known = match error {
            InvalidTls::NoAuthority => true,
            InvalidTls::Authority { number } => (1..=pem.len()).contains(number),
            InvalidTls::Identity | InvalidTls::Provider(_) => false,
        };
        assert!(is_known, "{error}");
    }
    let identity = ClientIdentity { certificates: pem, key: pem };
    let with_identity = client_tls(Some(pem), Some(identity)).map(drop);
    assert!(with_identity == alone || with_identity == Err(InvalidTls::Identity), "{}", pem.escape_ascii());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("certificates", certificates);
    }
}
