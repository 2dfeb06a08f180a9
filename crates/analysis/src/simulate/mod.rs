//! A simulated period: prices, takers and a chain around a real desk, in one thread and one clock. The same seed gives the
//! same quotes and swaps on the same target.

mod chain;
mod error;
mod prices;
mod recording;
mod result;
mod simulation;
mod takers;
mod world;

pub use self::{
    error::SimulationError,
    prices::{InvalidPrices, PricePaths},
    result::{SimulatedDay, SimulationResult},
    simulation::{SimulatedPool, Simulation},
    takers::{Taker, TakerStrategy},
};
