//! Digests and signatures are those of independent implementations: alloy's EIP-712 and k256's RFC 6979.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

use alloy_primitives::hex;
use alloy_sol_types::{SolStruct, eip712_domain, sol};
use firmquote_domain::{
    Address, Amount, B256, ChainId, GoodUntil, Offer, PackedGoodUntil, PoolConstant, PoolId, Price, Signature,
    SigningDomain, U256, UnixSeconds, Weight,
};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer, TypedMessage, digest, recover};
use k256::ecdsa::SigningKey;
use proptest::prelude::*;

sol! {
    struct OfferStruct {
        address input_token;
        address output_token;
        uint256 input_amount;
        uint256 output_amount;
        uint256 good_until;
        address destination_address;
    }
}

fn addresses() -> impl Strategy<Value = Address> {
    any::<[u8; 20]>().prop_map(Address::from)
}

fn amounts() -> impl Strategy<Value = Amount> {
    any::<[u8; 32]>().prop_filter_map("amounts are positive", |bytes| Amount::new(U256::from_be_bytes(bytes)))
}

fn good_untils() -> impl Strategy<Value = GoodUntil> {
    let packed = (1_u64.., 1_u64.., 0..PoolConstant::SCALE, 1_u16.., 1_u16.., any::<u32>()).prop_map(
        |(input_price, output_price, k, input_weight, output_weight, expires_at)| {
            GoodUntil::Packed(PackedGoodUntil {
                input_price: Price::new(input_price).unwrap(),
                output_price: Price::new(output_price).unwrap(),
                k: PoolConstant::new(k).unwrap(),
                input_weight: Weight::new(input_weight).unwrap(),
                output_weight: Weight::new(output_weight).unwrap(),
                expires_at: UnixSeconds::new(expires_at),
            })
        },
    );
    prop_oneof![any::<u32>().prop_map(|seconds| GoodUntil::Plain(UnixSeconds::new(seconds))), packed]
}

fn offers() -> impl Strategy<Value = Offer> {
    let pools = (1_u64.., addresses())
        .prop_map(|(chain_id, address)| PoolId { chain_id: ChainId::new(chain_id).unwrap(), address });
    (pools, addresses(), addresses(), amounts(), amounts(), good_untils(), addresses()).prop_map(
        |(pool, input_token, output_token, input_amount, output_amount, good_until, destination)| Offer {
            pool,
            input_token,
            output_token,
            input_amount,
            output_amount,
            good_until,
            destination,
        },
    )
}

fn signature_of_k256(key: &SigningKey, digest: B256) -> Signature {
    let (signature, recovery_id) = key.sign_prehash_recoverable(digest.as_slice());
    let (r, s) = signature.split_bytes();
    Signature::new(B256::from_slice(&r), B256::from_slice(&s), recovery_id.is_y_odd()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn digests_match_alloy(offer in offers(), name in ".{0,40}", version in ".{0,40}") {
        let theirs = OfferStruct {
            input_token: offer.input_token,
            output_token: offer.output_token,
            input_amount: offer.input_amount.base_units(),
            output_amount: offer.output_amount.base_units(),
            good_until: offer.good_until.to_word(),
            destination_address: offer.destination,
        };
        let domain = eip712_domain! {
            name: name.clone(),
            version: version.clone(),
            chain_id: offer.pool.chain_id.get(),
            verifying_contract: offer.pool.address,
        };
        let separator = DomainSeparator::new(&SigningDomain { name, version }, offer.pool);
        prop_assert_eq!(separator.word(), domain.separator());
        prop_assert_eq!(digest(&separator, &offer), theirs.eip712_signing_hash(&domain));
    }

    #[test]
    fn signatures_match_k256_and_recover_their_signer(
        key in any::<[u8; 32]>(),
        offer in offers(),
        struct_hash in any::<[u8; 32]>(),
    ) {
        let separator = DomainSeparator::new(&SigningDomain { name: "n".into(), version: "1".into() }, offer.pool);
        let message = TypedMessage::new(&separator, struct_hash.into());
        let digest = message.digest();
        let Ok(theirs) = SigningKey::from_slice(&key) else { return Err(TestCaseError::reject("not a key")) };
        let ours = LocalSigner::from_hex(&hex::encode(key)).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let signature = runtime.block_on(ours.sign(&message)).unwrap();
        prop_assert_eq!(signature, signature_of_k256(&theirs, digest));
        prop_assert_eq!(recover(digest, &signature), Some(ours.address()));
        let point = theirs.verifying_key().to_sec1_point(false);
        prop_assert_eq!(ours.address(), Address::from_raw_public_key(&point.as_bytes()[1..]));
    }
}
