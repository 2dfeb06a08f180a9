//! The client against a scripted server, which responds in pieces, late or not at all.

mod levels;
mod pools;
mod refusals;
mod secrets;
mod server;
mod tls;
mod transport;
mod wire;
