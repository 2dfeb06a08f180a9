//! How the share of quotes that are signed depends on their price: a logistic curve, fitted by maximum likelihood (Cox,
//! 1958; Newton's method).

use firmquote_domain::{Amount, Quote};

use crate::Money;

/// The fewest quotes of a curve.
const MIN_QUOTES: usize = 1_000;
/// The least difference of costs, in basis points, between the fifth and the ninety-fifth of a hundred quotes.
const MIN_RANGE_BPS: f64 = 2.0;
/// The largest number of steps of Newton's method.
const MAX_STEPS: usize = 50;
/// Two-sided 95 % of the normal distribution.
const QUANTILE: f64 = 1.96;

/// What a hit curve expects of the other configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedResult {
    /// Signed quotes, as a multiple of the recorded ones, with its 95 % interval.
    pub hits: f64,
    /// The interval.
    pub bounds: [f64; 2],
    /// Whether more than a twentieth of the quotes are priced beyond the recorded ones: the curve says little there.
    pub is_extrapolated: bool,
}

/// A quote with what it costs the client beside the composite prices, in basis points.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObservedQuote {
    /// As it was made.
    cost: f64,
    /// With the other configuration.
    new_cost: f64,
    is_signed: bool,
}

impl ObservedQuote {
    /// Creates the observation of a quote of these amounts, which the other configuration would have made as `quote`.
    pub(super) fn new(quote: &Quote, [input, output]: [Amount; 2], is_signed: bool) -> Option<Self> {
        let cost = |input: Amount, output: Amount| {
            let paid = Money::of(input.base_units(), quote.input.decimals, quote.input.price);
            let received = Money::of(output.base_units(), quote.output.decimals, quote.output.price);
            let hundredths = (&paid - &received).hundredths_of_basis_points_of(&paid)?;
            Some(f64::from(i32::try_from(hundredths).ok()?) / 100.0)
        };
        let new_cost = cost(quote.input.amount, quote.output.amount)?;
        Some(Self { cost: cost(input, output)?, new_cost, is_signed })
    }
}

/// The probability that a quote is signed, by its cost in basis points: 1 / (1 + exp(-(a + b x))).
#[derive(Clone, Copy, Debug)]
pub(super) struct HitCurve {
    coefficients: [f64; 2],
    /// The covariance of the coefficients.
    covariance: [[f64; 2]; 2],
    /// The fifth and the ninety-fifth of a hundred costs.
    range: [f64; 2],
}

impl HitCurve {
    /// Fits a curve; `None` for too few quotes, for costs that are too much alike, and where every quote is signed, or
    /// none.
    pub(super) fn fit(quotes: &[ObservedQuote]) -> Option<Self> {
        let mut costs: Vec<f64> = quotes.iter().map(|quote| quote.cost).collect();
        costs.sort_unstable_by(f64::total_cmp);
        let range = [costs.get(costs.len() / 20)?, costs.get(costs.len() - costs.len() / 20 - 1)?].map(|cost| *cost);
        let signed = quotes.iter().filter(|quote| quote.is_signed).count();
        if quotes.len() < MIN_QUOTES || range[1] - range[0] < MIN_RANGE_BPS || signed == 0 || signed == quotes.len() {
            return None;
        }
        let mut coefficients = [0.0, 0.0];
        for _ in 0..MAX_STEPS {
            let (gradient, information) = likelihood(quotes, coefficients);
            let covariance = inverse(information)?;
            let step = product(covariance, gradient);
            coefficients = [coefficients[0] + step[0], coefficients[1] + step[1]];
            if !coefficients.iter().all(|value| value.is_finite()) {
                return None;
            }
            if step.iter().all(|part| part.abs() < 1e-9) {
                return Some(Self { coefficients, covariance, range });
            }
        }
        None
    }

    /// Returns the hits at the new costs as a multiple of those at the recorded ones, with its 95 % interval by the delta
    /// method on its logarithm.
    pub(super) fn expected(&self, quotes: &[ObservedQuote]) -> ExpectedResult {
        // The sum of the probabilities, and its derivatives by the coefficients.
        let sums = |cost: fn(&ObservedQuote) -> f64| {
            quotes.iter().fold([0.0; 3], |[hits, first, second], quote| {
                let probability = probability(self.coefficients, cost(quote));
                let slope = probability * (1.0 - probability);
                [hits + probability, first + slope, second + slope * cost(quote)]
            })
        };
        let (before, after) = (sums(|quote| quote.cost), sums(|quote| quote.new_cost));
        let gradient = [after[1] / after[0] - before[1] / before[0], after[2] / after[0] - before[2] / before[0]];
        let variance = dot(gradient, product(self.covariance, gradient));
        let (hits, margin) = (after[0] / before[0], QUANTILE * variance.max(0.0).sqrt());
        let is_beyond = |quote: &&ObservedQuote| quote.new_cost < self.range[0] || quote.new_cost > self.range[1];
        let beyond = |cost: fn(&ObservedQuote) -> f64| {
            quotes.iter().filter(|quote| is_beyond(&&ObservedQuote { new_cost: cost(quote), ..**quote })).count()
        };
        // A tenth of the recorded costs is beyond their own range.
        let is_extrapolated = beyond(|quote| quote.new_cost) > beyond(|quote| quote.cost) + quotes.len() / 20;
        ExpectedResult { hits, bounds: [hits * (-margin).exp(), hits * margin.exp()], is_extrapolated }
    }
}

fn probability([intercept, slope]: [f64; 2], cost: f64) -> f64 {
    1.0 / (1.0 + (-(intercept + slope * cost)).exp())
}

/// Returns the gradient of the logarithm of the likelihood, and the information matrix.
fn likelihood(quotes: &[ObservedQuote], coefficients: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
    let (mut gradient, mut information) = ([0.0; 2], [[0.0; 2]; 2]);
    for quote in quotes {
        let probability = probability(coefficients, quote.cost);
        let error = f64::from(u8::from(quote.is_signed)) - probability;
        let weight = probability * (1.0 - probability);
        gradient = [gradient[0] + error, gradient[1] + error * quote.cost];
        information[0][0] += weight;
        information[0][1] += weight * quote.cost;
        information[1][1] += weight * quote.cost * quote.cost;
    }
    information[1][0] = information[0][1];
    (gradient, information)
}

fn inverse([[a, b], [c, d]]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let determinant = a * d - b * c;
    (determinant > 0.0).then(|| [[d / determinant, -b / determinant], [-c / determinant, a / determinant]])
}

fn product([first, second]: [[f64; 2]; 2], vector: [f64; 2]) -> [f64; 2] {
    [dot(first, vector), dot(second, vector)]
}

fn dot([a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
    a * c + b * d
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn quotes(count: usize, seed: u64, change: f64) -> Vec<ObservedQuote> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let quote = |_| {
            let cost = 4.0 + 10.0 * random.random::<f64>();
            let is_signed = random.random::<f64>() < probability([2.0, -0.3], cost);
            ObservedQuote { cost, new_cost: cost + change, is_signed }
        };
        (0..count).map(quote).collect()
    }

    #[test]
    fn the_interval_covers_the_expected_hits() {
        let truth = |change: f64| {
            let sum = |shift: f64| -> f64 {
                (0..10_000).map(|step| probability([2.0, -0.3], 4.0 + f64::from(step) / 1_000.0 + shift)).sum()
            };
            sum(change) / sum(0.0)
        };
        let covered = (0..200).filter(|seed| {
            let quotes = quotes(4_000, *seed, 1.0);
            let [low, high] = HitCurve::fit(&quotes).unwrap().expected(&quotes).bounds;
            (low..=high).contains(&truth(1.0))
        });
        let covered = covered.count();
        assert!((184..=198).contains(&covered), "{covered} of 200");
    }

    #[test]
    fn too_few_or_too_similar_quotes_have_no_curve_and_far_prices_are_marked() {
        assert!(HitCurve::fit(&quotes(999, 1, 0.0)).is_none());
        let same = quotes(2_000, 1, 0.0).into_iter().map(|quote| ObservedQuote { cost: 5.0, ..quote });
        assert!(HitCurve::fit(&same.collect::<Vec<_>>()).is_none());
        let all = quotes(2_000, 1, 0.0).into_iter().map(|quote| ObservedQuote { is_signed: true, ..quote });
        assert!(HitCurve::fit(&all.collect::<Vec<_>>()).is_none());
        for (change, is_extrapolated) in [(0.0, false), (0.2, false), (5.0, true), (-5.0, true)] {
            let quotes = quotes(2_000, 1, change);
            let expected = HitCurve::fit(&quotes).unwrap().expected(&quotes);
            assert_eq!(expected.is_extrapolated, is_extrapolated, "{change}");
            assert!(change != 0.0 || (expected.hits - 1.0).abs() < 1e-12);
        }
    }
}
