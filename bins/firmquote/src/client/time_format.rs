//! Formats instants for display, always in UTC.

use firmquote_domain::UnixSeconds;
use jiff::Timestamp;

/// Formats a second like `2026-11-21 01:04:33 UTC`.
pub(crate) fn utc(second: UnixSeconds) -> String {
    let instant = Timestamp::from_second(second.get().into());
    instant.map_or_else(|_| second.get().to_string(), |instant| instant.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_shown_in_utc() {
        assert_eq!(utc(UnixSeconds::new(1_697_235_920)), "2023-10-13 22:25:20 UTC");
        assert_eq!(utc(UnixSeconds::new(u32::MAX)), "2106-02-07 06:28:15 UTC");
    }
}
