//! Samples of the rate between two assets, as exponentially weighted sums.

use std::fmt;

use firmquote_domain::{Price, Timestamp, Volatility};

use super::weight::{ONE, decay_weight, div_ceil_weight, mul_ceil_weight};

/// The steps of 1e-9 in one, for rates and returns.
const STEPS: u128 = 1_000_000_000;
/// The largest change that counts, in steps: the square of a million times has 31 digits.
const MAX_CHANGE: u128 = STEPS * 1_000_000;

/// A series of samples of a rate without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SampleSeries {
    /// When the first sample was taken.
    started_at: Timestamp,
    /// Whether the second asset was worth more then: the rate is that of the more valuable asset, which has more
    /// digits.
    is_inverted: bool,
    /// The time and the rate of the last sample.
    last: (Timestamp, u128),
    /// Weighted sum of squared changes per second, in steps of 1e-18.
    variance: u128,
    /// The sum of their weights.
    weight: u128,
}

impl SampleSeries {
    /// Starts a series with the prices of both assets at `now`.
    pub(super) fn new(prices: [Price; 2], now: Timestamp) -> Self {
        let is_inverted = prices[1] > prices[0];
        Self { started_at: now, is_inverted, last: (now, rate(prices, is_inverted)), variance: 0, weight: 0 }
    }

    /// Returns the time between the last sample and `now`, before or after it, in microseconds.
    pub(super) const fn distance_us(&self, now: Timestamp) -> u64 {
        now.as_micros().abs_diff(self.last.0.as_micros())
    }

    /// Adds the prices at `now`, after the last sample.
    pub(super) fn add(&mut self, prices: [Price; 2], now: Timestamp, half_life_us: u64) {
        let (elapsed_us, rate) = (self.distance_us(now), rate(prices, self.is_inverted));
        let change = (rate.abs_diff(self.last.1) * STEPS).div_ceil(self.last.1);
        let change = change.min(MAX_CHANGE);
        let sample = (change * change * 1_000_000).div_ceil(u128::from(elapsed_us));
        let weight = decay_weight(elapsed_us, half_life_us);
        self.variance = mul_ceil_weight(self.variance, weight) + mul_ceil_weight(sample, ONE - weight);
        self.weight = mul_ceil_weight(self.weight, weight) + (ONE - weight);
        self.last = (now, rate);
    }

    /// Returns the annual volatility, in steps of 1e-8, rounded up.
    pub(super) fn annual_volatility(&self) -> u128 {
        let year =
            div_ceil_weight(self.variance, self.weight.max(1)).saturating_mul(Volatility::SECONDS_PER_YEAR.into());
        let root = year.isqrt();
        let fine = if root * root == year { root } else { root + 1 };
        fine.div_ceil(10)
    }

    /// Returns when the first sample was taken.
    pub(super) const fn started_at(&self) -> Timestamp {
        self.started_at
    }

    /// Returns when the last sample was taken.
    pub(super) const fn last_at(&self) -> Timestamp {
        self.last.0
    }

    /// Whether this series takes precedence over `other`: it began earlier, or at the same instant and is newer.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        (self.started_at, other.last_at()) < (other.started_at, self.last_at())
    }

    /// Parses the next `words`, as [`Display`](fmt::Display) writes them; `None` unless they are within the bounds of a
    /// series.
    pub(super) fn parse<'t>(words: &mut impl Iterator<Item = &'t str>) -> Option<Self> {
        let mut number = || words.next()?.parse::<u128>().ok();
        let [started_at, last_at, is_inverted, rate, variance, weight] =
            [number()?, number()?, number()?, number()?, number()?, number()?];
        let time = |micros: u128| u64::try_from(micros).ok().map(Timestamp::from_micros);
        let (started_at, last_at) = (time(started_at)?, time(last_at)?);
        let is_possible = started_at <= last_at
            && is_inverted <= 1
            && (1..=u128::from(u64::MAX) * STEPS).contains(&rate)
            // Rounding up adds less than a millionth.
            && variance <= MAX_CHANGE * MAX_CHANGE / 1_000_000 * 1_000_001
            && weight <= ONE;
        is_possible.then_some(Self {
            started_at,
            is_inverted: is_inverted == 1,
            last: (last_at, rate),
            variance,
            weight,
        })
    }
}

impl fmt::Display for SampleSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { started_at, is_inverted, last: (last_at, rate), variance, weight } = self;
        let (started_at, last_at, is_inverted) = (started_at.as_micros(), last_at.as_micros(), u8::from(*is_inverted));
        write!(f, "{started_at} {last_at} {is_inverted} {rate} {variance} {weight}")
    }
}

/// Returns the rate of one asset in the other, in steps of 1e-9, rounded down: at most 2^64 * 1e9. Never zero, which
/// has no relative change.
fn rate(prices: [Price; 2], is_inverted: bool) -> u128 {
    let [one, other] = prices.map(|price| u128::from(price.steps()));
    let (more, less) = if is_inverted { (other, one) } else { (one, other) };
    (more * STEPS / less).max(1)
}
