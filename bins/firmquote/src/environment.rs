//! The only place that reads the environment.

use std::env;

use zeroize::Zeroizing;

use crate::config::{ConfigError, Override, PREFIX};

/// All variables that override keys of the configuration.
///
/// # Errors
/// [`ConfigError::Variable`] for one whose text is not UTF-8.
pub(crate) fn overrides() -> Result<Vec<Override>, ConfigError> {
    let ours = env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with(PREFIX));
    ours.map(|(name, text)| {
        let name = name.to_string_lossy().into_owned();
        match text.into_string() {
            Ok(text) => Ok(Override { name, text }),
            Err(_) => Err(ConfigError::Variable { name, reason: "is not UTF-8, allowed: text" }),
        }
    })
    .collect()
}

/// The secret in a variable, or `None` if it is not set or not text. The copy is overwritten when dropped; the
/// environment itself stays as it is.
pub(crate) fn secret(name: &str) -> Option<Zeroizing<String>> {
    env::var(name).ok().map(Zeroizing::new)
}
