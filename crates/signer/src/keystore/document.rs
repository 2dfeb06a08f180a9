//! The JSON of a keystore. Members that are not needed are neither read nor required.

use super::{KeystoreError, derivation, derivation::DerivationParameters};

use alloy_primitives::{Address, hex};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

/// The whole file.
#[derive(Deserialize)]
pub(super) struct Document {
    address: Option<String>,
    #[serde(alias = "Crypto")]
    pub(super) crypto: EncryptedKey,
}

/// The encrypted key. All bytes are hex.
#[derive(Deserialize)]
pub(super) struct EncryptedKey {
    cipher: String,
    cipherparams: CipherParameters,
    ciphertext: String,
    pub(super) kdf: String,
    pub(super) kdfparams: DerivationParameters,
    mac: String,
}

#[derive(Deserialize)]
struct CipherParameters {
    iv: String,
}

/// The ciphertext, with the values to decrypt it and to verify the password.
pub(super) struct EncryptedKeyParts {
    pub(super) iv: [u8; 16],
    pub(super) ciphertext: [u8; 32],
    pub(super) mac: [u8; 32],
}

/// The only supported version.
const VERSION: u64 = 3;
/// The only cipher of this version.
const CIPHER: &str = "aes-128-ctr";

impl Document {
    /// Parses a file of version 3.
    pub(super) fn parse(json: &[u8]) -> Result<Self, KeystoreError> {
        /// The version, checked first because other versions have other members.
        #[derive(Deserialize)]
        struct Versioned {
            version: u64,
        }
        let malformed =
            |error: serde_json::Error| KeystoreError::Malformed { line: error.line(), column: error.column() };
        let Versioned { version } = serde_json::from_slice(json).map_err(malformed)?;
        if version != VERSION {
            return Err(KeystoreError::Unusable { member: "version", allowed: "3" });
        }
        serde_json::from_slice(json).map_err(malformed)
    }

    /// The account in the file, if present.
    pub(super) fn address(&self) -> Result<Option<Address>, KeystoreError> {
        let parse = |text| bytes("address", text, "20 bytes in hex").map(Address::new);
        self.address.as_deref().map(parse).transpose()
    }
}

impl EncryptedKey {
    /// Decodes the hex members.
    pub(super) fn parts(&self) -> Result<EncryptedKeyParts, KeystoreError> {
        if self.cipher != CIPHER {
            return Err(KeystoreError::Unusable { member: "crypto.cipher", allowed: CIPHER });
        }
        Ok(EncryptedKeyParts {
            iv: bytes("crypto.cipherparams.iv", &self.cipherparams.iv, "16 bytes in hex")?,
            ciphertext: bytes("crypto.ciphertext", &self.ciphertext, "32 bytes in hex")?,
            mac: bytes("crypto.mac", &self.mac, "32 bytes in hex")?,
        })
    }
}

/// Decodes `N` bytes of hex, with or without `0x`.
fn bytes<const N: usize>(member: &'static str, text: &str, allowed: &'static str) -> Result<[u8; N], KeystoreError> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| KeystoreError::Unusable { member, allowed })?;
    Ok(bytes)
}

/// Formats a new file, whose key was derived at the default cost.
pub(super) fn format(address: Address, salt: &[u8; 32], parts: &EncryptedKeyParts) -> String {
    let document = json!({
        "version": VERSION,
        "id": Uuid::new_v4().to_string(),
        "address": hex::encode(address),
        "crypto": {
            "cipher": CIPHER,
            "cipherparams": { "iv": hex::encode(parts.iv) },
            "ciphertext": hex::encode(parts.ciphertext),
            "kdf": derivation::SCRYPT,
            "kdfparams": {
                "dklen": derivation::KEY_BYTES,
                "n": derivation::DEFAULT_N,
                "r": derivation::DEFAULT_R,
                "p": derivation::DEFAULT_P,
                "salt": hex::encode(salt),
            },
            "mac": hex::encode(parts.mac),
        },
    });
    format!("{document:#}\n")
}
