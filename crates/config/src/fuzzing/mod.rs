//! The checks of the fuzz targets `configuration` and `files`: files and environment variables of any content.
//!
//! Built only for fuzzing and for the tests that replay the corpora.

mod configuration;
mod credentials;

pub use configuration::{accounts, configuration, has_secret, is_told_well};
pub use credentials::credentials;
