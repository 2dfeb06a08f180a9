//! Prices of the Pyth network as Hermes streams them: one HTTP request whose answer does not end.
//!
//! Each event is checked whole before anything of it is told, and a value that is no price is told as that. Signatures
//! of the network are not checked: whoever answers at the configured address is believed, so it is to be `https://`.

mod config;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod request;
mod source;
mod stream;
mod update;

pub use config::{InvalidPythConfig, PythConfig};
pub use source::PythSource;
