//! The keystore part of the fuzz target `signers`. Skips expensive key derivations.

use alloy_primitives::Address;
use zeroize::Zeroizing;

use super::{
    KeystoreError, decrypt,
    derivation::{Derivation, DerivedKey, SCRYPT},
    document::{self, Document, EncryptedKey, EncryptedKeyParts},
};
use crate::{LocalSigner, fuzzing::check_error_text};

/// Parses `json` as a keystore.
pub(crate) fn file(json: &[u8]) {
    let result = Document::parse(json).and_then(|document| {
        let (address, parts) = (document.address()?, document.crypto.parts()?);
        Derivation::parse(&document.crypto.kdf, &document.crypto.kdfparams)?;
        Ok((address, parts, cost(&document.crypto)))
    });
    let (address, parts, [bytes, work]) = match result {
        Ok(members) => members,
        Err(error) => return check_error_text(&error),
    };
    assert!(bytes <= 256 << 20 && work <= 10_000_000, "{bytes} bytes, {work} steps");
    if work <= 64
        && let Err(error) = LocalSigner::from_keystore(json, b"password")
    {
        check_error_text(&error);
    }
    check_round_trip(address.unwrap_or_default(), &parts);
}

/// The memory in bytes that the file requires, and the work: blocks of scrypt, or iterations of PBKDF2.
fn cost(sealed: &EncryptedKey) -> [u128; 2] {
    let parameters = &sealed.kdfparams;
    let [n, r, p, c] = [parameters.n, parameters.r, parameters.p, parameters.c].map(|number| {
        // An absent parameter counts as the maximum, so that accepting it fails the check.
        u128::from(number.unwrap_or(u64::MAX))
    });
    let blocks = n.saturating_mul(r);
    if sealed.kdf == SCRYPT { [blocks.saturating_mul(128), blocks.saturating_mul(p)] } else { [0, c] }
}

/// Checks that the parts of a key round-trip, and that only a derived key with the matching MAC decrypts them.
fn check_round_trip(address: Address, parts: &EncryptedKeyParts) {
    let json = document::format(address, &[9; 32], parts);
    let parsed =
        Document::parse(json.as_bytes()).and_then(|document| Ok((document.address()?, document.crypto.parts()?)));
    let parsed = parsed.map(|(address, EncryptedKeyParts { iv, ciphertext, mac })| (address, iv, ciphertext, mac));
    assert!(parsed.is_ok_and(|members| members == (Some(address), parts.iv, parts.ciphertext, parts.mac)), "{json}");
    let derived = DerivedKey(Zeroizing::new([[7; 16]; 2]));
    let authentic = EncryptedKeyParts { mac: derived.mac(&parts.ciphertext), ..*parts };
    if authentic.mac != parts.mac {
        assert!(matches!(decrypt(parts, &derived), Err(KeystoreError::WrongPassword)), "{json}");
    }
    let Err(error) = decrypt(&authentic, &derived) else { return };
    assert!(matches!(error, KeystoreError::Unusable { member: "crypto.ciphertext", .. }), "{error}");
}
