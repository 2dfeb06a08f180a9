//! The prices of a simulation, one for each second: random walks from a seed, or a file.

use std::collections::BTreeMap;

use firmquote_domain::{Price, Symbol, Timestamp, Volatility};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// The prices of assets in every second of a period.
#[derive(Clone, Debug)]
pub struct PricePaths {
    /// The first second.
    pub start: Timestamp,
    seconds: usize,
    paths: BTreeMap<Symbol, Vec<Price>>,
}

/// Why a text has no prices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPrices {
    /// A line has other fields.
    #[error("line {line}: expected Unix seconds, a symbol and a price in US dollars, separated by commas")]
    Line {
        /// Its number, from 1.
        line: usize,
    },
    /// The times of an asset do not rise.
    #[error("line {line}: the time is before that of the line above")]
    Order {
        /// Its number, from 1.
        line: usize,
    },
    /// There are no prices.
    #[error("no prices")]
    Empty,
}

impl PricePaths {
    /// Creates geometric Brownian motions without drift that start at these prices and have these annual volatilities.
    pub fn random(assets: &BTreeMap<Symbol, (Price, Volatility)>, start: Timestamp, seconds: usize, seed: u64) -> Self {
        let path = |(number, (symbol, (price, volatility))): (u64, (&Symbol, &(Price, Volatility)))| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(number + 1);
            (symbol.clone(), random_walk(*price, *volatility, seconds, &mut random))
        };
        Self { start, seconds, paths: (0..).zip(assets).map(path).collect() }
    }

    /// Reads lines of Unix seconds, a symbol and a price in US dollars, separated by commas, in the order of time. A price
    /// holds until the next one of its asset.
    ///
    /// # Errors
    /// [`InvalidPrices`] with the number of the line.
    pub fn from_csv(text: &str) -> Result<Self, InvalidPrices> {
        let (mut first, mut last): (Option<u64>, u64) = (None, 0);
        let mut paths: BTreeMap<Symbol, Vec<Price>> = BTreeMap::new();
        for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.is_empty() && !row.starts_with("time")) {
            let mut fields = row.split(',').map(str::trim);
            let (second, symbol, price) = (fields.next(), fields.next(), fields.next());
            let second = second.and_then(|second| second.parse::<u64>().ok());
            let symbol = symbol.and_then(|symbol| Symbol::new(symbol).ok());
            let price = price.and_then(|price| price.parse::<Price>().ok());
            let (Some(second), Some(symbol), Some(price), None) = (second, symbol, price, fields.next()) else {
                return Err(InvalidPrices::Line { line });
            };
            let start = *first.get_or_insert(second);
            if second < last {
                return Err(InvalidPrices::Order { line });
            }
            last = second;
            let path = paths.entry(symbol).or_default();
            let before = path.last().copied().unwrap_or(price);
            let position = usize::try_from(second - start).map_err(|_| InvalidPrices::Line { line })?;
            path.resize(position, before);
            path.push(price);
        }
        let start = first.ok_or(InvalidPrices::Empty)?;
        let seconds = usize::try_from(last - start).map_err(|_| InvalidPrices::Empty)? + 1;
        for path in paths.values_mut() {
            if let Some(last) = path.last().copied() {
                path.resize(seconds, last);
            }
        }
        Ok(Self { start: Timestamp::from_micros(start.saturating_mul(1_000_000)), seconds, paths })
    }

    /// The number of seconds.
    pub const fn seconds(&self) -> usize {
        self.seconds
    }

    /// Returns the price of an asset in a second of the period, or in its last one.
    pub fn at(&self, symbol: &Symbol, second: usize) -> Option<Price> {
        let path = self.paths.get(symbol)?;
        path.get(second).or(path.last()).copied()
    }
}

fn random_walk(start: Price, volatility: Volatility, seconds: usize, random: &mut ChaCha8Rng) -> Vec<Price> {
    if volatility.steps() == 0 {
        return vec![start; seconds];
    }
    // Prices may be floats: amounts are not computed from them, and `libm` gives the same bits everywhere.
    let deviation = f64::from(volatility.steps()) / 1e8 / libm::sqrt(Volatility::SECONDS_PER_YEAR.into());
    let start_price: f64 = start.to_string().parse().unwrap_or_default();
    let mut logarithm = 0.0;
    let mut last = start;
    let step = |_| {
        let price = start_price * libm::exp(logarithm);
        last = format!("{price:.8}").parse::<Price>().unwrap_or(last);
        logarithm += deviation * normal(random) - deviation * deviation / 2.0;
        last
    };
    (0..seconds).map(step).collect()
}

/// Returns a standard normal deviate (Box and Muller, 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle) = (uniform(random), uniform(random));
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(2.0 * std::f64::consts::PI * angle)
}

/// Returns a uniform deviate above 0, up to 1.
pub(super) fn uniform(random: &mut ChaCha8Rng) -> f64 {
    1.0 - random.random::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str) -> Symbol {
        Symbol::new(name).unwrap()
    }

    #[test]
    fn a_walk_has_its_volatility_and_is_the_same_for_a_seed() {
        let one = "2000".parse::<Price>().unwrap();
        let assets = BTreeMap::from([(symbol("ETH"), (one, "0.8".parse::<Volatility>().unwrap()))]);
        let start = Timestamp::from_seconds(0);
        let paths = |seed| PricePaths::random(&assets, start, 86_400, seed);
        let path = paths(1);
        assert_eq!(path.paths, paths(1).paths);
        assert_ne!(path.paths, paths(2).paths);
        let prices: Vec<f64> =
            (0..86_400).map(|second| path.at(&symbol("ETH"), second).unwrap().to_string().parse().unwrap()).collect();
        let squares = prices.windows(2).map(|pair| (pair[1] / pair[0]).ln().powi(2)).sum::<f64>();
        let volatility = (squares / 86_399.0 * f64::from(Volatility::SECONDS_PER_YEAR)).sqrt();
        assert!((0.79..0.81).contains(&volatility), "{volatility}");
    }

    #[test]
    fn prices_of_a_file_hold_until_the_next_one() {
        let paths = PricePaths::from_csv("time,symbol,price\n100,ETH,2000\n100,DAI,1\n103,ETH,2001.5\n").unwrap();
        let eth: Vec<_> =
            (0..paths.seconds()).map(|second| paths.at(&symbol("ETH"), second).unwrap().to_string()).collect();
        assert_eq!(eth, ["2000", "2000", "2000", "2001.5"]);
        assert_eq!(paths.at(&symbol("DAI"), 3).unwrap().to_string(), "1");
        for (text, error) in [
            ("", InvalidPrices::Empty),
            ("100,ETH\n", InvalidPrices::Line { line: 1 }),
            ("100,ETH,0\n", InvalidPrices::Line { line: 1 }),
            ("100,ETH,1\n99,ETH,1\n", InvalidPrices::Order { line: 2 }),
        ] {
            assert_eq!(PricePaths::from_csv(text).unwrap_err(), error, "{text}");
        }
    }
}
