//! From a signature back to the account that made it, as `ecrecover` does on chain.

use alloy_primitives::{Address, B256, B512};
use firmquote_domain::Signature;
use secp256k1::{
    Message, PublicKey, Secp256k1,
    ecdsa::{RecoverableSignature, RecoveryId},
};

/// The account whose key made `signature` over `digest`, or `None` if no key can have made it.
///
/// Any other digest gives another account, not `None`: compare the answer with the account you expect.
pub fn recover(digest: B256, signature: &Signature) -> Option<Address> {
    let recovery_id = if signature.v() == 28 { RecoveryId::One } else { RecoveryId::Zero };
    let compact: B512 = signature.r().concat_const(signature.s());
    let signature = RecoverableSignature::from_compact(compact.as_slice(), recovery_id).ok()?;
    let key = Secp256k1::verification_only().recover_ecdsa(Message::from_digest(digest.0), &signature).ok()?;
    Some(address_of(&key))
}

/// The account of a public key: the last 20 bytes of the hash of its two coordinates.
pub(crate) fn address_of(key: &PublicKey) -> Address {
    let [_, coordinates @ ..] = key.serialize_uncompressed();
    Address::from_raw_public_key(&coordinates)
}
