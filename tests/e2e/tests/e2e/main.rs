//! The real program with a real chain node and a real Redis, and the structure of the workspace.

mod artifacts;
mod bindings;
mod client;
mod delivery;
mod guaranteed;
mod in_process;
mod layering;
pub(crate) mod live;
mod mirror;
mod modules;
mod named_places;
mod negative;
mod node;
mod promised;
mod published;
mod redis;
mod rounding;
mod schemathesis;
mod storm;
mod unsignable;
mod verify_and_send;
mod volatility;
