//! Instants. Durations are plain numbers whose names carry the unit.

/// An instant in microseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The instant `micros` microseconds after the Unix epoch.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// The instant `seconds` seconds after the Unix epoch.
    pub const fn from_seconds(seconds: u32) -> Self {
        Self(seconds as u64 * 1_000_000)
    }

    /// Microseconds since the Unix epoch.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, truncated. Saturates in the year 2106, where `uint32` ends.
    pub fn seconds(self) -> UnixSeconds {
        UnixSeconds(u32::try_from(self.0 / 1_000_000).unwrap_or(u32::MAX))
    }

    /// Whole seconds from `earlier` to this instant, truncated; zero if it is not earlier.
    pub const fn seconds_since(self, earlier: Self) -> u64 {
        self.micros_since(earlier) / 1_000_000
    }

    /// Whole milliseconds from `earlier` to this instant, truncated; zero if it is not earlier.
    pub const fn millis_since(self, earlier: Self) -> u64 {
        self.micros_since(earlier) / 1_000
    }

    /// Microseconds from `earlier` to this instant; zero if it is not earlier.
    pub const fn micros_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The instant `seconds` later.
    #[must_use]
    pub const fn plus_seconds(self, seconds: u32) -> Self {
        self.plus_micros(seconds as u64 * 1_000_000)
    }

    /// The instant `seconds` earlier, at the earliest the Unix epoch.
    #[must_use]
    pub const fn minus_seconds(self, seconds: u32) -> Self {
        Self(self.0.saturating_sub(seconds as u64 * 1_000_000))
    }

    /// The instant `micros` microseconds later.
    #[must_use]
    pub const fn plus_micros(self, micros: u64) -> Self {
        Self(self.0.saturating_add(micros))
    }
}

/// Whole Unix seconds in 32 bits, as in a packed `good_until`.
///
/// Milliseconds do not fit, so an expiry a thousand times too far away cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixSeconds(u32);

impl UnixSeconds {
    /// The instant `seconds` seconds after the Unix epoch.
    pub const fn new(seconds: u32) -> Self {
        Self(seconds)
    }

    /// Seconds since the Unix epoch.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The instant `seconds` later, or `None` past the year 2106.
    pub fn checked_add(self, seconds: u32) -> Option<Self> {
        self.0.checked_add(seconds).map(Self)
    }

    /// This second plus `seconds`, or the last one that 32 bits can hold.
    #[must_use]
    pub const fn saturating_add(self, seconds: u32) -> Self {
        Self(self.0.saturating_add(seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_truncate_to_whole_seconds() {
        let instant = Timestamp::from_micros(1_697_235_860_932_560);
        assert_eq!(instant.seconds().get(), 1_697_235_860);
        assert_eq!(instant.plus_seconds(60).as_micros(), 1_697_235_920_932_560);
        assert_eq!(instant.minus_seconds(60).plus_seconds(60), instant);
        assert_eq!(Timestamp::from_seconds(1).minus_seconds(2), Timestamp::from_seconds(0));
        assert_eq!(Timestamp::from_micros(u64::MAX).seconds().get(), u32::MAX);
        assert_eq!(UnixSeconds::new(u32::MAX).checked_add(1), None);
        assert_eq!(UnixSeconds::new(u32::MAX - 1).saturating_add(2), UnixSeconds::new(u32::MAX));
    }
}
