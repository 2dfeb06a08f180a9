//! Errors of configured and newly generated credentials.

/// Maximum number of different combinations of a fee adjustment and limits in the terms of clients: levels are computed
/// for each.
pub(super) const MAX_BOOK_TERMS: usize = 64;

/// The reason why a configured credential is invalid. Never contains a hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidCredential {
    /// Not a [`ClientName`](crate::ClientName).
    #[error("a client name is 1 to 64 printable ASCII characters without blanks")]
    ClientName,
    /// Not an [`OperatorName`](crate::OperatorName).
    #[error("the name of an operator is 1 to 64 printable ASCII characters without blanks")]
    OperatorName,
    /// Not a [`Username`](crate::Username).
    #[error("a username is 1 to 64 printable ASCII characters without blanks and colons")]
    Username,
    /// Not the SHA-256 of an API key.
    #[error("an API key is configured as its SHA-256: 64 hex digits")]
    ApiKeyHash,
    /// Not the SHA-256 of an admin token.
    #[error("an admin token is configured as its SHA-256: 64 hex digits")]
    AdminTokenHash,
    /// Not a password hash, or not an argon2id one.
    #[error("a password is configured as a PHC string of argon2id, version 19, with salt and hash")]
    PasswordHash,
    /// A password hash too cheap to protect the password, or too costly to verify at every login.
    #[error(
        "a password hash must use 7168 to 262144 KiB of memory, 1 to 10 passes, 1 to 4 lanes, and a salt and a hash of \
         16 bytes or more"
    )]
    PasswordCost,
    /// The same API key twice, for two clients or for one.
    #[error("the API key of client {client} is configured twice")]
    DuplicateApiKey {
        /// The client of the duplicate.
        client: String,
    },
    /// A client whose fee and limits differ from those of all others, beyond the number for which levels are computed.
    #[error(
        "client {client} is the first with one combination too many of fee_adjust_bps and limits, at most \
         {MAX_BOOK_TERMS} are allowed"
    )]
    TooManyTerms {
        /// The client.
        client: String,
    },
    /// A username that is configured twice.
    #[error("username {username} is configured twice")]
    DuplicateUsername {
        /// The username.
        username: String,
    },
}

/// The operating system's random number generator failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the system provides no randomness: {0}")]
pub struct RandomnessUnavailable(pub(super) String);

/// Returns `N` cryptographically secure random bytes.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], RandomnessUnavailable> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| RandomnessUnavailable(error.to_string()))?;
    Ok(bytes)
}
