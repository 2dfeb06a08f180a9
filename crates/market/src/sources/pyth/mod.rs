//! Prices of the Pyth network as Hermes streams them: one HTTP request with an endless response.
//!
//! Each event is checked as a whole before any of it is published, and a value that is not a price is published as
//! invalid. Signatures of the network are not verified: the server at the configured address is trusted, so the address
//! should be `https://`.

mod config;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod request;
mod source;
mod stream;
mod update;

pub use config::PythConfig;
pub use source::PythSource;
