//! The client against a server of the tests that says what it is told to say, in pieces, late or not at all.

mod levels;
mod refusals;
mod secrets;
mod server;
mod tls;
mod transport;
mod wire;
