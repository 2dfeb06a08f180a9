//! What the fuzz target `signers` feeds with keystores and with answers of signing services.
//!
//! Built for fuzzing, and for the test that replays the target's corpus; part of no program.

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

/// Holds what is said about something that was read against what a log can take.
pub(crate) fn is_one_short_line(error: &(dyn Error + 'static)) {
    const MAX_LENGTH: usize = 300;
    let causes = successors(Some(error), |error: &&(dyn Error + 'static)| Error::source(*error));
    let told: String = causes.map(|error| format!("{error}: ")).collect();
    assert!(!told.contains(char::is_control), "{told:?}");
    assert!(told.len() <= MAX_LENGTH, "{} bytes: {told}", told.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signers_hold_for_all_that_fuzzing_kept() {
        firmquote_test_corpus::replay("signers", signers);
    }
}
