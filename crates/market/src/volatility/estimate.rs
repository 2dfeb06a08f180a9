//! An exponentially weighted estimate of the volatility of an exchange rate.

use firmquote_domain::{Price, Timestamp, Volatility};

use super::{
    EstimatedVolatility, VolatilityParameters,
    weight::{ONE, decay_weight, div_ceil_weight, mul_ceil_weight},
};

/// The steps of 1e-9 in one, for returns and volatilities.
const STEPS: u128 = 1_000_000_000;
/// Seconds in a year of 365 days, as in the fee formula.
const SECONDS_PER_YEAR: u128 = 31_536_000;
/// The shortest time between two samples, in microseconds.
const MIN_US: u64 = 1_000_000;
/// The time between two samples up to which there is never a gap, in microseconds.
const MIN_GAP_US: u64 = 5_000_000;

/// An estimate of the annual volatility of the rate between two assets, from samples over time.
///
/// A sample is the squared relative change of the rate, divided by the seconds it took; the weight of a sample halves
/// with every half-life. The estimate is the square root of the weighted mean over a year, rounded up. There is none
/// before the samples cover a half-life. A gap of more than a half-life (and 5 s), for instance while a price was not
/// trusted, restarts the estimate: a single change reveals little about the volatility of a rate.
#[derive(Clone, Debug)]
pub struct VolatilityEstimate {
    parameters: VolatilityParameters,
    series: Option<SampleSeries>,
    current: Option<EstimatedVolatility>,
}

/// A series of samples of a rate without a gap.
#[derive(Clone, Debug)]
struct SampleSeries {
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

impl VolatilityEstimate {
    /// Creates an estimate without samples.
    pub const fn new(parameters: VolatilityParameters) -> Self {
        Self { parameters, series: None, current: None }
    }

    /// Samples the prices of both assets at `now`; ignored within a second of the last sample.
    pub fn sample(&mut self, prices: [Price; 2], now: Timestamp) {
        let half_life_us = u64::from(self.parameters.half_life_seconds) * 1_000_000;
        let max_gap_us = half_life_us.max(MIN_GAP_US);
        let Some(series) = self.series.as_mut().filter(|series| series.distance_us(now) <= max_gap_us) else {
            (self.series, self.current) = (Some(SampleSeries::new(prices, now)), None);
            return;
        };
        if now < series.last.0 || series.distance_us(now) < MIN_US {
            return;
        }
        series.add(prices, now, half_life_us);
        if series.started_at.plus_seconds(self.parameters.half_life_seconds) <= now {
            let annual = series.annual_volatility();
            self.current = Some(self.next_estimate(annual));
        }
    }

    /// Returns the estimate as of the last sample, or `None` before the samples cover a half-life.
    pub const fn current(&self) -> Option<EstimatedVolatility> {
        self.current
    }

    /// Returns the estimate that follows the current one, for an annual volatility of `annual` steps of 1e-8.
    fn next_estimate(&self, annual: u128) -> EstimatedVolatility {
        let within = |steps: u128| {
            let steps = u32::try_from(steps).unwrap_or(u32::MAX);
            let (floor, ceiling) = (self.parameters.floor.steps(), self.parameters.ceiling.steps());
            Volatility::new(steps.clamp(floor, ceiling.max(floor))).unwrap_or(self.parameters.ceiling)
        };
        let estimate = within(annual);
        let current = self.current.map(|estimated| estimated.quoted);
        let stays = |quoted: &Volatility| estimate <= *quoted && annual * 4 >= u128::from(quoted.steps()) * 3;
        let quoted = current.filter(stays).unwrap_or_else(|| within(annual + annual.div_ceil(8)));
        EstimatedVolatility { quoted, estimate }
    }
}

impl SampleSeries {
    fn new(prices: [Price; 2], now: Timestamp) -> Self {
        let is_inverted = prices[1] > prices[0];
        Self { started_at: now, is_inverted, last: (now, rate(prices, is_inverted)), variance: 0, weight: 0 }
    }

    /// Returns the time between the last sample and `now`, before or after it, in microseconds.
    const fn distance_us(&self, now: Timestamp) -> u64 {
        now.as_micros().abs_diff(self.last.0.as_micros())
    }

    fn add(&mut self, prices: [Price; 2], now: Timestamp, half_life_us: u64) {
        let (elapsed_us, rate) = (self.distance_us(now), rate(prices, self.is_inverted));
        let change = (rate.abs_diff(self.last.1) * STEPS).div_ceil(self.last.1);
        // Larger changes are capped at a million times: the square of that has 31 digits.
        let change = change.min(STEPS * 1_000_000);
        let sample = (change * change * 1_000_000).div_ceil(u128::from(elapsed_us));
        let weight = decay_weight(elapsed_us, half_life_us);
        self.variance = mul_ceil_weight(self.variance, weight) + mul_ceil_weight(sample, ONE - weight);
        self.weight = mul_ceil_weight(self.weight, weight) + (ONE - weight);
        self.last = (now, rate);
    }

    /// Returns the annual volatility, in steps of 1e-8, rounded up.
    fn annual_volatility(&self) -> u128 {
        let year = div_ceil_weight(self.variance, self.weight.max(1)).saturating_mul(SECONDS_PER_YEAR);
        let root = year.isqrt();
        let fine = if root * root == year { root } else { root + 1 };
        fine.div_ceil(10)
    }
}

/// Returns the rate of one asset in the other, in steps of 1e-9, rounded down: at most 2^64 * 1e9. Never zero, which
/// has no relative change.
fn rate(prices: [Price; 2], is_inverted: bool) -> u128 {
    let [one, other] = prices.map(|price| u128::from(price.steps()));
    let (more, less) = if is_inverted { (other, one) } else { (one, other) };
    (more * STEPS / less).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn estimate(half_life_seconds: u32) -> VolatilityEstimate {
        let volatility = |text| Volatility::from_decimal(text).unwrap();
        VolatilityEstimate::new(VolatilityParameters {
            half_life_seconds,
            floor: volatility("0.01"),
            ceiling: volatility("9"),
        })
    }

    fn price(text: &str) -> Price {
        Price::from_decimal(text).unwrap()
    }

    /// Returns `quoted` and `least`, after the rate went back and forth by `steps` of 1e-8 in these seconds.
    fn moving(estimate: &mut VolatilityEstimate, steps: u64, seconds: std::ops::Range<u32>) -> Option<(u32, u32)> {
        for second in seconds {
            let moved = if second % 2 == 0 { 0 } else { steps };
            let moving = Price::new(price("2000").steps() + moved).unwrap();
            estimate.sample([moving, price("1")], START.plus_seconds(second));
        }
        estimate.current().map(|estimated| (estimated.quoted.steps(), estimated.estimate.steps()))
    }

    #[test]
    fn constant_steps_give_the_volatility_of_the_step() {
        // One basis point a second: 1e-4 * sqrt(31536000) = 0.5616 a year.
        for (high, low) in [("2000.2", "2000"), ("1.0001", "1")] {
            for is_swapped in [false, true] {
                let mut estimate = estimate(60);
                for second in 0..2_000 {
                    let moving = price(if second % 2 == 0 { low } else { high });
                    let prices = if is_swapped { [price("1"), moving] } else { [moving, price("1")] };
                    estimate.sample(prices, START.plus_seconds(second));
                    // From the first estimate on: it is a mean of the samples, not of the samples and the silence
                    // before them.
                    let found = estimate.current().map(|estimated| estimated.estimate.steps());
                    assert_eq!(found.is_some(), second >= 60, "{second}");
                    assert!(found.is_none_or(|found| found.abs_diff(56_157_000) < 60_000), "{high}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn samples_decay_with_the_half_life_and_the_estimate_is_bounded() {
        let mut estimate = estimate(100);
        let (_, moved) = moving(&mut estimate, 100_000_000, 0..202).unwrap();
        let (_, faded) = moving(&mut estimate, 0, 202..402).unwrap();
        // Two half-lives of a weight of three quarters: a quarter of the sum, 15 sixteenths of the weight.
        let expected = f64::from(moved) * (0.25_f64 * 0.75 / 0.9375).sqrt();
        assert!((f64::from(faded) - expected).abs() < expected / 100.0, "{moved} {faded}");
        assert_eq!(moving(&mut estimate, 0, 402..10_000), Some((1_000_000, 1_000_000)), "the floor");
        assert_eq!(
            moving(&mut estimate, u64::MAX / 2, 10_000..10_100),
            Some((900_000_000, 900_000_000)),
            "the ceiling"
        );
    }

    #[test]
    fn small_changes_of_the_estimate_do_not_change_the_quoted_volatility() {
        let mut estimate = estimate(60);
        let quoted = |steps, seconds, estimate: &mut VolatilityEstimate| {
            let (quoted, estimated) = moving(estimate, steps, seconds).unwrap();
            assert!(estimated <= quoted, "{estimated} {quoted}");
            quoted
        };
        let first = quoted(20_000_000, 0..1_000, &mut estimate);
        assert!(first.abs_diff(56_157_000 / 8 * 9) < 100_000, "an eighth above the estimate: {first}");
        assert_eq!(quoted(22_000_000, 1_000..2_000, &mut estimate), first, "a tenth more");
        assert_eq!(quoted(18_000_000, 2_000..3_000, &mut estimate), first, "a tenth less");
        let more = quoted(23_000_000, 3_000..4_000, &mut estimate);
        assert!(more > first, "{more}");
        assert!(quoted(10_000_000, 4_000..5_000, &mut estimate) < first, "half");
    }

    #[test]
    fn a_gap_longer_than_a_half_life_restarts_the_estimate() {
        for (last, is_known) in [(260, true), (261, false), (140, true), (139, false), (0, false)] {
            let mut estimate = estimate(60);
            moving(&mut estimate, 20_000_000, 0..201).unwrap();
            estimate.sample([price("2500"), price("1")], START.plus_seconds(last));
            assert_eq!(estimate.current().is_some(), is_known, "{last}");
        }
        let mut estimate = estimate(60);
        moving(&mut estimate, 20_000_000, 0..201).unwrap();
        assert_eq!(moving(&mut estimate, 20_000_000, 300..360), None);
        assert!(moving(&mut estimate, 20_000_000, 360..361).is_some());
    }

    #[test]
    fn prices_within_the_same_second_are_not_sampled() {
        let mut estimate = estimate(1);
        for micros in 0..2_000_u64 {
            let prices = [price(if micros % 2 == 0 { "1" } else { "2" }), price("1")];
            estimate.sample(prices, Timestamp::from_micros(START.as_micros() + micros * 1_000));
        }
        assert_eq!(estimate.current().unwrap().estimate.steps(), 1_000_000);
    }
}
