//! The entry point of the fuzz target `signers`: keystores and responses of signing services.
//!
//! Built for fuzzing, and for the test that replays the corpus of the target; not part of any program.

use std::{error::Error, iter::successors};

use crate::{keystore, remote};

/// Parses `data` as a keystore, as responses of a signing service, and as the URL of the service.
///
/// # Panics
/// When a keystore that is too expensive, or whose parts were misread, is accepted; when a key or a signature is
/// attributed to the wrong account; and when an error is not one short line.
pub fn signers(data: &[u8]) {
    keystore::fuzzing::file(data);
    remote::fuzzing::keys(data);
    remote::fuzzing::signed(data);
    remote::fuzzing::url(data);
}

/// Checks that an error message with its causes is one short line, fit for a log.
pub(crate) fn check_error_text(error: &(dyn Error + 'static)) {
    const MAX_LENGTH: usize = 300;
    let causes = successors(Some(error), |error: &&(dyn Error + 'static)| Error::source(*error));
    let text: String = causes.map(|error| format!("{error}: ")).collect();
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.len() <= MAX_LENGTH, "{} bytes: {text}", text.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signers_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("signers", signers);
    }
}
