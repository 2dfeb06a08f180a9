//! Instants as people and HTTP write them, computed exactly and without a time zone database.

use std::fmt;

use firmquote_domain::{Timestamp, UnixSeconds};

/// Writes an instant as `YYYY-MM-DD HH:MM:SS.ffffff+00:00`, always with six digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HumanTime(pub(crate) Timestamp);

impl fmt::Display for HumanTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        let Civil { year, month, day, hour, minute, second, .. } = Civil::of(micros / 1_000_000);
        let fraction = micros % 1_000_000;
        let mut text = *b"0000-00-00 00:00:00.000000+00:00";
        let places = [(0..4, year), (5..7, month), (8..10, day), (11..13, hour), (14..16, minute), (17..19, second)];
        for (places, number) in places.into_iter().chain([(20..26, fraction)]) {
            let mut rest = number;
            for place in text.get_mut(places).into_iter().flatten().rev() {
                *place += u8::try_from(rest % 10).unwrap_or_default();
                rest /= 10;
            }
        }
        match str::from_utf8(&text) {
            Ok(text) if year <= 9_999 => f.write_str(text),
            _ => write!(f, "{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{fraction:06}+00:00"),
        }
    }
}

/// Writes an instant as HTTP headers do (RFC 9110, `IMF-fixdate`): `Sun, 06 Nov 1994 08:49:37 GMT`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HttpDate(pub(crate) UnixSeconds);

impl fmt::Display for HttpDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        let Civil { days, year, month, day, hour, minute, second } = Civil::of(u64::from(self.0.get()));
        let name = |names: &[&'static str], at: u64| usize::try_from(at).ok().and_then(|at| names.get(at).copied());
        let weekday = name(&WEEKDAYS, days % 7).unwrap_or_default();
        let month = name(&MONTHS, month - 1).unwrap_or_default();
        write!(f, "{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
    }
}

const DAYS_FROM_YEAR_0_TO_1970: u64 = 719_468;

/// A second in the Gregorian calendar, UTC.
struct Civil {
    days: u64,
    year: u64,
    month: u64,
    day: u64,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Civil {
    /// Days are counted in years that begin on 1 March, so that the leap day is the last of its year.
    fn of(unix_seconds: u64) -> Self {
        let (days, second_of_day) = (unix_seconds / 86_400, unix_seconds % 86_400);
        let since_year_0 = days + DAYS_FROM_YEAR_0_TO_1970;
        let (era, day_of_era) = (since_year_0 / 146_097, since_year_0 % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Self {
            days,
            year: era * 400 + year_of_era + u64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            hour: second_of_day / 3_600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
        }
    }
}

/// A second in the Gregorian calendar, UTC, in Unix time, from a year and month, day, hour, minute and second; `None`
/// before 1970, and for what no calendar has but for days that are too many for their month.
pub(crate) fn unix_seconds(year: u64, [month, day, hour, minute, second]: [u64; 5]) -> Option<u64> {
    let is_in_calendar = (1..=12).contains(&month) && (1..=31).contains(&day);
    if !is_in_calendar || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // The inverse of `Civil::of`.
    let year = if month > 2 { year } else { year.checked_sub(1)? };
    let march_month = (month + 9) % 12;
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = (era * 146_097 + day_of_era).checked_sub(DAYS_FROM_YEAR_0_TO_1970)?;
    Some(days * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_always_carry_six_digits() {
        for (micros, text) in [
            (1_697_235_860_932_560, "2023-10-13 22:24:20.932560+00:00"),
            (0, "1970-01-01 00:00:00.000000+00:00"),
            (951_782_400_000_001, "2000-02-29 00:00:00.000001+00:00"),
            (253_402_300_799_999_999, "9999-12-31 23:59:59.999999+00:00"),
        ] {
            assert_eq!(HumanTime(Timestamp::from_micros(micros)).to_string(), text);
        }
        assert!(HumanTime(Timestamp::from_micros(u64::MAX)).to_string().ends_with("+00:00"));
    }

    #[test]
    fn every_day_of_four_centuries_is_the_calendars() {
        for day in 0..146_097_u32 {
            let micros = u64::from(day) * 86_400_000_000 + 3_723_000_045;
            let theirs = jiff::Timestamp::from_microsecond(i64::try_from(micros).unwrap()).unwrap();
            let theirs = theirs.strftime("%Y-%m-%d %H:%M:%S.%6f+00:00").to_string();
            assert_eq!(HumanTime(Timestamp::from_micros(micros)).to_string(), theirs);
        }
    }

    #[test]
    fn header_dates_are_those_of_the_standard() {
        assert_eq!(HttpDate(UnixSeconds::new(784_111_777)).to_string(), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(HttpDate(UnixSeconds::new(u32::MAX)).to_string(), "Sun, 07 Feb 2106 06:28:15 GMT");
    }
}
