//! The tokens of operators: generated once, displayed once, stored only as a hash.

use super::{ApiKeyHash, InvalidCredential, NewApiKey, RandomnessUnavailable};

/// The SHA-256 of a token that authorizes requests to the operator's routes. Does not implement `Debug`.
#[derive(Clone, PartialEq)]
pub struct AdminTokenHash(ApiKeyHash);

impl AdminTokenHash {
    /// Parses the 64 hex digits from the configuration.
    ///
    /// # Errors
    /// [`InvalidCredential::AdminTokenHash`] for any other text.
    pub fn from_hex(text: &str) -> Result<Self, InvalidCredential> {
        ApiKeyHash::from_hex(text).map(Self).map_err(|_| InvalidCredential::AdminTokenHash)
    }

    /// Whether `token` has this hash. The comparison takes constant time.
    pub(super) fn matches(&self, token: &[u8]) -> bool {
        self.0.constant_time_eq(&ApiKeyHash::from_key(token))
    }
}

/// A newly generated token, to be displayed once.
pub struct NewAdminToken(NewApiKey);

impl NewAdminToken {
    /// Generates a token of 32 random bytes.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system provides no randomness.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        NewApiKey::generate().map(Self)
    }

    /// Returns the token as it is sent: 64 hex digits.
    pub fn reveal(&self) -> &str {
        self.0.reveal()
    }

    /// Returns the SHA-256 of the token as it is configured: 64 hex digits.
    pub fn sha256_hex(&self) -> String {
        self.0.sha256_hex()
    }
}
