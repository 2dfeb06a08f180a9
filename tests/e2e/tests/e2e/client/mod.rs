//! The Rust client for aggregators, against the real server and a real node.

#[path = "../../../../../crates/verify/examples/swap.rs"]
#[expect(dead_code, unreachable_pub, reason = "its main is for the command line")]
mod example;
mod exchange;
pub(crate) mod setup;
mod swap;
