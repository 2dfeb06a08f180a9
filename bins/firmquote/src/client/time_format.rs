//! Formats instants for display, always in UTC.

use firmquote_domain::{Timestamp as Instant, UnixSeconds};
use jiff::Timestamp;

/// Formats a second like `2026-11-21 01:04:33 UTC`.
pub(crate) fn utc(second: UnixSeconds) -> String {
    let instant = Timestamp::from_second(second.get().into());
    instant.map_or_else(|_| second.get().to_string(), |instant| instant.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

/// Returns the whole seconds from `now` until `deadline`, rounded down; zero once it has passed.
pub(crate) const fn seconds_left(deadline: Instant, now: Instant) -> u64 {
    deadline.seconds_since(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_shown_in_utc() {
        assert_eq!(utc(UnixSeconds::new(1_697_235_920)), "2023-10-13 22:25:20 UTC");
        assert_eq!(utc(UnixSeconds::new(u32::MAX)), "2106-02-07 06:28:15 UTC");
    }

    #[test]
    fn what_is_left_is_rounded_down_and_never_negative() {
        let at = Instant::from_micros;
        assert_eq!(seconds_left(at(12_999_999), at(0)), 12);
        assert_eq!(seconds_left(at(5), at(6)), 0);
    }
}
