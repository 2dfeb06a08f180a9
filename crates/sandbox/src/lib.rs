//! A sandbox for integrators: the real service, in which takers trigger errors on demand.
//!
//! A fault is named by a header of a request, or injected by a schedule; most are produced by another real service that
//! differs in one aspect. Signed swaps execute on a chain in this process. A session reports to each taker what it
//! handled correctly. Nothing here is part of a service outside the sandbox.
#![doc = include_str!("../README.md")]

mod body;
mod bounded_map;
mod chain;
mod fault;
mod level_events;
mod middleware;
mod operation;
mod routes;
mod rpc;
mod sandbox;
mod schedule;
mod services;
mod session;

pub use self::{
    fault::{FAULT_HEADER, Fault, FaultInjection},
    sandbox::{Sandbox, SandboxParts},
    schedule::{MAX_ENTRIES, Schedule, ScheduleEntry},
    services::SandboxError,
};
