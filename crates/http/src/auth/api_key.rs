//! API keys: made once, shown once, kept as a hash.

use alloy_primitives::hex;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{
    InvalidCredential,
    invalid::{RandomnessUnavailable, random_bytes},
};

/// The SHA-256 of an API key.
///
/// A key has 256 bits of randomness, so one fast hash keeps it safe: there is nothing to guess.
#[derive(Clone)]
pub struct ApiKeyHash([u8; 32]);

impl ApiKeyHash {
    /// Reads the 64 hex digits that an operator keeps.
    ///
    /// # Errors
    /// [`InvalidCredential::ApiKeyHash`] for any other text.
    pub fn from_hex(text: &str) -> Result<Self, InvalidCredential> {
        let mut bytes = [0; 32];
        let is_plain = text.len() == 64 && hex::decode_to_slice(text, &mut bytes).is_ok();
        if is_plain { Ok(Self(bytes)) } else { Err(InvalidCredential::ApiKeyHash) }
    }

    /// The hash of a key as a client presents it.
    pub(super) fn from_key(key: &[u8]) -> Self {
        Self(Sha256::digest(key).into())
    }

    /// The bytes, to look the hash up by.
    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether both are of the same key, in a time that does not depend on where they differ.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// A new API key, to be shown to its client once.
pub struct NewApiKey {
    key: Zeroizing<String>,
}

impl NewApiKey {
    /// Makes a key of 32 random bytes.
    ///
    /// # Errors
    /// [`RandomnessUnavailable`] when the system has no randomness to give.
    pub fn create() -> Result<Self, RandomnessUnavailable> {
        let bytes = Zeroizing::new(random_bytes::<32>()?);
        Ok(Self { key: Zeroizing::new(hex::encode(bytes.as_slice())) })
    }

    /// The key, 64 hex digits, as the client sends it in `x-api-key`.
    pub fn reveal(&self) -> &str {
        &self.key
    }

    /// Its SHA-256, 64 hex digits, as the operator keeps it.
    pub fn sha256_hex(&self) -> String {
        hex::encode(ApiKeyHash::from_key(self.key.as_bytes()).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_is_found_by_the_hash_that_is_kept_of_it() {
        let key = NewApiKey::create().unwrap();
        let kept = ApiKeyHash::from_hex(&key.sha256_hex()).unwrap();
        assert!(kept.is_same(&ApiKeyHash::from_key(key.reveal().as_bytes())));
        assert!(!kept.is_same(&ApiKeyHash::from_key(NewApiKey::create().unwrap().reveal().as_bytes())));
        assert_eq!(key.reveal().len(), 64);
    }

    #[test]
    fn a_kept_hash_is_64_hex_digits() {
        let digits = "a".repeat(64);
        assert!(ApiKeyHash::from_hex(&digits).is_ok());
        for text in ["", &digits[1..], &format!("{digits}a"), &format!("0x{}", &digits[2..]), &"g".repeat(64)] {
            assert_eq!(ApiKeyHash::from_hex(text).err(), Some(InvalidCredential::ApiKeyHash), "{text}");
        }
    }
}
