//! Support for the end-to-end tests: the pool contracts on an in-memory chain and on a node, and the real server.
//!
//! Any error means a failed test, so functions panic with details instead of returning errors.
#![doc = include_str!("../README.md")]

pub mod artifact;
pub mod batch;
pub mod configuration;
pub mod contracts;
pub mod demo;
pub mod desk;
pub mod draw;
pub mod endpoint;
pub mod events;
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
pub mod webhook_receiver;
pub mod world;
