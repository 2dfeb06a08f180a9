//! Keystores that are decrypted once for as long as their key is in use: decryption takes a second, and reloads are
//! urgent.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use alloy_primitives::{B256, Keccak256};
use firmquote_signer::{KeystoreError, LocalSigner};
use parking_lot::Mutex;

/// The signers in use, by the digest of their keystore and password.
#[derive(Default)]
pub(super) struct Keystores(Mutex<HashMap<B256, Weak<LocalSigner>>>);

impl Keystores {
    /// Returns the signer of a keystore; decrypts it unless its signer is in use.
    ///
    /// # Errors
    /// Those of [`LocalSigner::from_keystore`].
    pub(super) fn signer(&self, keystore: &[u8], password: &[u8]) -> Result<Arc<LocalSigner>, KeystoreError> {
        let mut digest = Keccak256::new();
        digest.update(keystore.len().to_be_bytes());
        digest.update(keystore);
        digest.update(password);
        let digest = digest.finalize();
        if let Some(signer) = self.0.lock().get(&digest).and_then(Weak::upgrade) {
            return Ok(signer);
        }
        let signer = Arc::new(LocalSigner::from_keystore(keystore, password)?);
        let mut signers = self.0.lock();
        signers.retain(|_, signer| signer.strong_count() > 0);
        signers.insert(digest, Arc::downgrade(&signer));
        Ok(signer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYSTORE: &[u8] = include_bytes!("../../../signer/tests/signer/vectors/keystore/eth_keyfile_scrypt.json");

    #[test]
    fn a_keystore_in_use_is_not_decrypted_again() {
        let keystores = Keystores::default();
        let password = "pässwörd mit Leerzeichen".as_bytes();
        let signer = keystores.signer(KEYSTORE, password).unwrap();
        assert!(Arc::ptr_eq(&signer, &keystores.signer(KEYSTORE, password).unwrap()));
        assert!(matches!(keystores.signer(KEYSTORE, b"another"), Err(KeystoreError::WrongPassword)));
        drop(signer);
        assert!(keystores.0.lock().values().all(|signer| signer.upgrade().is_none()), "the key is not kept");
    }
}
