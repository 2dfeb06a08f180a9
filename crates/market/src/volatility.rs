//! How much an exchange rate moves: an exponentially weighted estimate, in integers.

use firmquote_domain::{Price, Timestamp, Volatility};

/// Steps of a return and of a volatility: 1e-9.
const FINE: u128 = 1_000_000_000;
/// Seconds in a year of 365 days, as the fee counts them.
const SECONDS_PER_YEAR: u128 = 31_536_000;
/// One, as a weight.
const ONE: u128 = 1 << 60;
/// The natural logarithm of 2, as a weight.
const LN_2: u128 = 799_144_290_325_165_979;
/// The shortest time between two samples, in microseconds.
const LEAST_US: u64 = 1_000_000;

/// How an estimate is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolatilityRule {
    /// The time after which a sample counts half, in seconds, at least 1.
    pub half_life_seconds: u32,
    /// The least that is estimated.
    pub floor: Volatility,
    /// The most that is estimated.
    pub ceiling: Volatility,
}

/// Estimates the annual volatility of the rate between two assets from what it was at various times.
///
/// A sample is the squared relative change of the rate, divided by the seconds it took; samples weigh less by half with
/// every half-life. The estimate is the square root of their mean over a year, rounded up, within floor and ceiling.
/// There is none before the first half-life has passed.
#[derive(Clone, Debug)]
pub struct VolatilityEstimate {
    rule: VolatilityRule,
    /// When the last sample was taken, and the rate then.
    last: Option<(Timestamp, u128)>,
    /// When the first sample was taken, and whether the second asset was worth more then: the rate is that of the more
    /// valuable one, which has more digits.
    first: Option<(Timestamp, bool)>,
    /// Mean squared return per second, in steps of 1e-18.
    variance: u128,
}

impl VolatilityEstimate {
    /// An estimate without samples.
    pub const fn new(rule: VolatilityRule) -> Self {
        Self { rule, last: None, first: None, variance: 0 }
    }

    /// Takes the prices of both assets at `now`; once a second at most, more often says nothing.
    pub fn sample(&mut self, prices: [Price; 2], now: Timestamp) {
        let [one, other] = prices.map(|price| u128::from(price.steps()));
        let (_, is_inverted) = *self.first.get_or_insert((now, other > one));
        let (more, less) = if is_inverted { (other, one) } else { (one, other) };
        // At most 2^64 * 1e9 before the division: no overflow. A rate of zero has no relative change.
        let rate = (more * FINE / less).max(1);
        let Some((at, before)) = self.last else {
            self.last = Some((now, rate));
            return;
        };
        let passed_us = now.as_micros().saturating_sub(at.as_micros());
        if passed_us < LEAST_US {
            return;
        }
        self.last = Some((now, rate));
        let change = rate.abs_diff(before).saturating_mul(FINE) / before;
        // A return beyond a million times says no more than that.
        let change = change.min(FINE * 1_000_000);
        let sample = change * change / u128::from(passed_us) * 1_000_000;
        let weight = half_lives(passed_us, self.rule.half_life_seconds);
        self.variance = weighted(self.variance, weight) + weighted(sample, ONE - weight);
    }

    /// The estimate at `now`, or `None` before the first half-life has passed.
    pub fn annual(&self, now: Timestamp) -> Option<Volatility> {
        let (since, _) = self.first?;
        if now < since.plus_seconds(self.rule.half_life_seconds) {
            return None;
        }
        let year = self.variance.saturating_mul(SECONDS_PER_YEAR);
        let root = year.isqrt();
        let fine = if root * root == year { root } else { root + 1 };
        let steps = u32::try_from(fine.div_ceil(10)).unwrap_or(u32::MAX);
        let steps = steps.clamp(self.rule.floor.steps(), self.rule.ceiling.steps().max(self.rule.floor.steps()));
        Volatility::new(steps)
    }
}

/// `number` times `weight`, rounded down.
fn weighted(number: u128, weight: u128) -> u128 {
    // The high and the low half apart, so that nothing is lost to the width.
    let (high, low) = (number >> 60, number & (ONE - 1));
    high * weight + ((low * weight) >> 60)
}

/// 2 to the power of minus `micros` over the half-life, as a weight.
fn half_lives(micros: u64, half_life_seconds: u32) -> u128 {
    let half_life_us = u128::from(half_life_seconds.max(1)) * 1_000_000;
    let (whole, rest) = (u128::from(micros) / half_life_us, u128::from(micros) % half_life_us);
    let Ok(whole) = u32::try_from(whole) else { return 0 };
    // exp(-x) by its series, x below ln 2: the twentieth term is far below a weight's last bit.
    let x = (LN_2 * (rest * 1_000_000 / half_life_us)) / 1_000_000;
    let (mut term, mut sum, mut is_added) = (ONE, ONE, false);
    for number in 1..20 {
        term = ((term * (x >> 8)) >> 52) / number;
        sum = if is_added { sum + term } else { sum.saturating_sub(term) };
        is_added = !is_added;
    }
    sum.checked_shr(whole).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn estimate(half_life_seconds: u32) -> VolatilityEstimate {
        let volatility = |text| Volatility::from_decimal(text).unwrap();
        VolatilityEstimate::new(VolatilityRule {
            half_life_seconds,
            floor: volatility("0.01"),
            ceiling: volatility("9"),
        })
    }

    fn price(text: &str) -> Price {
        Price::from_decimal(text).unwrap()
    }

    #[test]
    fn weights_are_powers_of_two() {
        for (micros, half_life, weight) in [
            (0, 60, ONE),
            (60_000_000, 60, ONE / 2),
            (180_000_000, 60, ONE / 8),
            (30_000_000, 60, 815_238_614_083_298_888),
            (u64::MAX, 1, 0),
        ] {
            let found = half_lives(micros, half_life);
            assert!(found.abs_diff(weight) < 1_000, "{micros} of {half_life}: {found}, not {weight}");
        }
    }

    #[test]
    fn a_rate_that_moves_by_the_same_amount_each_second_has_the_volatility_of_its_steps() {
        // One basis point a second: 1e-4 * sqrt(31536000) = 0.5616 a year.
        for (high, low) in [("2000.2", "2000"), ("1.0001", "1")] {
            for is_swapped in [false, true] {
                let mut estimate = estimate(60);
                for second in 0..2_000 {
                    let moving = price(if second % 2 == 0 { low } else { high });
                    let prices = if is_swapped { [price("1"), moving] } else { [moving, price("1")] };
                    estimate.sample(prices, START.plus_seconds(second));
                }
                let annual = estimate.annual(START.plus_seconds(2_000)).unwrap();
                assert!(annual.steps().abs_diff(56_157_000) < 60_000, "{high}: {}", annual.steps());
            }
        }
    }

    #[test]
    fn samples_fade_with_the_half_life_and_the_estimate_stays_in_its_bounds() {
        let mut estimate = estimate(100);
        assert_eq!(estimate.annual(START), None);
        estimate.sample([price("2000"), price("1")], START);
        estimate.sample([price("2020"), price("1")], START.plus_seconds(1));
        assert_eq!(estimate.annual(START.plus_seconds(99)), None, "less than a half-life");
        let still = |estimate: &mut VolatilityEstimate, seconds| {
            estimate.sample([price("2020"), price("1")], START.plus_seconds(seconds));
            estimate.annual(START.plus_seconds(seconds)).unwrap().steps()
        };
        let (one, three) = (still(&mut estimate, 101), still(&mut estimate, 301));
        // Two half-lives more: a quarter of the variance, half of the volatility.
        assert!((one / 2).abs_diff(three) < one / 100, "{one} {three}");
        assert_eq!(still(&mut estimate, 100_000), 1_000_000, "the floor");
        estimate.sample([price("1"), price("1")], START.plus_seconds(100_001));
        estimate.sample([price("100000000"), price("0.00000001")], START.plus_seconds(100_002));
        assert_eq!(estimate.annual(START.plus_seconds(100_002)).unwrap().steps(), 900_000_000, "the ceiling");
    }

    #[test]
    fn prices_within_a_second_say_nothing() {
        let mut estimate = estimate(1);
        for micros in 0..1_000_u64 {
            let prices = [price(if micros % 2 == 0 { "1" } else { "2" }), price("1")];
            estimate.sample(prices, Timestamp::from_micros(START.as_micros() + micros * 900));
        }
        assert_eq!(estimate.annual(START.plus_seconds(1)).unwrap().steps(), 1_000_000);
    }
}
