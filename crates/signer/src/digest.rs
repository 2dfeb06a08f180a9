//! The EIP-712 message of an offer and its digest, and the recovery of the signing account from a signature, as
//! `ecrecover` does on chain. Uses no key and does not allocate.

use alloy_primitives::{Address, B256, B512, FixedBytes, U256, b256, fixed_bytes, keccak256};
use firmquote_domain::{Offer, Pool, PoolId, Signature, SigningDomain};
use secp256k1::{
    Message, PublicKey, Secp256k1,
    ecdsa::{RecoverableSignature, RecoveryId},
};

/// Hash of `EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)`.
const DOMAIN_TYPE_HASH: B256 = b256!("8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f");

/// Hash of `OfferStruct(address input_token,...,address destination_address)`; the test below has the full type string.
const OFFER_TYPE_HASH: B256 = b256!("3d319feca9505847d767ce348342f57eba6cb498cab9ba7b04781d05d0a55349");

/// The two bytes that distinguish typed data from transactions and signed messages.
const PREFIX: FixedBytes<2> = fixed_bytes!("1901");

/// The part of every digest that is fixed for a pool contract: the hash of domain name, version, chain and address.
///
/// Computed once per pool ([EIP-712](https://eips.ethereum.org/EIPS/eip-712), "Definition of domainSeparator").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainSeparator(B256);

impl DomainSeparator {
    /// Computes the separator of the contract `id`, deployed with `domain`.
    pub fn new(domain: &SigningDomain, id: PoolId) -> Self {
        let fields = [
            DOMAIN_TYPE_HASH,
            keccak256(&domain.name),
            keccak256(&domain.version),
            number(U256::from(id.chain_id.get())),
            id.address.into_word(),
        ];
        Self(hash_words(fields))
    }

    /// Computes the separator of `pool`.
    pub fn from_pool(pool: &Pool) -> Self {
        Self::new(&pool.spec().domain, pool.spec().id)
    }

    /// The 32 bytes, as returned by `DOMAIN_SEPARATOR()` of a contract.
    pub const fn word(&self) -> B256 {
        self.0
    }
}

/// A struct to be signed for a contract ([EIP-712](https://eips.ethereum.org/EIPS/eip-712)): `0x1901 ‖ domainSeparator
/// ‖ hashStruct(message)`.
///
/// Keys in memory sign its digest; key services that hash themselves take the bytes. The form rules out a transaction
/// or a message of `personal_sign`, which both start with a different byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedMessage(FixedBytes<66>);

impl TypedMessage {
    /// Builds the message of the struct with the hash `struct_hash` (`hashStruct` of EIP-712).
    pub const fn new(separator: &DomainSeparator, struct_hash: B256) -> Self {
        Self(PREFIX.concat_const::<32, 34>(separator.0).concat_const(struct_hash))
    }

    /// Builds the message to sign for `offer` under `separator`.
    ///
    /// Does not check that `offer.pool` is the pool of `separator`; [`PoolSigner`](crate::PoolSigner) does.
    pub fn from_offer(separator: &DomainSeparator, offer: &Offer) -> Self {
        // Destructured in full, so that a new member of an offer must either be signed or be listed here as unsigned.
        let &Offer { pool: _, input_token, output_token, input_amount, output_amount, good_until, destination } = offer;
        let fields = [
            OFFER_TYPE_HASH,
            input_token.into_word(),
            output_token.into_word(),
            number(input_amount.base_units()),
            number(output_amount.base_units()),
            number(good_until.to_word()),
            destination.into_word(),
        ];
        Self::new(separator, hash_words(fields))
    }

    /// The 66 bytes whose hash is signed.
    pub const fn bytes(&self) -> &[u8; 66] {
        &self.0.0
    }

    /// The 32 bytes that are signed: the keccak256 hash of [`Self::bytes`].
    pub fn digest(&self) -> B256 {
        keccak256(self.0)
    }
}

/// Computes the digest of the [`TypedMessage`] of `offer` under `separator`.
pub fn digest(separator: &DomainSeparator, offer: &Offer) -> B256 {
    TypedMessage::from_offer(separator, offer).digest()
}

fn hash_words<const N: usize>(words: [B256; N]) -> B256 {
    keccak256(words.map(|word| word.0).as_flattened())
}

fn number(number: U256) -> B256 {
    B256::new(number.to_be_bytes())
}

/// Recovers the account whose key made `signature` over `digest`; `None` if no key can have made it.
///
/// Any other digest yields another account, not `None`: compare the result with the expected account.
pub fn recover(digest: B256, signature: &Signature) -> Option<Address> {
    let recovery_id = if signature.v() == 28 { RecoveryId::One } else { RecoveryId::Zero };
    let compact: B512 = signature.r().concat_const(signature.s());
    let signature = RecoverableSignature::from_compact(compact.as_slice(), recovery_id).ok()?;
    let key = Secp256k1::verification_only().recover_ecdsa(Message::from_digest(digest.0), &signature).ok()?;
    Some(address_of(&key))
}

/// Derives the account of a public key: the last 20 bytes of the hash of its two coordinates.
pub(crate) fn address_of(key: &PublicKey) -> Address {
    let [_, coordinates @ ..] = key.serialize_uncompressed();
    Address::from_raw_public_key(&coordinates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_hashes_match_the_type_strings() {
        let domain = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
        let offer = "OfferStruct(address input_token,address output_token,uint256 input_amount,\
                     uint256 output_amount,uint256 good_until,address destination_address)";
        assert_eq!(DOMAIN_TYPE_HASH, keccak256(domain));
        assert_eq!(OFFER_TYPE_HASH, keccak256(offer));
    }
}
