//! What must stand in no answer and in no line of the log, and the hashes of it that stand in files.

use crate::exchange::KEY;

/// The API key of `acme`, in the configuration.
pub(super) const ACME_KEY: &str = "storm-acme-key-5f21c0";
/// SHA-256 of [`ACME_KEY`].
pub(super) const ACME_HASH: &str = "a6dedad1b9ad1c0e4f6bf81d7bd1e90eff7e5b65e064ba6d0aec38d582a01f21";
/// The API key of `bolt`, in the credentials file, from which it comes and goes.
pub(super) const BOLT_KEY: &str = "storm-bolt-key-91be7d";
/// SHA-256 of [`BOLT_KEY`].
pub(super) const BOLT_HASH: &str = "fdb13b234dc457ca068addc3943b6e2330ad51410841b61fc6d79e966b68b78c";
/// `acme-login` and its password, as the Basic scheme writes them.
pub(super) const ACME_BASIC: &str = "YWNtZS1sb2dpbjowZjIxYmNmMGRmMDMxMTM0YjNjOTk0ZmM4MGVjMDRlZjRjZGNiNjYzZjgyMDk1YWE=";
/// The password in [`ACME_BASIC`].
const ACME_PASSWORD: &str = "0f21bcf0df031134b3c994fc80ec04ef4cdcb663f82095aa";
/// The hash of [`ACME_PASSWORD`] as the configuration holds it.
pub(super) const ACME_PASSWORD_HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$DvA3C2WkD0xjtgD2UAs+zA$aT8j5FCUJWoYAvTG5gxM9YkVdqp17kFd2uwGM+75rHA";
/// The token of the admin routes.
pub(super) const ADMIN_TOKEN: &str = "storm-admin-token-3d77e9";
/// SHA-256 of [`ADMIN_TOKEN`].
pub(super) const ADMIN_HASH: &str = "2769509c37651bd43bec6156fa080aee9ef79e3c549e826ce7de732eb1a8a69d";
/// A credential that opens nothing. It is somebody's slip of a key, and nobody else's business either.
pub(super) const WRONG: &str = "storm-wrong-secret";
/// Logins of the Basic scheme with [`WRONG`] for a password: of a user there is, and of one there is not.
pub(super) const WRONG_BASIC: [&str; 2] =
    ["YWNtZS1sb2dpbjpzdG9ybS13cm9uZy1zZWNyZXQ=", "bm9ib2R5OnN0b3JtLXdyb25nLXNlY3JldA=="];

/// What no text that leaves the service contains.
const NEVER_TOLD: [&str; 12] = [
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

/// The secret that stands in `text`.
pub(super) fn told_in(text: &str) -> Option<&'static str> {
    let signing_key = KEY.trim_start_matches("0x");
    NEVER_TOLD.into_iter().chain([signing_key]).find(|secret| text.contains(secret))
}

/// # Panics
/// If `text` contains a secret.
pub(super) fn check(text: &str) {
    if let Some(secret) = told_in(text) {
        panic!("{secret} stands in {text}");
    }
}
