//! A sandbox for integrators: the real service, in which takers trigger errors on demand.
//!
//! A fault is named by a header of a request, or happens by a schedule; most are answered by another real service that
//! differs in one thing. Signed swaps execute on a chain in this process. A session tells each taker what it did right.
//! Nothing here is part of a service that is no sandbox.
#![doc = include_str!("../README.md")]

mod body;
mod bounded_map;
mod chain;
mod fault;
mod level_events;
mod middleware;
mod operation;
mod routes;
mod sandbox;
mod schedule;
mod services;
mod session;
mod unreachable_store;

pub use self::{
    fault::{FAULT_HEADER, Fault, FaultInjection},
    sandbox::{Sandbox, SandboxParts},
    schedule::{MAX_ENTRIES, Schedule, ScheduleEntry},
    services::SandboxError,
};
