//! The check of the fuzz target `configuration`: no error reveals a secret.

use std::sync::Arc;

use crate::{
    Config, EmptyEnvironment, Environment, Override, StoreConfig,
    config::parse,
    document::{
        env_overrides,
        field::Field,
        toml,
        tree::{Node, Value},
    },
    mode::ConfigMode,
    pool::accounts::{self, InvalidAccountList},
};

/// The marker of secrets; a marker outside secret values may be shown.
const MARK: &str = "hunter2";

/// Keys whose values are never shown in errors: stated here again, so that the list of the crate is checked.
const SECRETS: [&str; 11] = [
    "admin_token_sha256",
    "api_key_env",
    "api_key_sha256",
    "endpoint",
    "key_env",
    "password_env",
    "password_hash",
    "remote_url",
    "rpc_urls",
    "token_sha256",
    "url",
];

/// Reads `data` as a file, followed, after a line of three hyphens, by variables, each a line `NAME=text`.
///
/// # Panics
/// When an error is not one short line, when an error reveals a secret, and when the store that is read alone differs
/// from that of the whole file.
pub fn configuration(data: &[u8]) {
    let Ok(input) = str::from_utf8(data) else { return };
    let (text, variables) = input.split_once("\n---\n").unwrap_or((input, ""));
    let variables = variables.lines().filter_map(|line| line.split_once('='));
    let overrides: Vec<_> =
        variables.map(|(name, text)| Override { name: name.to_owned(), text: text.to_owned() }).collect();
    let has_secret = has_secret(text, &overrides);
    let environment: Arc<dyn Environment> = Arc::new(EmptyEnvironment);
    let store = parse("f", text, &overrides, |root| {
        let field = Field::root(root, &environment).key("store");
        StoreConfig::check_keys(&field)?;
        StoreConfig::new(field.read()?, &field, ConfigMode::Operation)
    });
    if let Err(error) = &store {
        check_error_text(&error.to_string(), has_secret);
    }
    for mode in [ConfigMode::Operation, ConfigMode::BuiltIn] {
        match (Config::parse("f", text, &overrides, mode, &environment), &store) {
            (Ok(config), Ok(store)) => {
                assert_eq!(config.store.to_string(), store.to_string());
                assert!(!config.pools.is_empty());
            }
            (Ok(_), Err(error)) => assert!(error.to_string().is_empty(), "{error}"),
            (Err(error), _) => check_error_text(&error.to_string(), has_secret),
        }
    }
    if let Ok(store) = store {
        let is_password = |text: &str| text.contains(&format!(":{MARK}@")) && !text.contains("unix:");
        assert!(!(has_secret && is_password(input) && store.to_string().contains(MARK)), "{store}");
    }
}

/// Reads `data` as a file of accounts.
///
/// # Panics
/// When an account is not in the file, when whitespace, comments or line endings make a difference, and when an error
/// names another line than the first invalid one.
pub fn accounts(data: &[u8]) {
    let text = str::from_utf8(data);
    match (accounts::read(data), text) {
        (Ok(accounts), Ok(text)) => {
            let text = text.to_ascii_lowercase();
            assert!(accounts.iter().all(|account| text.contains(&format!("{account:#x}"))), "{accounts:?}");
            let spread: String = accounts.iter().map(|account| format!("# {account}\r\n\t{account} # \n")).collect();
            assert_eq!(accounts::read(spread.as_bytes()), Ok(accounts));
        }
        (Err(InvalidAccountList::Line { line }), Ok(text)) => {
            let up_to = |end: usize| text.lines().take(end).collect::<Vec<_>>().join("\n");
            let before = accounts::read(up_to(line - 1).as_bytes());
            assert!(matches!(before, Ok(_) | Err(InvalidAccountList::Empty)), "line {line} of {text}");
            assert_eq!(accounts::read(up_to(line).as_bytes()), Err(InvalidAccountList::Line { line }));
        }
        (Err(InvalidAccountList::Empty), Ok(text)) => {
            let is_comment = |line: &str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
            assert!(text.lines().all(is_comment), "{text}");
        }
        (read, text) => assert_eq!((read, text.is_err()), (Err(InvalidAccountList::NotUtf8), true)),
    }
}

/// Checks that a message about a file is readable for an operator and reveals no secret.
pub fn check_error_text(text: &str, has_secret: bool) {
    const MAX_LENGTH: usize = 1_200;
    assert!(!text.contains(char::is_control), "{text:?}");
    assert!(text.len() <= MAX_LENGTH, "{} bytes: {text}", text.len());
    assert!(!has_secret || !text.contains(MARK), "{text}");
}

/// Whether the marker is in values of secret keys, and nowhere else.
pub fn has_secret(text: &str, overrides: &[Override]) -> bool {
    let Ok(mut root) = toml::parse("f", text) else {
        return false;
    };
    let is_laid = env_overrides::apply(&mut root, overrides).is_ok();
    let (mut secret, mut open) = (0, 0);
    count(&root, false, &mut secret, &mut open);
    is_laid && secret > 0 && open == 0
}

fn count(node: &Node, is_secret: bool, secret: &mut usize, open: &mut usize) {
    match &node.value {
        Value::Text(text) | Value::Untyped(text) | Value::Number(text) | Value::Date(text) => {
            *(if is_secret { secret } else { open }) += usize::from(text.contains(MARK));
        }
        Value::List(entries) => entries.iter().for_each(|entry| count(entry, is_secret, secret, open)),
        Value::Table(entries) => {
            for (key, entry) in entries {
                *open += usize::from(key.contains(MARK));
                count(entry, SECRETS.contains(&key.as_str()), secret, open);
            }
        }
        Value::Boolean(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("configuration", configuration);
    }

    #[test]
    fn account_lists_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("files", accounts);
    }
}
