//! The checks that fuzz targets run on every text that describes untrusted input.
//!
//! Compiled for fuzzing and for the tests that replay the targets' corpora; not part of any program.

use std::fmt::Display;

#[cfg(feature = "chain")]
pub use crate::chain::fuzzing::nodes;
#[cfg(feature = "push")]
pub use crate::push::fuzzing::pushed;
#[cfg(feature = "exchange")]
pub use crate::sources::exchange::fuzzing::messages;
#[cfg(feature = "pyth")]
pub use crate::sources::pyth::fuzzing::body;

/// The maximum length of a text that describes an input, in bytes; the part quoted from the input has at most 200
/// characters.
const MAX_LENGTH: usize = 1_200;

/// Asserts that a text about an input is fit for a log: one short line.
///
/// # Panics
/// If the text contains a control character, or is longer than 1200 bytes.
pub fn check_error_text(text: &impl Display) {
    let text = text.to_string();
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.len() <= MAX_LENGTH, "{} bytes: {text}", text.len());
}
