//! The servers that tests start, break and start again.
//!
//! Whatever goes wrong here is a failed test, so everything panics with what it saw instead of returning errors.
#![doc = include_str!("../README.md")]

pub mod patience;
pub mod process;
pub mod redis;
pub mod signing;

pub use process::Process;
