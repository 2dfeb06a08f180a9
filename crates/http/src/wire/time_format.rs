//! Calendar dates: of HTTP headers, and of certificates.

use std::fmt;

use firmquote_domain::UnixSeconds;
use jiff::{
    civil::{DateTime, datetime},
    fmt::rfc2822::DateTimePrinter,
};

/// The Unix epoch as a civil date. Civil arithmetic reaches the last second of the year 9999, which `jiff` timestamps
/// do not.
const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// Formats an instant as HTTP headers do (RFC 9110, `IMF-fixdate`): `Sun, 06 Nov 1994 08:49:37 GMT`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HttpDate(pub(crate) UnixSeconds);

impl fmt::Display for HttpDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instant = jiff::Timestamp::from_second(i64::from(self.0.get())).map_err(|_| fmt::Error)?;
        f.write_str(&DateTimePrinter::new().timestamp_to_rfc9110_string(&instant).map_err(|_| fmt::Error)?)
    }
}

/// Returns the Unix time of a UTC date and time in the Gregorian calendar, from the year and from month, day, hour,
/// minute and second; `None` before 1970 and for invalid dates.
pub(crate) fn unix_seconds(year: u64, fields: [u64; 5]) -> Option<u64> {
    let [month, day, hour, minute, second] = fields.map(|field| i8::try_from(field).unwrap_or(-1));
    let time = DateTime::new(i16::try_from(year).ok()?, month, day, hour, minute, second, 0).ok()?;
    u64::try_from(time.duration_since(EPOCH).as_secs()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_dates_match_the_standard() {
        assert_eq!(HttpDate(UnixSeconds::new(784_111_777)).to_string(), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(HttpDate(UnixSeconds::new(u32::MAX)).to_string(), "Sun, 07 Feb 2106 06:28:15 GMT");
    }
}
