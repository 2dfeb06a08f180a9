//! API keys: generated once, displayed once, stored only as a hash.

use alloy_primitives::hex;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{
    InvalidCredential,
    invalid::{RandomnessUnavailable, random_bytes},
};

/// The start of the API keys and usernames of a sandbox, which no other service accepts; a sandbox accepts no others.
pub const SANDBOX_PREFIX: &str = "sandbox_";

/// The SHA-256 of an API key.
///
/// A key has 256 bits of randomness and cannot be guessed, so a single fast hash is enough.
#[derive(Clone, PartialEq)]
pub struct ApiKeyHash([u8; 32]);

impl ApiKeyHash {
    /// Parses the 64 hex digits from the configuration.
    ///
    /// # Errors
    /// [`InvalidCredential::ApiKeyHash`] for any other text.
    pub fn from_hex(text: &str) -> Result<Self, InvalidCredential> {
        let mut bytes = [0; 32];
        let is_plain = text.len() == 64 && hex::decode_to_slice(text, &mut bytes).is_ok();
        if is_plain { Ok(Self(bytes)) } else { Err(InvalidCredential::ApiKeyHash) }
    }

    /// Hashes a key as presented by a client.
    pub(super) fn from_key(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// Returns the first 12 hex digits.
    pub(super) fn id(&self) -> String {
        let [a, b, c, d, e, f, ..] = self.0;
        hex::encode([a, b, c, d, e, f])
    }

    /// Returns the bytes of the hash, for lookups.
    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether both hashes are equal. The comparison takes constant time.
    pub(super) fn constant_time_eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// A newly generated API key, to be displayed to its client once.
pub struct NewApiKey {
    key: Zeroizing<String>,
}

impl NewApiKey {
    /// Generates a key of 32 random bytes.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system provides no randomness.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        let bytes = Zeroizing::new(random_bytes::<32>()?);
        Ok(Self { key: Zeroizing::new(hex::encode(bytes.as_slice())) })
    }

    /// Generates a key that only a sandbox accepts: [`SANDBOX_PREFIX`] and 32 random bytes.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system provides no randomness.
    pub fn generate_for_sandbox() -> Result<Self, RandomnessUnavailable> {
        let Self { key } = Self::generate()?;
        Ok(Self { key: Zeroizing::new(format!("{SANDBOX_PREFIX}{}", &*key)) })
    }

    /// Returns the key as the client sends it in `x-api-key`: 64 hex digits, after the prefix of a sandbox.
    pub fn reveal(&self) -> &str {
        &self.key
    }

    /// Returns the SHA-256 of the key as the operator configures it: 64 hex digits.
    pub fn sha256_hex(&self) -> String {
        hex::encode(ApiKeyHash::from_key(self.key.as_bytes()).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_matches_its_stored_hash() {
        let key = NewApiKey::generate().unwrap();
        let hash = ApiKeyHash::from_hex(&key.sha256_hex()).unwrap();
        assert!(hash.constant_time_eq(&ApiKeyHash::from_key(key.reveal().as_bytes())));
        assert!(!hash.constant_time_eq(&ApiKeyHash::from_key(NewApiKey::generate().unwrap().reveal().as_bytes())));
        assert_eq!(key.reveal().len(), 64);
    }

    #[test]
    fn a_stored_hash_is_64_hex_digits() {
        let digits = "a".repeat(64);
        assert!(ApiKeyHash::from_hex(&digits).is_ok());
        for text in ["", &digits[1..], &format!("{digits}a"), &format!("0x{}", &digits[2..]), &"g".repeat(64)] {
            assert_eq!(ApiKeyHash::from_hex(text).err(), Some(InvalidCredential::ApiKeyHash), "{text}");
        }
    }
}
