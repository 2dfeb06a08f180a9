//! The guard, signatures against known vectors and a second implementation, keystores, and the remote signer.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

mod common;
mod guard;
mod keystore;
mod remote;
mod second_implementation;
mod vectors;
