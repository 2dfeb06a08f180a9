//! From what sources say to prices that are trusted.

mod observation;

pub use observation::Observation;
