//! A period of time, of a report or a ledger.

use anyhow::ensure;
use clap::Args;
use firmquote_config::time_format;
use firmquote_domain::Timestamp;

/// A period of time.
#[derive(Args)]
pub(crate) struct Period {
    /// Start of the period, inclusive: 2026-11-21T02:00:00Z, a date (midnight UTC), or Unix seconds
    #[arg(long, value_name = "TIME", value_parser = instant)]
    from: Option<Timestamp>,
    /// End of the period, exclusive, in the same formats
    #[arg(long, value_name = "TIME", value_parser = instant)]
    to: Option<Timestamp>,
}

impl Period {
    /// Returns its start, and its end; by default all of time.
    ///
    /// # Errors
    /// Unless the start is before the end.
    pub(crate) fn bounds(&self) -> anyhow::Result<(Timestamp, Timestamp)> {
        let from = self.from.unwrap_or(Timestamp::from_micros(0));
        let to = self.to.unwrap_or(Timestamp::from_micros(u64::MAX));
        ensure!(from < to, "--from has to be before --to");
        Ok((from, to))
    }

    /// Returns the start, if there is one.
    pub(crate) const fn from(&self) -> Option<Timestamp> {
        self.from
    }
}

/// Parses an instant: RFC 3339, a date, or Unix seconds.
fn instant(text: &str) -> Result<Timestamp, &'static str> {
    const ALLOWED: &str = "allowed: 2026-11-21T02:00:00Z, 2026-11-21, or Unix seconds";
    let is_seconds = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = || text.parse::<u64>().ok()?.checked_mul(1_000_000);
    let micros = || u64::try_from(time_format::parse(text)?.as_microsecond()).ok();
    let micros = if is_seconds { seconds() } else { micros() };
    micros.map(Timestamp::from_micros).ok_or(ALLOWED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_dates_times_or_unix_seconds() {
        for (text, micros) in [
            ("2026-11-21T02:00:00Z", 1_795_226_400_000_000),
            ("2026-11-21T04:00:00.000001+02:00", 1_795_226_400_000_001),
            ("2026-11-21", 1_795_219_200_000_000),
            ("1795226400", 1_795_226_400_000_000),
            ("0", 0),
        ] {
            assert_eq!(instant(text), Ok(Timestamp::from_micros(micros)), "{text}");
        }
        for text in ["", "soon", "-1", "1.5", "2026-13-01", "1969-12-31", "2026-11-21T02:00:00", "99999999999999999999"]
        {
            assert!(instant(text).is_err(), "{text}");
        }
    }
}
