//! What a signing service answers: public keys, and signatures. Whatever it says is held against the account that is
//! meant before anything believes it.

use alloy_primitives::{Address, B256, hex};
use firmquote_domain::{InvalidValue, Signature};

use crate::{SignerError, recover};

/// A public key: the two coordinates of its point.
pub(super) type PublicKey = [u8; 64];

/// The key of `address` in a list of public keys: JSON texts of 64 bytes in hex, or 65 with the 04 of an uncompressed
/// point before them. Other entries, of whatever kind, are keys of somebody else.
///
/// # Errors
/// [`SignerError::InvalidKey`] when it is not in the list; [`SignerError::Unavailable`] for what is no list.
pub(super) fn find_key(list: &[u8], address: Address) -> Result<PublicKey, SignerError> {
    let listed: Vec<String> = serde_json::from_slice(list)
        .map_err(|_| super::transport::unavailable("its list of public keys is none".to_owned()))?;
    let mut keys = listed.iter().filter_map(|text| public_key(text));
    let own = keys.find(|key| Address::from_raw_public_key(key) == address);
    own.ok_or(NO_SUCH_KEY)
}

/// The service holds no key of the account.
pub(super) const NO_SUCH_KEY: SignerError =
    SignerError::InvalidKey(InvalidValue::OutOfRange { allowed: "an account whose key the signing service holds" });

fn public_key(text: &str) -> Option<PublicKey> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let coordinates = if digits.len() == 130 { digits.strip_prefix("04")? } else { digits };
    let mut key = [0; 64];
    hex::decode_to_slice(coordinates, &mut key).ok()?;
    Some(key)
}

/// The signature of `address` over `digest` in an answer: r, s and v in hex, 65 bytes; v as 27 and 28 or as 0 and 1.
///
/// # Errors
/// [`SignerError::InvalidSignature`] for anything else, a high s among them.
pub(super) fn signature(text: &[u8], digest: B256, address: Address) -> Result<Signature, SignerError> {
    const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "65 bytes in hex" };
    const RECOVERY: InvalidValue = InvalidValue::OutOfRange { allowed: "v 27 or 28, or 0 or 1" };
    const OTHER: InvalidValue = InvalidValue::OutOfRange { allowed: "a signature of the configured account" };
    let mut bytes = [0; 65];
    hex::decode_to_slice(text.trim_ascii(), &mut bytes).map_err(|_| SignerError::InvalidSignature(SHAPE))?;
    let (&[r, s], &[v]) = bytes.as_chunks() else { return Err(SignerError::InvalidSignature(SHAPE)) };
    let is_y_odd = match v {
        0 | 27 => false,
        1 | 28 => true,
        _ => return Err(SignerError::InvalidSignature(RECOVERY)),
    };
    let signature = Signature::new(r.into(), s.into(), is_y_odd).map_err(SignerError::InvalidSignature)?;
    if recover(digest, &signature) == Some(address) { Ok(signature) } else { Err(SignerError::InvalidSignature(OTHER)) }
}
