//! What the end-to-end tests stand on: the pool's contracts on a chain in memory and on a node, and the real server.
//!
//! Whatever goes wrong here is a failed test, so everything panics with what it saw instead of returning errors.
#![doc = include_str!("../README.md")]

pub mod artifact;
pub mod batch;
pub mod configuration;
pub mod contracts;
pub mod demo;
pub mod draw;
pub mod endpoint;
pub mod evm;
pub mod exchange;
pub mod feed;
pub mod interface;
pub mod load;
pub mod node;
pub mod replicas;
pub mod service;
pub mod storm;
pub mod swapping;
pub mod transaction;
pub mod world;
