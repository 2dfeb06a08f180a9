//! Errors of opening or creating a keystore. The messages contain neither secrets nor text of the file.

use crate::SignerError;

/// Reasons a keystore cannot be opened or created, one variant per reaction of the caller.
#[derive(Debug, thiserror::Error)]
pub enum KeystoreError {
    /// The file is not JSON, or lacks a required member: it is the wrong file, or corrupt.
    #[error("not a keystore of version 3 (line {line}, column {column})")]
    Malformed {
        /// The line at which parsing failed, from 1.
        line: usize,
        /// The column in that line.
        column: usize,
    },
    /// A member has a value that is invalid, unsupported, or too expensive in time or memory.
    #[error("{member} of the keystore is unusable, allowed: {allowed}")]
    Unusable {
        /// The path of the member.
        member: &'static str,
        /// The allowed values.
        allowed: &'static str,
    },
    /// The password is wrong, or the file was altered since: the two are indistinguishable.
    #[error("the password does not open the keystore")]
    WrongPassword,
    /// The key is invalid, or no signer could be created for it.
    #[error(transparent)]
    Signer(#[from] SignerError),
}
