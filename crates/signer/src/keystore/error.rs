//! Why a keystore gives no key. No text of the file and nothing secret is ever part of it.

use crate::SignerError;

/// Why a keystore gives no key; a variant per reaction.
#[derive(Debug, thiserror::Error)]
pub enum KeystoreError {
    /// It is not JSON, or lacks what every keystore has: another file was meant, or this one is broken.
    #[error("not a keystore of version 3 (line {line}, column {column})")]
    Malformed {
        /// Where reading ended, from 1.
        line: usize,
        /// Characters into the line.
        column: usize,
    },
    /// A member has a value that cannot be right, is not supported, or would cost too much time or memory.
    #[error("{member} of the keystore is unusable, allowed: {allowed}")]
    Unusable {
        /// The path of the member.
        member: &'static str,
        /// What it may be.
        allowed: &'static str,
    },
    /// The password is not the one it was made with. A file that was altered since looks the same.
    #[error("the password does not open the keystore")]
    WrongPassword,
    /// There is a key, and no signer of it.
    #[error(transparent)]
    Signer(#[from] SignerError),
}
