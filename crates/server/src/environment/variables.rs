//! Environment variables and arguments of this process; the only file that reads them.

use std::env;

use firmquote_config::{ConfigError, Override, PREFIX, is_misspelled};
use zeroize::Zeroizing;

/// Returns all variables that override configuration keys, and the names of those that look like overrides but are
/// misspelled.
///
/// # Errors
/// [`ConfigError::Variable`] for an override whose value is not UTF-8.
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

/// Returns the value of a variable; `None` if it is unset, empty or not UTF-8.
pub fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

/// Returns the secret in a variable; `None` if it is unset or not UTF-8. The copy is overwritten when dropped; the
/// environment itself is unchanged.
pub fn secret(name: &str) -> Option<Zeroizing<String>> {
    env::var(name).ok().map(Zeroizing::new)
}

/// Returns the name of this machine or container.
pub(crate) fn host_name() -> Option<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    (!name.is_empty()).then_some(name)
}

/// Returns how this program was started, for starting it again: its path, or its name if the shell resolved it.
pub fn program() -> String {
    env::args().next().filter(|name| !name.is_empty()).unwrap_or_else(|| "firmquote".to_owned())
}
