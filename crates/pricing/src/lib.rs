//! The formula market maker in pure functions of (request, pool state, fee).
#![doc = include_str!("../README.md")]

mod curve;
mod error;
mod fee;
mod float;
mod levels;
mod mirror;
mod offer;
mod on_curve;
mod pair;
mod prepared;
mod real;
mod rounding;
mod soundness;
mod swap;
mod value;

pub use error::PricingError;
pub use fee::fee;
pub use float::{
    best_improvement_in_basis_points, cost_in_basis_points, price_impact_in_basis_points, rate, target_values_in_usd,
    value_in_usd,
};
pub use levels::Levels;
pub use mirror::would_execute;
pub use offer::{offered_input, offered_output};
pub use pair::{PairAsset, PairState, Swap};
pub use prepared::PreparedPair;
pub use rounding::{input_for, output_for};
pub use soundness::{Headroom, is_sound, share_of_fee, sound_bounds, widest_headroom};
pub use swap::price;
pub use value::{is_worth_at_least, max_amount_worth, min_amount_worth, value_rounded_down, value_rounded_up};
