//! Secrets that must not occur in responses or log lines, and their hashes for the configuration.

use crate::exchange::KEY;

/// The API key of `acme`, in the configuration.
pub(super) const ACME_KEY: &str = "storm-acme-key-5f21c0";
/// SHA-256 of [`ACME_KEY`].
pub(super) const ACME_HASH: &str = "a6dedad1b9ad1c0e4f6bf81d7bd1e90eff7e5b65e064ba6d0aec38d582a01f21";
/// The API key of `bolt`, which is added to and removed from the credentials file.
pub(super) const BOLT_KEY: &str = "storm-bolt-key-91be7d";
/// SHA-256 of [`BOLT_KEY`].
pub(super) const BOLT_HASH: &str = "fdb13b234dc457ca068addc3943b6e2330ad51410841b61fc6d79e966b68b78c";
/// `acme-login` and its password, encoded for the Basic scheme.
pub(super) const ACME_BASIC: &str = "YWNtZS1sb2dpbjowZjIxYmNmMGRmMDMxMTM0YjNjOTk0ZmM4MGVjMDRlZjRjZGNiNjYzZjgyMDk1YWE=";
/// The password in [`ACME_BASIC`].
const ACME_PASSWORD: &str = "0f21bcf0df031134b3c994fc80ec04ef4cdcb663f82095aa";
/// The hash of [`ACME_PASSWORD`] in the configuration.
pub(super) const ACME_PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$DvA3C2WkD0xjtgD2UAs+zA$aT8j5FCUJWoYAvTG5gxM9YkVdqp17kFd2uwGM+75rHA";
/// The token of the admin routes.
pub(super) const ADMIN_TOKEN: &str = "storm-admin-token-3d77e9";
/// SHA-256 of [`ADMIN_TOKEN`].
pub(super) const ADMIN_HASH: &str = "2769509c37651bd43bec6156fa080aee9ef79e3c549e826ce7de732eb1a8a69d";
/// An invalid credential. It must not leak either, since it could be a mistyped key.
pub(super) const WRONG: &str = "storm-wrong-secret";
/// Basic credentials with [`WRONG`] as the password: of an existing user, and of an unknown one.
pub(super) const WRONG_BASIC: [&str; 2] =
    ["YWNtZS1sb2dpbjpzdG9ybS13cm9uZy1zZWNyZXQ=", "bm9ib2R5OnN0b3JtLXdyb25nLXNlY3JldA=="];

/// Strings that must not occur in any output of the service.
const SECRETS: [&str; 12] = [
    ACME_KEY,
    ACME_HASH,
    BOLT_KEY,
    BOLT_HASH,
    ACME_BASIC,
    ACME_PASSWORD,
    "argon2id",
    ADMIN_TOKEN,
    ADMIN_HASH,
    WRONG,
    WRONG_BASIC[0],
    WRONG_BASIC[1],
];

/// Returns a secret contained in `text`, if any.
pub(super) fn told_in(text: &str) -> Option<&'static str> {
    let signing_key = KEY.trim_start_matches("0x");
    SECRETS.into_iter().chain([signing_key]).find(|secret| text.contains(secret))
}

/// Checks that `text` contains no secret.
///
/// # Panics
/// If it does.
pub(super) fn check(text: &str) {
    if let Some(secret) = told_in(text) {
        panic!("{secret} occurs in {text}");
    }
}
