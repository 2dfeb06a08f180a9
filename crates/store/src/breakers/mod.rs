//! What the store holds for breakers, which stop losses: the steps they have taken, and the samples they compare.

mod codec;
mod sample;
mod trip;

pub use sample::PoolSample;
pub use trip::{Breaker, BreakerStep, Trip, TripKey};
