//! The JSON of a keystore. Members that nothing depends on are neither read nor missed.

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
    pub(super) crypto: Sealed,
}

/// The encrypted key. All bytes are in hex.
#[derive(Deserialize)]
pub(super) struct Sealed {
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

/// What is encrypted, and what it takes to decrypt it and to know whether the password was right.
pub(super) struct Parts {
    pub(super) iv: [u8; 16],
    pub(super) ciphertext: [u8; 32],
    pub(super) mac: [u8; 32],
}

/// The one version whose members these are.
const VERSION: u64 = 3;
/// Its one cipher.
const CIPHER: &str = "aes-128-ctr";

impl Document {
    /// Reads a file of version 3.
    pub(super) fn read(json: &[u8]) -> Result<Self, KeystoreError> {
        /// Other versions have other members: this one is held against first.
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

    /// The account that the file names, if it names one.
    pub(super) fn address(&self) -> Result<Option<Address>, KeystoreError> {
        let read = |text| bytes("address", text, "20 bytes in hex").map(Address::new);
        self.address.as_deref().map(read).transpose()
    }
}

impl Sealed {
    /// The bytes themselves.
    pub(super) fn parts(&self) -> Result<Parts, KeystoreError> {
        if self.cipher != CIPHER {
            return Err(KeystoreError::Unusable { member: "crypto.cipher", allowed: CIPHER });
        }
        Ok(Parts {
            iv: bytes("crypto.cipherparams.iv", &self.cipherparams.iv, "16 bytes in hex")?,
            ciphertext: bytes("crypto.ciphertext", &self.ciphertext, "32 bytes in hex")?,
            mac: bytes("crypto.mac", &self.mac, "32 bytes in hex")?,
        })
    }
}

/// The `N` bytes that `text` is the hex of, with or without `0x`.
fn bytes<const N: usize>(member: &'static str, text: &str, allowed: &'static str) -> Result<[u8; N], KeystoreError> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| KeystoreError::Unusable { member, allowed })?;
    Ok(bytes)
}

/// The text of a new file, whose key was derived at the usual cost.
pub(super) fn written(address: Address, salt: &[u8; 32], parts: &Parts) -> String {
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
