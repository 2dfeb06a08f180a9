//! Prices against other libraries, at their edges, and their properties over many random states.

mod exact_hits;
mod expected;
mod extremes;
mod levels;
mod properties;
mod rate_bound;
mod reference;
mod soundness;
mod states;
mod vectors;
