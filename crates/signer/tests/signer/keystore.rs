//! Encrypted key files: those of other implementations open; corrupt and too expensive ones are rejected at once.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

use alloy_primitives::hex;
use firmquote_signer::{KeystoreError, LocalSigner, NewKeystore, Signer};
use serde_json::{Value, json};

const DEFINITION_KEY: &str = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const KEY: &str = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
const PASSWORD: &str = "pässwörd mit Leerzeichen";
/// A file whose key derivation is cheap.
const FILE: &str = include_str!("vectors/keystore/eth_keyfile_scrypt.json");

fn error(json: &str, password: &str) -> KeystoreError {
    let error = LocalSigner::from_keystore(json.as_bytes(), password.as_bytes()).unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(!text.contains(KEY) && !text.contains(password), "{text}");
    error
}

/// Returns [`FILE`] with `value` at `path`, or without that member.
fn altered_file(path: &str, value: Option<Value>) -> String {
    let mut file: Value = serde_json::from_str(FILE).unwrap();
    let (parent, member) = path.rsplit_once('/').unwrap();
    let parent = file.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => parent.insert(member.to_owned(), value),
        None => parent.remove(member),
    };
    file.to_string()
}

#[test]
fn keystores_of_the_specification_and_other_implementations_open() {
    for (json, password, key) in [
        (include_str!("vectors/keystore/definition_pbkdf2.json"), "testpassword", DEFINITION_KEY),
        (include_str!("vectors/keystore/definition_scrypt.json"), "testpassword", DEFINITION_KEY),
        (include_str!("vectors/keystore/eth_keyfile_pbkdf2.json"), PASSWORD, KEY),
        (FILE, PASSWORD, KEY),
        (include_str!("vectors/keystore/ethers_scrypt.json"), PASSWORD, KEY),
    ] {
        let signer = LocalSigner::from_keystore(json.as_bytes(), password.as_bytes()).unwrap();
        assert_eq!(signer.address(), LocalSigner::from_hex(key).unwrap().address(), "{json}");
    }
}

#[test]
fn a_new_keystore_opens_with_its_password_only() {
    let NewKeystore { address, json } = NewKeystore::random(b"correct horse").unwrap();
    assert_eq!(LocalSigner::from_keystore(json.as_bytes(), b"correct horse").unwrap().address(), address);
    assert!(matches!(error(&json, "correct horse "), KeystoreError::WrongPassword));
    let file: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(file["address"], hex::encode(address));
    assert_eq!((&file["crypto"]["kdfparams"]["n"], &file["version"]), (&json!(262_144), &json!(3)));
}

#[test]
fn a_wrong_password_is_distinguished_from_a_corrupt_file() {
    for password in ["", "pässwörd mit Leerzeiche", "pässwörd mit Leerzeichen\n", "PÄSSWÖRD MIT LEERZEICHEN"] {
        let error = LocalSigner::from_keystore(FILE.as_bytes(), password.as_bytes()).unwrap_err();
        assert!(matches!(error, KeystoreError::WrongPassword), "{password}");
    }
    for json in
        ["", "null", "[]", "{}", "key", "{\"version\":3}", &FILE[..FILE.len() - 4], &altered_file("/crypto", None)]
    {
        assert!(matches!(error(json, PASSWORD), KeystoreError::Malformed { .. }), "{json}");
    }
}

#[test]
fn every_required_member_is_checked() {
    for member in ["cipher", "cipherparams", "ciphertext", "kdf", "kdfparams", "mac"] {
        assert!(matches!(
            error(&altered_file(&format!("/crypto/{member}"), None), PASSWORD),
            KeystoreError::Malformed { .. }
        ));
    }
    for member in ["/id", "/address"] {
        assert!(
            LocalSigner::from_keystore(altered_file(member, None).as_bytes(), PASSWORD.as_bytes()).is_ok(),
            "{member}"
        );
    }
}

/// Members are altered_file one at a time. All are rejected before any key is derived: the parameters would require
/// hours and terabytes.
#[test]
fn invalid_members_are_rejected_with_the_allowed_values() {
    const COST: &str = "crypto.kdfparams of the keystore is unusable, allowed: n, r and p of scrypt: n a power of two \
                        from 2, r and p 1 to 64, n times r at most 2097152 (256 MiB), n times r times p at most 8388608";
    let member = |member: &str, allowed: &str| format!("{member} of the keystore is unusable, allowed: {allowed}");
    for (path, value, expected) in [
        ("/version", json!(1), member("version", "3")),
        ("/version", json!(4), member("version", "3")),
        ("/address", json!("2c75"), member("address", "20 bytes in hex")),
        ("/crypto/cipher", json!("aes-128-cbc"), member("crypto.cipher", "aes-128-ctr")),
        ("/crypto/cipherparams/iv", json!("00"), member("crypto.cipherparams.iv", "16 bytes in hex")),
        ("/crypto/ciphertext", json!("00".repeat(31)), member("crypto.ciphertext", "32 bytes in hex")),
        ("/crypto/ciphertext", json!("zz".repeat(32)), member("crypto.ciphertext", "32 bytes in hex")),
        ("/crypto/mac", json!(""), member("crypto.mac", "32 bytes in hex")),
        ("/crypto/kdf", json!("argon2id"), member("crypto.kdf", "scrypt or pbkdf2")),
        ("/crypto/kdfparams/dklen", json!(16), member("crypto.kdfparams.dklen", "32")),
        ("/crypto/kdfparams/dklen", json!(u64::MAX), member("crypto.kdfparams.dklen", "32")),
        ("/crypto/kdfparams/salt", json!(""), member("crypto.kdfparams.salt", "1 to 64 bytes in hex")),
        ("/crypto/kdfparams/salt", json!("00".repeat(65)), member("crypto.kdfparams.salt", "1 to 64 bytes in hex")),
        ("/crypto/kdfparams/n", json!(0), COST.to_owned()),
        ("/crypto/kdfparams/n", json!(1), COST.to_owned()),
        ("/crypto/kdfparams/n", json!(4_095), COST.to_owned()),
        ("/crypto/kdfparams/n", json!(1_u64 << 19), COST.to_owned()),
        ("/crypto/kdfparams/n", json!(1_u64 << 63), COST.to_owned()),
        ("/crypto/kdfparams/r", json!(0), COST.to_owned()),
        ("/crypto/kdfparams/r", json!(65), COST.to_owned()),
        ("/crypto/kdfparams/r", json!(u64::MAX), COST.to_owned()),
        ("/crypto/kdfparams/p", json!(0), COST.to_owned()),
        ("/crypto/kdfparams/p", json!(65), COST.to_owned()),
        ("/crypto/kdfparams/p", json!(u64::MAX), COST.to_owned()),
        ("/crypto/kdfparams/p", Value::Null, COST.to_owned()),
    ] {
        assert_eq!(error(&altered_file(path, Some(value.clone())), PASSWORD).to_string(), expected, "{path} {value}");
    }
}

#[test]
fn the_product_of_the_scrypt_parameters_is_bounded() {
    let parameters = |n: u64, r: u64, p: u64| json!({ "dklen": 32, "salt": "00", "n": n, "r": r, "p": p });
    for (n, r, p) in [(1 << 18, 8, 5), (1 << 21, 1, 5), (1 << 16, 32, 5)] {
        let file = altered_file("/crypto/kdfparams", Some(parameters(n, r, p)));
        assert!(matches!(error(&file, PASSWORD), KeystoreError::Unusable { member: "crypto.kdfparams", .. }));
    }
}

#[test]
fn pbkdf2_iterations_and_hash_are_restricted() {
    let file: Value = serde_json::from_str(include_str!("vectors/keystore/eth_keyfile_pbkdf2.json")).unwrap();
    for (name, value, member) in [
        ("c", json!(0), "crypto.kdfparams.c"),
        ("c", json!(10_000_001), "crypto.kdfparams.c"),
        ("c", json!(u64::MAX), "crypto.kdfparams.c"),
        ("c", Value::Null, "crypto.kdfparams.c"),
        ("prf", json!("hmac-sha512"), "crypto.kdfparams.prf"),
        ("prf", Value::Null, "crypto.kdfparams.prf"),
    ] {
        let mut file = file.clone();
        file["crypto"]["kdfparams"][name] = value;
        let error = error(&file.to_string(), PASSWORD);
        assert!(matches!(error, KeystoreError::Unusable { member: rejected, .. } if rejected == member), "{error}");
    }
}

#[test]
fn an_address_that_does_not_match_the_key_is_rejected() {
    let mismatched = altered_file("/address", Some(json!("5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")));
    let expected = "address of the keystore is unusable, allowed: the account of the key in the file";
    assert_eq!(error(&mismatched, PASSWORD).to_string(), expected);
    let prefixed = altered_file("/address", Some(json!("0x2C7536E3605D9C16A7A3D7B1898E529396A65C23")));
    assert!(LocalSigner::from_keystore(prefixed.as_bytes(), PASSWORD.as_bytes()).is_ok());
}

#[test]
fn an_altered_ciphertext_does_not_open() {
    let mut file: Value = serde_json::from_str(FILE).unwrap();
    let ciphertext = file["crypto"]["ciphertext"].as_str().unwrap().to_owned();
    for position in [0, 31, 63] {
        let mut altered = ciphertext.clone().into_bytes();
        altered[position] = if altered[position] == b'0' { b'1' } else { b'0' };
        file["crypto"]["ciphertext"] = json!(String::from_utf8(altered).unwrap());
        assert!(matches!(error(&file.to_string(), PASSWORD), KeystoreError::WrongPassword));
    }
}
