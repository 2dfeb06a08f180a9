//! Instants as people write them.

use firmquote_domain::Timestamp as Instant;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use toml_edit::Datetime;

/// A date with time and offset (RFC 3339), or a date alone: its first second in UTC. A time without an offset could be
/// anybody's and is none.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let instant = |text: &str| text.parse::<Timestamp>().ok();
    let date = || text.parse::<Date>().ok().filter(|date| date.to_string() == text);
    let midnight = || date().and_then(|date| instant(&format!("{date}T00:00:00Z")));
    instant(text).or_else(midnight)
}

/// The date of an instant in UTC, as TOML has it.
///
/// # Errors
/// For an instant that is beyond what people date.
pub(crate) fn date_of(instant: Instant) -> anyhow::Result<Datetime> {
    let instant = Timestamp::from_microsecond(i64::try_from(instant.as_micros())?)?;
    Ok(instant.to_zoned(TimeZone::UTC).date().to_string().parse()?)
}
