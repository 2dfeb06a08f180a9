//! Detects misspelled overrides: `FIRMQUOTE_LIMITS__ANONYMOUS` where `FIRMQUOTE__LIMITS__ANONYMOUS` is meant. If they
//! were ignored, a setting would silently have no effect.

use super::{
    displayed_value::shown_variable,
    env_overrides::{FAMILY, Override, PREFIX, is_misspelled},
    error::ConfigError,
    tree::{Node, Value},
};

/// Refuses misspelled variables, except those that `root` references for a key or a password.
///
/// # Errors
/// [`ConfigError::Variable`] for the first one.
pub(crate) fn refuse(root: &Node, overrides: &[Override]) -> Result<(), ConfigError> {
    let misspelled = overrides.iter().map(|one| &one.name).filter(|name| is_misspelled(name));
    for name in misspelled {
        if !secret_variables(root).any(|variable| variable == name) {
            let right = shown_variable(&name.replacen(FAMILY, PREFIX, 1));
            let reason = format!("is not read, allowed: {right}, with two underscores between all steps");
            return Err(ConfigError::Variable { name: name.clone(), reason: reason.into() });
        }
    }
    Ok(())
}

/// Returns the variables that are named by `key_env` of the signers, `api_key_env` of the price sources and
/// `password_env` of the store, valid or not.
fn secret_variables(root: &Node) -> impl Iterator<Item = &String> {
    let tables = |key| match root.entry(key).map(|node| &node.value) {
        Some(Value::List(tables)) => tables.as_slice(),
        _ => &[],
    };
    let keys = tables("signer").iter().filter_map(|signer| signer.entry("key_env"));
    let api_keys = tables("price_source").iter().filter_map(|source| source.entry("api_key_env"));
    let password = root.entry("store").and_then(|store| store.entry("password_env"));
    keys.chain(api_keys).chain(password).filter_map(|node| match &node.value {
        Value::Text(name) | Value::Untyped(name) => Some(name),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_leading_underscore_is_a_misspelling() {
        for (name, expected) in [
            ("FIRMQUOTE_LIMITS__ANONYMOUS", true),
            ("FIRMQUOTE_POOL_0__K", true),
            ("FIRMQUOTE__LIMITS__ANONYMOUS", false),
            ("FIRMQUOTE___LIMITS", false),
            ("FIRMQUOTE_SIGNER_KEY", false),
            ("FIRMQUOTES__X", false),
            ("OTHER_LIMITS__ANONYMOUS", false),
        ] {
            assert_eq!(is_misspelled(name), expected, "{name}");
        }
    }
}
