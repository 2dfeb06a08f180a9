//! The checks of the fuzz targets `configuration` and `files`: files and environment variables of any content.
//!
//! Built only for fuzzing and for the tests that replay the corpora.

mod configuration;
mod credentials;

pub use configuration::{accounts, check_error_text, configuration, has_secret};
pub use credentials::credentials;
