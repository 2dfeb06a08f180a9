//! An exponentially weighted estimate of the volatility of an exchange rate.

use std::{fmt, str::FromStr};

use firmquote_domain::{InvalidValue, Price, Timestamp, Volatility};

use super::{EstimatedVolatility, VolatilityParameters, series::SampleSeries};

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
    state: Option<EstimateState>,
}

/// The samples of an estimate so far and the volatility estimated from them, for other processes to continue. The text
/// form is that of a store; parsing it accepts whatever [`Display`](std::fmt::Display) writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EstimateState {
    series: SampleSeries,
    current: Option<EstimatedVolatility>,
}

impl VolatilityEstimate {
    /// Creates an estimate without samples.
    pub const fn new(parameters: VolatilityParameters) -> Self {
        Self { parameters, state: None }
    }

    /// Samples the prices of both assets at `now`; ignored within a second of the last sample.
    pub fn sample(&mut self, prices: [Price; 2], now: Timestamp) {
        let parameters = self.parameters;
        let max_gap_us = self.max_gap_us();
        let Some(state) = self.state.as_mut().filter(|state| state.series.distance_us(now) <= max_gap_us) else {
            self.state = Some(EstimateState { series: SampleSeries::new(prices, now), current: None });
            return;
        };
        if now < state.series.last_at() || state.series.distance_us(now) < MIN_US {
            return;
        }
        state.series.add(prices, now, parameters.half_life_us());
        if state.series.started_at().plus_seconds(parameters.half_life_seconds) <= now {
            let annual = state.series.annual_volatility();
            state.current = Some(parameters.next_estimate(state.current, annual));
        }
    }

    /// Returns the estimate as of the last sample, or `None` before the samples cover a half-life.
    pub const fn current(&self) -> Option<EstimatedVolatility> {
        match &self.state {
            Some(state) => state.current,
            None => None,
        }
    }

    /// Returns the samples so far, or `None` before the first.
    pub const fn state(&self) -> Option<&EstimateState> {
        self.state.as_ref()
    }

    /// Continues the samples of another process, which estimates the same rate with the same parameters, if they began
    /// earlier than those of this one, or at the same instant and are newer: all processes that exchange their states
    /// end with one series. Samples that lie behind a gap at `now`, or ahead of `now` by more than the clocks of two
    /// processes may differ, are ignored. Returns whether they were continued.
    pub fn continue_from(&mut self, other: &EstimateState, now: Timestamp) -> bool {
        let max_gap_us = self.max_gap_us();
        let is_continuous = |state: &EstimateState| state.series.distance_us(now) <= max_gap_us;
        let is_ahead = other.series.last_at() > now && other.series.distance_us(now) > MIN_GAP_US;
        let is_preferred = match self.state.as_ref().filter(|own| is_continuous(own)) {
            Some(own) => other.series.precedes(&own.series),
            None => true,
        };
        let is_continued = is_preferred && is_continuous(other) && !is_ahead;
        if is_continued {
            self.state = Some(EstimateState {
                current: other.current.map(|estimated| self.parameters.clamp(estimated)),
                ..other.clone()
            });
        }
        is_continued
    }

    /// Returns the longest time between two samples of one series, in microseconds.
    fn max_gap_us(&self) -> u64 {
        self.parameters.half_life_us().max(MIN_GAP_US)
    }
}

impl VolatilityParameters {
    fn half_life_us(&self) -> u64 {
        u64::from(self.half_life_seconds) * 1_000_000
    }

    /// Returns a volatility in steps of 1e-8, within floor and ceiling.
    fn within(&self, steps: u128) -> Volatility {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let (floor, ceiling) = (self.floor.steps(), self.ceiling.steps());
        Volatility::new(steps.clamp(floor, ceiling.max(floor))).unwrap_or(self.ceiling)
    }

    /// Returns an estimate of another process, within floor and ceiling, and quoted with no less than itself.
    fn clamp(&self, EstimatedVolatility { quoted, estimate }: EstimatedVolatility) -> EstimatedVolatility {
        let [quoted, estimate] = [quoted, estimate].map(|volatility| self.within(volatility.steps().into()));
        EstimatedVolatility { quoted: quoted.max(estimate), estimate }
    }

    /// Returns the estimate that follows `current`, for an annual volatility of `annual` steps of 1e-8.
    fn next_estimate(&self, current: Option<EstimatedVolatility>, annual: u128) -> EstimatedVolatility {
        let estimate = self.within(annual);
        let current = current.map(|estimated| estimated.quoted);
        let stays = |quoted: &Volatility| estimate <= *quoted && annual * 4 >= u128::from(quoted.steps()) * 3;
        let quoted = current.filter(stays).unwrap_or_else(|| self.within(annual + annual.div_ceil(8)));
        EstimatedVolatility { quoted, estimate }
    }
}

impl fmt::Display for EstimateState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.series)?;
        match self.current {
            Some(EstimatedVolatility { quoted, estimate }) => write!(f, " {} {}", quoted.steps(), estimate.steps()),
            None => Ok(()),
        }
    }
}

impl FromStr for EstimateState {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let parse = || {
            let mut words = text.split(' ');
            let series = SampleSeries::parse(&mut words)?;
            let current = match (words.next(), words.next(), words.next()) {
                (None, ..) => None,
                (Some(quoted), Some(estimate), None) => {
                    let [quoted, estimate] = [quoted, estimate].map(|steps| Volatility::new(steps.parse().ok()?));
                    Some(EstimatedVolatility { quoted: quoted?, estimate: estimate? })
                }
                _ => return None,
            };
            Some(Self { series, current })
        };
        parse().ok_or(InvalidValue::Malformed { expected: "the samples of a volatility estimate" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn estimate(half_life_seconds: u32) -> VolatilityEstimate {
        let volatility = |text: &str| text.parse::<Volatility>().unwrap();
        VolatilityEstimate::new(VolatilityParameters {
            half_life_seconds,
            floor: volatility("0.01"),
            ceiling: volatility("9"),
        })
    }

    fn price(text: &str) -> Price {
        text.parse::<Price>().unwrap()
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
    fn states_of_other_processes_are_continued_if_they_began_earlier_or_are_newer() {
        let (mut one, mut other) = (estimate(60), estimate(60));
        moving(&mut one, 20_000_000, 0..100).unwrap();
        moving(&mut other, 40_000_000, 10..101).unwrap();
        let now = START.plus_seconds(101);
        let [earlier, later] = [&one, &other].map(|estimate| estimate.state().unwrap().clone());
        assert!(!one.continue_from(&later, now), "it began later");
        assert!(other.continue_from(&earlier, now));
        assert_eq!((other.current(), other.state()), (one.current(), Some(&earlier)));
        assert!(!other.continue_from(&earlier, now), "nothing new");
        moving(&mut other, 20_000_000, 101..102);
        assert!(one.continue_from(other.state().unwrap(), now), "newer");
        assert!(!other.continue_from(&earlier, now), "older");
        for (seconds, is_continued) in [(159, true), (160, false), (94, true), (93, false)] {
            let is_new = estimate(60).continue_from(&earlier, START.plus_seconds(seconds));
            assert_eq!(is_new, is_continued, "the last sample was at 99: {seconds}");
        }
        let bounds = VolatilityParameters { floor: "8".parse().unwrap(), ..one.parameters };
        let mut bounded = VolatilityEstimate::new(bounds);
        assert!(bounded.continue_from(&earlier, now));
        assert_eq!(bounded.current().map(|estimated| estimated.quoted), Some(bounds.floor));
    }

    #[test]
    fn a_state_is_parsed_from_its_text_form_and_from_nothing_that_it_never_is() {
        for seconds in [0..1, 0..2, 0..100] {
            let mut estimate = estimate(60);
            moving(&mut estimate, u64::MAX / 2, seconds);
            let state = estimate.state().unwrap();
            assert_eq!(state.to_string().parse::<EstimateState>().as_ref(), Ok(state));
        }
        let limits = "0 18446744073709551615 1 18446744073709551615000000000 1000001000000000000000000000000 1152921504606846976 1000000000 1000000000";
        limits.parse::<EstimateState>().unwrap();
        for (position, invalid) in [
            (0, "18446744073709551616"),
            (1, "-1"),
            (2, "2"),
            (3, "0"),
            (3, "18446744073709551615000000001"),
            (4, "1000001000000000000000000000001"),
            (5, "1152921504606846977"),
            (6, "1000000001"),
            (7, ""),
            (7, "1 1"),
        ] {
            let mut words: Vec<_> = limits.split(' ').collect();
            words[position] = invalid;
            words.join(" ").parse::<EstimateState>().unwrap_err();
        }
        for text in ["", "1", "5 4 0 1 1 1"] {
            text.parse::<EstimateState>().unwrap_err();
        }
        // The largest numbers that are accepted are sampled without overflow.
        let mut largest = estimate(60);
        assert!(largest.continue_from(
            &limits.replacen("18446744073709551615", "0", 1).parse().unwrap(),
            Timestamp::from_micros(1)
        ));
        largest.sample([price("1"), price("2")], Timestamp::from_seconds(60));
        assert_eq!(largest.current().unwrap().estimate.steps(), 900_000_000);
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
