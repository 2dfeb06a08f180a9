//! What a password became: the first half encrypts, the second half says whether the password was right.

use aes::Aes128;
use alloy_primitives::Keccak256;
use ctr::{
    Ctr128BE,
    cipher::{KeyIvInit as _, StreamCipher as _},
};
use zeroize::Zeroizing;

/// 32 bytes, overwritten when dropped.
pub(super) struct DerivedKey {
    cipher: Zeroizing<[u8; 16]>,
    mac: Zeroizing<[u8; 16]>,
}

impl DerivedKey {
    pub(super) fn new(bytes: Zeroizing<[u8; 32]>) -> Self {
        let (mut cipher, mut mac) = (Zeroizing::new([0; 16]), Zeroizing::new([0; 16]));
        let (first, second) = bytes.split_at(16);
        cipher.copy_from_slice(first);
        mac.copy_from_slice(second);
        Self { cipher, mac }
    }

    /// keccak256 of the second half and `ciphertext`.
    pub(super) fn mac(&self, ciphertext: &[u8; 32]) -> [u8; 32] {
        let mut hasher = Keccak256::new();
        hasher.update(self.mac.as_slice());
        hasher.update(ciphertext);
        hasher.finalize().0
    }

    /// Encrypts what is plain, and decrypts what is encrypted (AES-128 in counter mode).
    pub(super) fn apply(&self, iv: &[u8; 16], bytes: &mut [u8; 32]) {
        let mut cipher = Ctr128BE::<Aes128>::new((&*self.cipher).into(), iv.into());
        cipher.apply_keystream(bytes);
    }
}
