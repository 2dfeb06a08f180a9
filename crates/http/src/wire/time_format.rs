//! Human-readable and HTTP formats of instants.

use std::fmt;

use firmquote_domain::{Timestamp, UnixSeconds};
use jiff::{
    SignedDuration,
    civil::{DateTime, datetime},
    fmt::rfc2822::DateTimePrinter,
};

/// The Unix epoch as a civil date. Civil arithmetic reaches the last second of the year 9999, which `jiff` timestamps
/// do not.
const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// Formats an instant as `YYYY-MM-DD HH:MM:SS.ffffff+00:00`, always with six fractional digits; instants after the year
/// 9999 are formatted as the last one with a four-digit year.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DisplayTime(pub(crate) Timestamp);

impl fmt::Display for DisplayTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = i64::try_from(self.0.as_micros()).unwrap_or(i64::MAX);
        let time = EPOCH.saturating_add(SignedDuration::from_micros(micros));
        let [month, day, hour, minute, second] =
            [time.month(), time.day(), time.hour(), time.minute(), time.second()].map(i32::from);
        let mut text = *b"0000-00-00 00:00:00.000000+00:00";
        let places = [(0..4, i32::from(time.year())), (5..7, month), (8..10, day), (11..13, hour), (14..16, minute)];
        for (places, number) in places.into_iter().chain([(17..19, second), (20..26, time.subsec_nanosecond() / 1_000)])
        {
            let mut rest = number;
            for place in text.get_mut(places).into_iter().flatten().rev() {
                *place += u8::try_from(rest % 10).unwrap_or_default();
                rest /= 10;
            }
        }
        f.write_str(str::from_utf8(&text).unwrap_or_default())
    }
}

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
    fn deadlines_always_have_six_fractional_digits() {
        for (micros, text) in [
            (1_697_235_860_932_560, "2023-10-13 22:24:20.932560+00:00"),
            (0, "1970-01-01 00:00:00.000000+00:00"),
            (951_782_400_000_001, "2000-02-29 00:00:00.000001+00:00"),
            (253_402_300_799_999_999, "9999-12-31 23:59:59.999999+00:00"),
        ] {
            assert_eq!(DisplayTime(Timestamp::from_micros(micros)).to_string(), text);
        }
        assert!(DisplayTime(Timestamp::from_micros(u64::MAX)).to_string().ends_with("+00:00"));
    }

    #[test]
    fn four_centuries_of_dates_match_the_calendar() {
        for day in 0..146_097_u32 {
            let micros = u64::from(day) * 86_400_000_000 + 3_723_000_045;
            let theirs = jiff::Timestamp::from_microsecond(i64::try_from(micros).unwrap()).unwrap();
            let theirs = theirs.strftime("%Y-%m-%d %H:%M:%S.%6f+00:00").to_string();
            assert_eq!(DisplayTime(Timestamp::from_micros(micros)).to_string(), theirs);
        }
    }

    #[test]
    fn http_dates_match_the_standard() {
        assert_eq!(HttpDate(UnixSeconds::new(784_111_777)).to_string(), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(HttpDate(UnixSeconds::new(u32::MAX)).to_string(), "Sun, 07 Feb 2106 06:28:15 GMT");
    }
}
