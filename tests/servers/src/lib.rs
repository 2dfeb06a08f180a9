//! Servers that tests can start, break and restart.
//!
//! Any error means a failed test, so functions panic with details instead of returning errors.
#![doc = include_str!("../README.md")]

pub mod patience;
pub mod process;
pub mod redis;
pub mod signing;

pub use process::Process;
