//! What fuzz targets hold against everything that is told on about what others sent.
//!
//! Built for fuzzing, and for the tests that replay the targets' corpora; part of no program.

use std::fmt::Display;

#[cfg(feature = "chain")]
pub use crate::chain::fuzzing::nodes;
#[cfg(feature = "push")]
pub use crate::push::fuzzing::pushed;
#[cfg(feature = "exchange")]
pub use crate::sources::exchange::fuzzing::messages;
#[cfg(feature = "pyth")]
pub use crate::sources::pyth::fuzzing::body;

/// The longest text about something that was sent, in bytes: what is repeated has 200 characters at most.
const MAX_LENGTH: usize = 1_200;

/// Holds what is said about something that was sent against what a log can take.
///
/// # Panics
/// For more than one line, and for a long one.
pub fn is_one_short_line(text: &impl Display) {
    let text = text.to_string();
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.len() <= MAX_LENGTH, "{} bytes: {text}", text.len());
}
