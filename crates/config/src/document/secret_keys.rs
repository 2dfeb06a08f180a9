//! The keys whose values no error shows: a secret stands there, or could by mistake.

use super::path::{KeyPath, PathSegment};

/// Keys of secrets, of hashes of secrets, and of addresses that may contain credentials.
const SECRET_KEYS: [&str; 8] = [
    "admin_token_sha256",
    "api_key_sha256",
    "endpoint",
    "password_hash",
    "remote_url",
    "rpc_urls",
    "token_sha256",
    "url",
];

/// The end of keys that name an environment variable; the secret itself may have been written there.
const VARIABLE_SUFFIX: &str = "_env";

/// Whether no error may show the value at `path`.
pub(crate) fn is_secret(path: &KeyPath) -> bool {
    let key = path.segments().iter().rev().find_map(|segment| match segment {
        PathSegment::Key(key) => Some(key),
        PathSegment::Index(_) => None,
    });
    key.is_some_and(|key| SECRET_KEYS.contains(&key.as_str()) || key.ends_with(VARIABLE_SUFFIX))
}
