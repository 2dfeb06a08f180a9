//! Keys in encrypted files: Web3 Secret Storage, version 3, as written by geth, ethers and others
//! ([definition](https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage)). Does not
//! access files itself.
//!
//! Derived and decrypted bytes are overwritten as soon as they are no longer needed, except for the working memory of
//! scrypt and PBKDF2, which their crates free without erasing it.

mod derivation;
mod document;
mod error;
#[cfg(all(any(test, fuzzing), feature = "remote"))]
pub(crate) mod fuzzing;

use alloy_primitives::Address;
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use self::{
    derivation::{Derivation, DerivedKey},
    document::{Document, EncryptedKey, EncryptedKeyParts},
};
use crate::{LocalSigner, Signer as _, blinding::fill_random, key::HotKey};
pub use error::KeystoreError;

/// A new keystore: the contents of an encrypted file, and the account of its key.
pub struct NewKeystore {
    /// The account of the key.
    pub address: Address,
    /// The contents of the file. They allow an offline attack on the password.
    pub json: String,
}

impl NewKeystore {
    /// Generates a random key, encrypted with `password` at the default cost: scrypt with n 262144, r 8 and p 1, which
    /// takes about a second and 256 MiB.
    ///
    /// # Errors
    /// [`KeystoreError::Signer`] when the system provides no randomness.
    pub fn random(password: &[u8]) -> Result<Self, KeystoreError> {
        Self::encrypt(HotKey::random()?, password)
    }

    /// Encrypts a key of 64 hex digits, with or without `0x`, at the cost of [`random`](Self::random).
    ///
    /// # Errors
    /// [`KeystoreError::Signer`] for any other text, zero, numbers not below the group order, and when the system
    /// provides no randomness. No error contains the text.
    pub fn from_hex(key: &str, password: &[u8]) -> Result<Self, KeystoreError> {
        Self::encrypt(HotKey::from_hex(key)?, password)
    }

    fn encrypt(key: HotKey, password: &[u8]) -> Result<Self, KeystoreError> {
        let mut bytes = Zeroizing::new([0; 32]);
        bytes.copy_from_slice(key.secret().as_ref());
        let address = LocalSigner::with_key(key)?.address();
        let (mut salt, mut iv) = ([0; 32], [0; 16]);
        fill_random(&mut salt)?;
        fill_random(&mut iv)?;
        let derived = Derivation::with_default_cost(&salt)?.derive(password)?;
        derived.apply(&iv, &mut bytes);
        let parts = EncryptedKeyParts { iv, ciphertext: *bytes, mac: derived.mac(&bytes) };
        Ok(Self { address, json: document::format(address, &salt, &parts) })
    }
}

impl LocalSigner {
    /// Creates a signer from a keystore file, opened with `password`.
    ///
    /// Files of the default cost take about a second and 256 MiB. Files that would take more than a few seconds, or
    /// more memory, are rejected before anything is derived.
    ///
    /// # Errors
    /// [`KeystoreError::Malformed`] and [`KeystoreError::Unusable`] for a file that is not a keystore, is corrupt, too
    /// expensive, or names a different account than that of its key; [`KeystoreError::WrongPassword`];
    /// [`KeystoreError::Signer`] when the system provides no randomness. No error contains the password or any part of
    /// the key.
    pub fn from_keystore(json: &[u8], password: &[u8]) -> Result<Self, KeystoreError> {
        const OTHER: KeystoreError =
            KeystoreError::Unusable { member: "address", allowed: "the account of the key in the file" };
        let document = Document::parse(json)?;
        let address = document.address()?;
        let signer = Self::with_key(open(&document.crypto, password)?)?;
        if address.is_some_and(|address| address != signer.address()) { Err(OTHER) } else { Ok(signer) }
    }
}

/// Decrypts the key in `sealed`. All members are validated before anything is derived.
fn open(sealed: &EncryptedKey, password: &[u8]) -> Result<HotKey, KeystoreError> {
    let parts = sealed.parts()?;
    decrypt(&parts, &Derivation::parse(&sealed.kdf, &sealed.kdfparams)?.derive(password)?)
}

/// Decrypts the key with `derived`, if the MAC matches.
fn decrypt(parts: &EncryptedKeyParts, derived: &DerivedKey) -> Result<HotKey, KeystoreError> {
    const RANGE: &str = "a key from 1 to the order of secp256k1 less 1";
    let EncryptedKeyParts { iv, ciphertext, mac } = parts;
    let mut bytes = Zeroizing::new(*ciphertext);
    if !bool::from(derived.mac(&bytes).ct_eq(mac)) {
        return Err(KeystoreError::WrongPassword);
    }
    derived.apply(iv, &mut bytes);
    HotKey::from_bytes(&bytes).map_err(|_| KeystoreError::Unusable { member: "crypto.ciphertext", allowed: RANGE })
}
