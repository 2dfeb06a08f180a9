//! Why a credential cannot be used or made.

/// Which credential of the operator's is not usable. Never repeats a hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCredential {
    /// Not a [`ClientName`](crate::ClientName).
    #[error("a client name is 1 to 64 printable ASCII characters without blanks")]
    ClientName,
    /// Not a [`Username`](crate::Username).
    #[error("a username is 1 to 64 printable ASCII characters without blanks and colons")]
    Username,
    /// Not the SHA-256 of an API key.
    #[error("an API key is configured by its SHA-256: 64 hex digits")]
    ApiKeyHash,
    /// Not the SHA-256 of an admin token.
    #[error("an admin token is configured by its SHA-256: 64 hex digits")]
    AdminTokenHash,
    /// Not a password hash at all, or of another kind.
    #[error("a password is configured as a PHC string of argon2id, version 19, with salt and hash")]
    PasswordHash,
    /// A password hash too cheap to protect the password, or too costly to check at every login.
    #[error(
        "a password hash takes 7168 to 262144 KiB of memory, 1 to 10 passes and 1 to 4 lanes, a salt and a hash of 16 bytes or more"
    )]
    PasswordCost,
    /// Two clients with the same API key, or one of them twice.
    #[error("the API key of client {client} is configured twice")]
    DuplicateApiKey {
        /// The client of the second one.
        client: String,
    },
    /// The same username twice.
    #[error("username {username} is configured twice")]
    DuplicateUsername {
        /// The name.
        username: String,
    },
}

/// The system's source of randomness could not be asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no randomness from the system: {0}")]
pub struct RandomnessUnavailable(pub(super) String);

/// `N` bytes nobody can guess.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], RandomnessUnavailable> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| RandomnessUnavailable(error.to_string()))?;
    Ok(bytes)
}
