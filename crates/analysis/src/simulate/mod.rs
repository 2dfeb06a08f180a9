//! A simulated period: prices, takers and a chain around a real desk, in one thread and one clock. The same seed gives the
//! same quotes and swaps on the same target.

mod chain;
mod prices;
mod recording;
mod takers;
mod world;

use std::{path::PathBuf, sync::Arc};

use firmquote_desk::{DeskError, ServedPool};
use firmquote_domain::{Amount, Price, Timestamp};
use firmquote_market::VolatilityParameters;
use firmquote_tape::TapeError;

use self::world::World;
pub use self::{
    prices::{InvalidPrices, PricePaths},
    takers::{Taker, TakerStrategy},
};
use crate::{LedgerSwaps, Money, PriceHistory, TokenNames};

/// What is simulated.
pub struct Simulation {
    /// The pools, with keys that sign for them.
    pub pools: Vec<SimulatedPool>,
    /// The prices of all assets.
    pub prices: PricePaths,
    /// The takers.
    pub takers: Vec<Taker>,
    /// The seconds between two blocks, at least 1.
    pub block_seconds: u32,
    /// The seed of everything that the takers decide.
    pub seed: u64,
    /// The directory for a tape and a ledger of the simulation, if any.
    pub output: Option<PathBuf>,
}

/// A pool of a simulation.
pub struct SimulatedPool {
    /// The pool, its policy and its key.
    pub pool: ServedPool,
    /// Its reserves at the start, in the order of its assets.
    pub reserves: Vec<Amount>,
    /// How the volatilities of its pairs are estimated, in their order; `None` where it is the configured one.
    pub volatilities: Vec<Option<VolatilityParameters>>,
}

/// What happened in a simulated period.
#[derive(Debug, Default)]
pub struct SimulationResult {
    /// A line for each day.
    pub days: Vec<SimulatedDay>,
    /// The signed swaps and how they ended.
    pub swaps: LedgerSwaps,
    /// The prices.
    pub prices: PriceHistory,
    /// The tokens of the pools.
    pub names: TokenNames,
    /// The SHA-256 of everything that was quoted, refused, signed and executed, in hexadecimal digits.
    pub digest: String,
}

/// The figures of a simulated day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedDay {
    /// The end of the day.
    pub end: Timestamp,
    /// Requests for quotes.
    pub requested: u64,
    /// Requests that were served with a quote.
    pub quoted: u64,
    /// Signed quotes.
    pub signed: u64,
    /// Executed swaps.
    pub executed: u64,
    /// The value of their inputs at the prices of their quotes.
    pub volume: Money,
    /// The value of the reserves at the end of the day.
    pub pool_value: Money,
    /// That value less the value, at the same prices, of the reserves at the start of the day: what trading earned.
    pub trading: Money,
    /// The share of each asset in the value of its pool at the end of the day, in basis points, rounded down.
    pub inventory: Vec<u32>,
}

/// Why a simulation failed.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// Its tape cannot be written.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// Its ledger cannot be written.
    #[error("{}", .path.display())]
    Ledger {
        /// The ledger.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The desk failed.
    #[error("the desk failed")]
    Desk(#[from] DeskError),
    /// An asset has no price.
    #[error("no price of {0}")]
    Price(firmquote_domain::Symbol),
}

impl SimulatedDay {
    /// The figures at the beginning of a day.
    fn beginning(start: Timestamp) -> Self {
        Self {
            end: start,
            requested: 0,
            quoted: 0,
            signed: 0,
            executed: 0,
            volume: Money::default(),
            pool_value: Money::default(),
            trading: Money::default(),
            inventory: Vec::new(),
        }
    }
}

impl Simulation {
    /// Runs the simulation to the end of its prices.
    ///
    /// # Errors
    /// [`SimulationError`]
    pub async fn run(self) -> Result<SimulationResult, SimulationError> {
        World::new(self)?.run().await
    }
}

/// The value of an amount of an asset.
fn value(amount: Amount, asset: &firmquote_domain::Asset, price: Price) -> Money {
    Money::of(amount.base_units(), asset.decimals, price)
}

type Shared<T> = Arc<parking_lot::Mutex<T>>;
