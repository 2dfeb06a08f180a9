//! Calldata against known vectors, other encoders and malformed input.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

mod common;
mod round_trip;
mod strict;
mod vectors;
