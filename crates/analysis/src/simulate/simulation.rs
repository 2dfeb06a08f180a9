//! What is simulated.

use std::path::PathBuf;

use firmquote_desk::ServedPool;
use firmquote_domain::Amount;
use firmquote_market::VolatilityParameters;

use super::{prices::PricePaths, takers::Taker};

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
