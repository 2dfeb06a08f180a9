//! Variables and arguments of this process: the only file that reads them.

use std::env;

use firmquote_config::{ConfigError, Override, PREFIX, is_misspelled};
use zeroize::Zeroizing;

/// All variables that override keys of the configuration, and the names of those that only seem to.
///
/// # Errors
/// [`ConfigError::Variable`] for one that overrides a key and whose text is not UTF-8.
pub fn overrides() -> Result<Vec<Override>, ConfigError> {
    let mut overrides = Vec::new();
    for (name, text) in env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if is_misspelled(&name) {
            overrides.push(Override { name, text: String::new() });
        } else if name.starts_with(PREFIX) {
            match text.into_string() {
                Ok(text) => overrides.push(Override { name, text }),
                Err(_) => return Err(ConfigError::Variable { name, reason: "is not UTF-8, allowed: text".into() }),
            }
        }
    }
    Ok(overrides)
}

/// The text of a variable, or `None` if it is not set, empty or not text.
pub fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

/// The secret in a variable, or `None` if it is not set or not text. The copy is overwritten when dropped; the
/// environment itself stays as it is.
pub fn secret(name: &str) -> Option<Zeroizing<String>> {
    env::var(name).ok().map(Zeroizing::new)
}

/// How this program was started, to start it again: its path, or its name where the shell found it.
pub fn program() -> String {
    env::args().next().filter(|name| !name.is_empty()).unwrap_or_else(|| "firmquote".to_owned())
}
