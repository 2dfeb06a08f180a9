//! What the fuzz targets `signers` and `certificates` feed with keystores, answers of signing services, and PEM.
//!
//! Built for fuzzing, and for the tests that replay the targets' corpora; part of no program.

use std::{error::Error, iter::successors};

use crate::{keystore, remote};

/// Reads `data` as a keystore, as the answers of a signing service, and as its address.
///
/// # Panics
/// When a keystore that costs too much, or that its parts were not read from, is accepted; when a key or a signature is
/// taken for that of another account; and when what is wrong is not said in one short line.
pub fn signers(data: &[u8]) {
    keystore::fuzzing::file(data);
    remote::fuzzing::keys(data);
    remote::fuzzing::signed(data);
    remote::fuzzing::url(data);
}

/// Reads `data` as the certificates that a signing service is trusted by, and as the certificate and the key to show it.
///
/// # Panics
/// When what is wrong is not said in one short line, and when something of the files is said.
pub fn certificates(data: &[u8]) {
    remote::fuzzing::pem(data);
}

/// Holds what is said about something that was read against what a log can take.
pub(crate) fn is_one_short_line(error: &(dyn Error + 'static)) {
    const LONGEST: usize = 300;
    let causes = successors(Some(error), |error: &&(dyn Error + 'static)| Error::source(*error));
    let told: String = causes.map(|error| format!("{error}: ")).collect();
    assert!(!told.contains(char::is_control), "{told:?}");
    assert!(told.len() <= LONGEST, "{} bytes: {told}", told.len());
}

#[cfg(test)]
#[path = "../../../fuzz/replay.rs"]
mod replay;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signers_hold_for_all_that_fuzzing_kept() {
        replay::replay("signers", signers);
    }

    #[test]
    fn certificates_hold_for_all_that_fuzzing_kept() {
        replay::replay("certificates", certificates);
    }
}
