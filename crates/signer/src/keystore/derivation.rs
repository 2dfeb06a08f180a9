//! Key derivation from a password: scrypt (RFC 7914) or PBKDF2 (RFC 8018), as chosen by the file, within bounds.
//!
//! The file sets the cost and is not trusted: without bounds it could demand hours of computation and all memory. The
//! first half of the derived key encrypts, the second half authenticates the password.

use aes::Aes128;
use alloy_primitives::{Keccak256, hex};
use ctr::{
    Ctr128BE,
    cipher::{KeyIvInit as _, StreamCipher as _},
};
use pbkdf2::pbkdf2_hmac;
use scrypt::scrypt;
use serde::Deserialize;
use sha2::Sha256;
use zeroize::Zeroizing;

use super::KeystoreError;

/// `kdfparams` of a keystore: `n`, `r` and `p` belong to scrypt, `c` and `prf` to PBKDF2.
#[derive(Deserialize)]
pub(super) struct DerivationParameters {
    pub(super) dklen: u64,
    pub(super) salt: String,
    pub(super) n: Option<u64>,
    pub(super) r: Option<u64>,
    pub(super) p: Option<u64>,
    pub(super) c: Option<u64>,
    pub(super) prf: Option<String>,
}

/// The name of scrypt in files.
pub(super) const SCRYPT: &str = "scrypt";
/// The length of the derived key in bytes.
pub(super) const KEY_BYTES: u64 = 32;
/// The scrypt cost of new files: n and its binary logarithm, r, and p.
pub(super) const DEFAULT_N: u64 = 1 << DEFAULT_LOG_N;
const DEFAULT_LOG_N: u8 = 18;
pub(super) const DEFAULT_R: u32 = 8;
pub(super) const DEFAULT_P: u32 = 1;

/// The limit on n times r: 256 MiB, the memory of the default cost.
const MAX_BLOCKS: u64 = 1 << 21;
/// The limit on n times r times p: four times the default.
const MAX_WORK: u64 = 1 << 23;
const MAX_R: u64 = 64;
const MAX_P: u64 = 64;
const MAX_ITERATIONS: u64 = 10_000_000;
const MAX_SALT_BYTES: usize = 64;

/// A key derivation function with its parameters.
pub(super) struct Derivation {
    function: Function,
    salt: Vec<u8>,
}

enum Function {
    Scrypt(scrypt::Params),
    Pbkdf2 { iterations: u32 },
}

impl Derivation {
    /// Returns the derivation of new files.
    pub(super) fn with_default_cost(salt: &[u8]) -> Result<Self, KeystoreError> {
        let params =
            scrypt::Params::new(DEFAULT_LOG_N, DEFAULT_R, DEFAULT_P).map_err(|_| invalid_scrypt_parameters())?;
        Ok(Self { function: Function::Scrypt(params), salt: salt.to_vec() })
    }

    /// Parses the derivation of a file with the function `kdf`.
    pub(super) fn parse(kdf: &str, parameters: &DerivationParameters) -> Result<Self, KeystoreError> {
        let function = match kdf {
            SCRYPT => parse_scrypt(parameters)?,
            "pbkdf2" => parse_pbkdf2(parameters)?,
            _ => return Err(unusable("crypto.kdf", "scrypt or pbkdf2")),
        };
        if parameters.dklen != KEY_BYTES {
            return Err(unusable("crypto.kdfparams.dklen", "32"));
        }
        let salt = hex::decode(&parameters.salt).ok().filter(|salt| (1..=MAX_SALT_BYTES).contains(&salt.len()));
        let salt = salt.ok_or_else(|| unusable("crypto.kdfparams.salt", "1 to 64 bytes in hex"))?;
        Ok(Self { function, salt })
    }

    /// Derives the key from `password`.
    pub(super) fn derive(&self, password: &[u8]) -> Result<DerivedKey, KeystoreError> {
        let mut key = Zeroizing::new([[0; 16]; 2]);
        match &self.function {
            Function::Scrypt(params) => {
                scrypt(password, &self.salt, params, key.as_flattened_mut())
                    .map_err(|_| invalid_scrypt_parameters())?;
            }
            Function::Pbkdf2 { iterations } => {
                pbkdf2_hmac::<Sha256>(password, &self.salt, *iterations, key.as_flattened_mut())
            }
        }
        Ok(DerivedKey(key))
    }
}

fn parse_scrypt(parameters: &DerivationParameters) -> Result<Function, KeystoreError> {
    let DerivationParameters { n: Some(n), r: Some(r), p: Some(p), .. } = *parameters else {
        return Err(invalid_scrypt_parameters());
    };
    let blocks = n.checked_mul(r).filter(|blocks| *blocks <= MAX_BLOCKS).ok_or_else(invalid_scrypt_parameters)?;
    let is_cheap = blocks.checked_mul(p).is_some_and(|work| work <= MAX_WORK);
    if !is_cheap || n < 2 || !n.is_power_of_two() || !(1..=MAX_R).contains(&r) || !(1..=MAX_P).contains(&p) {
        return Err(invalid_scrypt_parameters());
    }
    let narrow = |number: u64| u32::try_from(number).map_err(|_| invalid_scrypt_parameters());
    let log_n = u8::try_from(n.trailing_zeros()).map_err(|_| invalid_scrypt_parameters())?;
    scrypt::Params::new(log_n, narrow(r)?, narrow(p)?).map(Function::Scrypt).map_err(|_| invalid_scrypt_parameters())
}

fn parse_pbkdf2(parameters: &DerivationParameters) -> Result<Function, KeystoreError> {
    if parameters.prf.as_deref() != Some("hmac-sha256") {
        return Err(unusable("crypto.kdfparams.prf", "hmac-sha256"));
    }
    let iterations = parameters.c.filter(|iterations| (1..=MAX_ITERATIONS).contains(iterations));
    let iterations = iterations.and_then(|iterations| u32::try_from(iterations).ok());
    let iterations = iterations.ok_or_else(|| unusable("crypto.kdfparams.c", "1 to 10000000"))?;
    Ok(Function::Pbkdf2 { iterations })
}

fn invalid_scrypt_parameters() -> KeystoreError {
    const ALLOWED: &str = "n, r and p of scrypt: n a power of two from 2, r and p 1 to 64, n times r at most 2097152 \
                           (256 MiB), n times r times p at most 8388608";
    unusable("crypto.kdfparams", ALLOWED)
}

fn unusable(member: &'static str, allowed: &'static str) -> KeystoreError {
    KeystoreError::Unusable { member, allowed }
}

/// A derived key: the half that encrypts, and the half that authenticates. Overwritten when dropped.
pub(super) struct DerivedKey(pub(super) Zeroizing<[[u8; 16]; 2]>);

impl DerivedKey {
    /// Computes keccak256 of the second half followed by `ciphertext`.
    pub(super) fn mac(&self, ciphertext: &[u8; 32]) -> [u8; 32] {
        let [_, authentication] = &*self.0;
        let mut hasher = Keccak256::new();
        hasher.update(authentication);
        hasher.update(ciphertext);
        hasher.finalize().0
    }

    /// Encrypts or decrypts `bytes` (AES-128 in counter mode).
    pub(super) fn apply(&self, iv: &[u8; 16], bytes: &mut [u8; 32]) {
        let [encryption, _] = &*self.0;
        Ctr128BE::<Aes128>::new(encryption.into(), iv.into()).apply_keystream(bytes);
    }
}
