//! The keys whose values no error shows: a secret stands there, or could by mistake.

use super::path::{KeyPath, PathSegment};

/// Keys of secrets, of hashes of secrets, and of addresses that may contain credentials.
pub(crate) const SECRET_KEYS: [&str; 7] =
    ["admin_token_sha256", "api_key_sha256", "endpoint", "password_hash", "remote_url", "rpc_urls", "url"];

/// The end of keys that name an environment variable; the secret itself may have been written there.
pub(crate) const VARIABLE_SUFFIX: &str = "_env";

/// Whether no error may show the value at `path`, which is `text` if it is a text.
pub(crate) fn is_secret(path: &KeyPath, text: Option<&str>) -> bool {
    let key = path.segments().iter().rev().find_map(|segment| match segment {
        PathSegment::Key(key) => Some(key),
        PathSegment::Index(_) => None,
    });
    let Some(key) = key else { return false };
    let is_variable = text.is_some_and(is_variable_name);
    SECRET_KEYS.contains(&key.as_str()) || (key.ends_with(VARIABLE_SUFFIX) && !is_variable)
}

/// Whether `text` is the name of an environment variable, in capitals.
pub(crate) fn is_variable_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    starts && text.len() <= 128 && text.bytes().all(is_plain)
}
