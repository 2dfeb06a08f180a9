//! Secret keys in memory: parsed once, used in place, overwritten when dropped. Never displayed, except by
//! [`random_key_hex`], which generates a key for an operator.

use alloy_primitives::hex;
use firmquote_domain::InvalidValue;
use secp256k1::SecretKey;
use zeroize::Zeroizing;

use crate::{SignerError, blinding::fill_random};

/// Generates a random key as `0x` and 64 hex digits, for an operator to store safely.
///
/// The string is overwritten when dropped. [`LocalSigner::from_hex`](crate::LocalSigner::from_hex) parses it.
///
/// # Errors
/// [`SignerError::Unavailable`] when the system provides no randomness.
pub fn random_key_hex() -> Result<Zeroizing<String>, SignerError> {
    let key = HotKey::random()?;
    Ok(Zeroizing::new(hex::encode_prefixed(key.secret().as_ref())))
}

/// A secret key on the heap, so that moving its owner leaves no copy behind.
///
/// Copies that the compiler makes on the stack while parsing are not erased.
pub(crate) struct HotKey(Box<SecretKey>);

impl HotKey {
    /// Parses 64 hex digits, with or without `0x`.
    pub(crate) fn from_hex(text: &str) -> Result<Self, SignerError> {
        const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "64 hex digits, with or without 0x" };
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let mut bytes = Zeroizing::new([0; 32]);
        hex::decode_to_slice(digits, bytes.as_mut()).map_err(|_| SignerError::InvalidKey(SHAPE))?;
        Self::from_bytes(&bytes)
    }

    /// Generates a random key.
    pub(crate) fn random() -> Result<Self, SignerError> {
        let mut bytes = Zeroizing::new([0; 32]);
        fill_random(bytes.as_mut())?;
        Self::from_bytes(&bytes)
    }

    /// The key, to be used in place, never copied.
    pub(crate) fn secret(&self) -> &SecretKey {
        &self.0
    }

    /// Parses a big-endian number.
    pub(crate) fn from_bytes(bytes: &Zeroizing<[u8; 32]>) -> Result<Self, SignerError> {
        const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "1 to the order of secp256k1 less 1" };
        match SecretKey::from_byte_array(**bytes) {
            Ok(key) => Ok(Self(Box::new(key))),
            Err(_) => Err(SignerError::InvalidKey(RANGE)),
        }
    }
}

impl Drop for HotKey {
    fn drop(&mut self) {
        self.0.non_secure_erase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

    #[test]
    fn keys_are_parsed_with_and_without_prefix() {
        let digits = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
        for text in [digits.to_owned(), format!("0x{digits}"), digits.to_uppercase()] {
            assert_eq!(hex::encode(HotKey::from_hex(&text).unwrap().secret().as_ref()), digits);
        }
    }

    #[test]
    fn invalid_keys_are_rejected_and_not_echoed() {
        let short = &ORDER[1..];
        let double = format!("0x0x{}", &ORDER[2..]);
        for text in ["", "0x", short, &format!("{ORDER}0"), &ORDER.replace('a', "g"), &double, &"0".repeat(64), ORDER] {
            let error = HotKey::from_hex(text).map(|_| ()).unwrap_err();
            assert!(matches!(error, SignerError::InvalidKey(_)), "{text}");
            assert!(text.len() < 3 || !format!("{error} {error:?}").contains(text), "{text}");
        }
    }

    #[test]
    fn a_generated_key_is_parsable_and_unique() {
        let (first, second) = (random_key_hex().unwrap(), random_key_hex().unwrap());
        assert_ne!(first, second);
        assert_eq!(first.len(), 66);
        assert_eq!(hex::encode_prefixed(HotKey::from_hex(&first).unwrap().secret().as_ref()), *first);
    }
}
