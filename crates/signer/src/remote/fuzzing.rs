//! The signing-service part of the fuzz target `signers`: responses of a service, and its URL.

use alloy_primitives::{Address, B256, hex};
use firmquote_domain::Signature;

use super::{
    signer::{self, PublicKey},
    transport::service_endpoint,
};
use crate::{SignerError, fuzzing::check_error_text, recover};

/// The public key of the secret key 1: the generator of secp256k1 (SEC 2, 2.4.1).
const OWN: PublicKey = hex!(
    "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
);
const DIGEST: B256 = B256::repeat_byte(7);

/// Parses `list` as the public keys of a service.
pub(crate) fn keys(list: &[u8]) {
    let own = Address::from_raw_public_key(&OWN);
    match signer::find_key(list, own) {
        Ok(key) => assert_eq!(key, OWN),
        Err(error) => check_error_text(&error),
    }
    let Ok(listed) = serde_json::from_slice::<Vec<String>>(list) else { return };
    let digits = hex::encode(OWN);
    for spelled in [digits.clone(), format!("0x{digits}"), format!("04{digits}"), format!("0x04{digits}")] {
        let with_own = serde_json::to_vec(&[listed.as_slice(), &[spelled]].concat()).unwrap_or_default();
        assert!(signer::find_key(&with_own, own).is_ok_and(|key| key == OWN), "{}", with_own.escape_ascii());
    }
}

/// Parses `text` as a signature: accepted for the account that made it, and for no other.
pub(crate) fn signed(text: &[u8]) {
    let own = Address::from_raw_public_key(&OWN);
    let maker = maker(text);
    for account in maker.into_iter().chain([own]) {
        match signer::signature(text, DIGEST, account) {
            Ok(signature) => {
                assert_eq!((maker, recover(DIGEST, &signature)), (Some(account), Some(account)));
                let written = hex::encode([signature.r(), signature.s()].concat());
                assert!(text.to_ascii_lowercase().windows(128).any(|digits| digits == written.as_bytes()), "{written}");
            }
            Err(error) => {
                assert_ne!(maker, Some(account), "{}", text.escape_ascii());
                assert!(matches!(error, SignerError::InvalidSignature(_)), "{error}");
                check_error_text(&error);
            }
        }
    }
}

/// Recovers the account that made a signature; `None` if `text` is not a signature.
fn maker(text: &[u8]) -> Option<Address> {
    let bytes: [u8; 65] = hex::decode(text.trim_ascii()).ok()?.try_into().ok()?;
    let (r, rest) = bytes.split_first_chunk::<32>()?;
    let (s, v) = rest.split_first_chunk::<32>()?;
    let is_y_odd = match v {
        [0 | 27] => false,
        [1 | 28] => true,
        _ => return None,
    };
    recover(DIGEST, &Signature::new(r.into(), s.into(), is_y_odd).ok()?)
}

/// Parses `text` as the URL of a service: routes can be appended, and only host and port are displayed.
pub(crate) fn url(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let url = match service_endpoint(text) {
        Ok(url) => url,
        Err(error) => return check_error_text(&error),
    };
    let (shown, route) = (url.to_string(), url.join("/api/v1"));
    assert!(!shown.contains(['/', '@', '?', '#']) && !shown.contains(char::is_control), "{shown:?}");
    assert_eq!(url.is_tls(), text.to_ascii_lowercase().starts_with("https://"), "{text}");
    let is_below = |path: &str| path.ends_with("/api/v1");
    assert!(
        route.is_ok_and(|uri| uri.authority().is_some_and(|host| *host == *shown) && is_below(uri.path())),
        "{text}"
    );
}
