//! The client against a scripted server.

mod events;
mod levels;
mod mismatches;
mod pools;
mod refusals;
mod secrets;
mod server;
mod tls;
mod transport;
mod wire;
