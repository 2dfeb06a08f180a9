//! Parsing of human-readable instants.

use jiff::{Timestamp, civil::Date};

/// Parses a date with time and offset (RFC 3339), or a date alone: its first second in UTC. A time without an offset is
/// ambiguous and refused.
pub fn parse(text: &str) -> Option<Timestamp> {
    let instant = |text: &str| text.parse::<Timestamp>().ok();
    let date = || text.parse::<Date>().ok().filter(|date| date.to_string() == text);
    let midnight = || date().and_then(|date| instant(&format!("{date}T00:00:00Z")));
    instant(text).or_else(midnight)
}
