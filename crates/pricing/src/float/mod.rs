//! The one module with floats. They are first guesses that integers correct, and numbers that are shown; what is
//! signed never passes through one. All functions are libm's pure Rust ones: the same bits on every machine.

mod guess;
mod shown;

pub(crate) use guess::guess_ln_1p;
pub use shown::{cost_in_basis_points, price_impact_in_basis_points, rate, target_values_in_usd, value_in_usd};
