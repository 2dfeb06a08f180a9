//! The service's key and its fault-free responses.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "what goes wrong here is a failed test")]

use alloy_primitives::{Address, hex, keccak256};
use k256::ecdsa::SigningKey;

use super::http::Request;

/// A secp256k1 key.
pub(super) struct Key(SigningKey);

/// A response, with the signature if it contains one.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) text: String,
    pub(super) signature: Option<[u8; 65]>,
}

impl Key {
    pub(super) fn new(bytes: &[u8; 32]) -> Self {
        Self(SigningKey::from_slice(bytes).expect("a key"))
    }

    pub(super) fn account(&self) -> Address {
        Address::from_raw_public_key(&self.coordinates())
    }

    /// Returns the response to `request`: the list with the key, a signature, 404 for an unknown key, 400 for invalid
    /// data.
    pub(super) fn answer(&self, request: &Request) -> Response {
        let Request { method, path, body } = request;
        let own = hex::encode_prefixed(self.coordinates());
        let answer = |status, text, signature| Response { status, text, signature };
        let identifier = path.rsplit_once("/api/v1/eth1/sign/").map(|(_, identifier)| identifier);
        match (method.as_str(), identifier) {
            ("GET", None) if path.ends_with("/api/v1/eth1/publicKeys") => answer(200, format!("[\"{own}\"]"), None),
            ("POST", Some(identifier)) if identifier == own => match data(body) {
                Some(data) => {
                    let signature = self.sign(&data);
                    answer(200, hex::encode_prefixed(signature), Some(signature))
                }
                None => answer(400, String::new(), None),
            },
            _ => answer(404, String::new(), None),
        }
    }

    /// Signs the hash of `data` and returns r, s and v (27 or 28).
    fn sign(&self, data: &[u8]) -> [u8; 65] {
        let (signature, recovery) = self.0.sign_prehash_recoverable(keccak256(data).as_slice());
        let mut bytes = [27 + u8::from(recovery); 65];
        bytes[..64].copy_from_slice(&signature.to_bytes());
        bytes
    }

    fn coordinates(&self) -> [u8; 64] {
        self.0.verifying_key().to_sec1_point(false).as_bytes()[1..].try_into().expect("two coordinates")
    }
}

fn data(body: &str) -> Option<Vec<u8>> {
    hex::decode(body.strip_prefix("{\"data\":\"")?.strip_suffix("\"}")?).ok()
}
