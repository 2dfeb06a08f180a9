//! What fuzz targets hold against everything that is told on about what others sent.
//!
//! Built for fuzzing, and for the tests that replay the targets' corpora; part of no program.

use std::fmt::Display;

/// The longest text about something that was sent, in bytes: what is repeated has 200 characters at most.
const LONGEST: usize = 1_200;

/// Holds what is said about something that was sent against what a log can take.
///
/// # Panics
/// For more than one line, and for a long one.
pub fn is_one_short_line(said: &impl Display) {
    let said = said.to_string();
    assert!(!said.contains(char::is_control), "{said:?}");
    assert!(said.len() <= LONGEST, "{} bytes: {said}", said.len());
}

/// Reads `data` as the certificates that nodes and sources of prices are trusted by.
///
/// # Panics
/// When what is wrong is not said in one short line.
#[cfg(any(feature = "chain", feature = "exchange", feature = "pyth"))]
pub fn certificates(data: &[u8]) {
    if let Err(error) = crate::sources::web::tls(Some(data)) {
        assert!(error.len() <= 60, "{error}");
        is_one_short_line(&error);
    }
}

#[cfg(test)]
#[path = "../../../fuzz/replay.rs"]
pub(crate) mod replay;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(feature = "chain", feature = "exchange", feature = "pyth"))]
    fn certificates_hold_for_all_that_fuzzing_kept() {
        replay::replay("certificates", certificates);
    }
}
