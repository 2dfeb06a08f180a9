//! Instants as text.

use firmquote_domain::Timestamp;
use jiff::{
    SignedDuration,
    civil::{DateTime, datetime},
};
use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

use crate::Notation;

/// The Unix epoch as a civil date. Civil arithmetic reaches the last second of the year 9999, which `jiff` timestamps
/// do not.
const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// `YYYY-MM-DD HH:MM:SS.ffffff+00:00`, always with six fractional digits; instants after the year 9999 are written as
/// the last one with a four-digit year.
impl Notation for Timestamp {
    const NAME: &'static str = "UtcTime";

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = format(*self);
        serializer.serialize_str(str::from_utf8(&text).unwrap_or_default())
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let instant: jiff::Timestamp = String::deserialize(deserializer)?.parse().map_err(D::Error::custom)?;
        u64::try_from(instant.as_microsecond()).map(Self::from_micros).map_err(D::Error::custom)
    }

    #[cfg(feature = "schema")]
    fn schema() -> utoipa::openapi::Schema {
        let pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}\+00:00$";
        let text = super::text::text_schema(pattern, "A time in UTC, with microseconds.");
        text.examples(["2023-10-13 22:24:20.932560+00:00"]).into()
    }
}

fn format(instant: Timestamp) -> [u8; 32] {
    let micros = i64::try_from(instant.as_micros()).unwrap_or(i64::MAX);
    let time = EPOCH.saturating_add(SignedDuration::from_micros(micros));
    let [month, day, hour, minute, second] =
        [time.month(), time.day(), time.hour(), time.minute(), time.second()].map(i32::from);
    let mut text = *b"0000-00-00 00:00:00.000000+00:00";
    let places = [
        (0..4, i32::from(time.year())),
        (5..7, month),
        (8..10, day),
        (11..13, hour),
        (14..16, minute),
        (17..19, second),
        (20..26, time.subsec_nanosecond() / 1_000),
    ];
    for (places, number) in places {
        let mut rest = number;
        for place in text.get_mut(places).into_iter().flatten().rev() {
            *place += u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UtcTime;

    fn text(micros: u64) -> String {
        let json = serde_json::to_string(&UtcTime::from(Timestamp::from_micros(micros))).unwrap();
        json.trim_matches('"').to_owned()
    }

    #[test]
    fn instants_always_have_six_fractional_digits() {
        for (micros, expected) in [
            (1_697_235_860_932_560, "2023-10-13 22:24:20.932560+00:00"),
            (0, "1970-01-01 00:00:00.000000+00:00"),
            (951_782_400_000_001, "2000-02-29 00:00:00.000001+00:00"),
            (253_402_300_799_999_999, "9999-12-31 23:59:59.999999+00:00"),
        ] {
            assert_eq!(text(micros), expected);
        }
        assert!(text(u64::MAX).ends_with("+00:00"));
    }

    #[test]
    fn four_centuries_of_dates_match_the_calendar() {
        for day in 0..146_097_u32 {
            let micros = u64::from(day) * 86_400_000_000 + 3_723_000_045;
            let theirs = jiff::Timestamp::from_microsecond(i64::try_from(micros).unwrap()).unwrap();
            assert_eq!(text(micros), theirs.strftime("%Y-%m-%d %H:%M:%S.%6f+00:00").to_string());
            let read: UtcTime = serde_json::from_str(&format!("\"{}\"", text(micros))).unwrap();
            assert_eq!(read.as_micros(), micros);
        }
    }
}
