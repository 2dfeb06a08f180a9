//! Prices against other implementations, at their limits, and their properties over many random states.

mod exact_hits;
mod expected;
mod extremes;
mod levels;
mod offer;
mod properties;
mod rate_bound;
mod reference;
mod soundness;
mod states;
mod vectors;
