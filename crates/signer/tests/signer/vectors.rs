//! Signatures of a live deployment, and the example of EIP-712.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

use alloy_primitives::{b256, keccak256};
use firmquote_domain::{
    Address, Amount, B256, ChainId, GoodUntil, Offer, PoolId, Signature, SigningDomain, U256, parse_address,
};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer, TypedMessage, digest, recover};
use serde_json::Value;

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

fn address(value: &Value, key: &str) -> Address {
    parse_address(text(value, key)).unwrap()
}

fn amount(value: &Value, key: &str) -> Amount {
    text(value, key).parse().unwrap()
}

fn offer(case: &Value) -> Offer {
    let chain_id = ChainId::new(case["chain_id"].as_u64().unwrap()).unwrap();
    Offer {
        pool: PoolId { chain_id, address: address(case, "service_exchange_address") },
        input_token: address(case, "input_asset_address"),
        output_token: address(case, "output_asset_address"),
        input_amount: amount(case, "input_amount"),
        output_amount: amount(case, "output_amount"),
        good_until: GoodUntil::from_word(text(case, "good_until").parse::<U256>().unwrap()).unwrap(),
        destination: address(case, "destination_address"),
    }
}

fn signature(case: &Value) -> Signature {
    let parts = &case["signature"];
    let word = |key| text(parts, key).parse::<B256>().unwrap();
    let signature = Signature::new(word("r"), word("s"), parts["v"] == 28).unwrap();
    assert_eq!(u64::from(signature.v()), parts["v"].as_u64().unwrap());
    signature
}

#[test]
fn signatures_of_a_live_deployment_recover_their_signer() {
    let vectors: Value = serde_json::from_str(include_str!("vectors/signatures.json")).unwrap();
    let domain = SigningDomain {
        name: text(&vectors["domain"], "name").to_owned(),
        version: text(&vectors["domain"], "version").to_owned(),
    };
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let offer = offer(case);
        let separator = DomainSeparator::new(&domain, offer.pool);
        let signer = recover(digest(&separator, &offer), &signature(case));
        assert_eq!(signer, Some(address(&vectors, "signer")));
    }
}

#[test]
fn another_pool_chain_domain_or_offer_recovers_another_address() {
    let vectors: Value = serde_json::from_str(include_str!("vectors/signatures.json")).unwrap();
    let case = &vectors["cases"][0];
    let (offer, signature) = (offer(case), signature(case));
    let domain = |name: &str, version: &str| SigningDomain { name: name.into(), version: version.into() };
    let elsewhere = PoolId { address: Address::ZERO, ..offer.pool };
    let other_chain = PoolId { chain_id: ChainId::new(137).unwrap(), ..offer.pool };
    for (domain, pool, offer) in [
        (domain("Clipper", "1.0.0"), offer.pool, offer),
        (domain("ClipperDirect", "1.0.1"), offer.pool, offer),
        (domain("ClipperDirect", "1.0.0"), elsewhere, offer),
        (domain("ClipperDirect", "1.0.0"), other_chain, offer),
        (domain("ClipperDirect", "1.0.0"), offer.pool, Offer { output_amount: Amount::ONE, ..offer }),
    ] {
        let recovered = recover(digest(&DomainSeparator::new(&domain, pool), &offer), &signature);
        assert_ne!(recovered, Some(address(&vectors, "signer")));
    }
}

/// The "Ether Mail" example of [EIP-712](https://eips.ethereum.org/EIPS/eip-712): its digest, key and signature.
#[tokio::test]
async fn the_example_of_eip_712_is_reproduced() {
    let signer = LocalSigner::from_hex(&keccak256("cow").to_string()).unwrap();
    assert_eq!(signer.address().to_string(), "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826");
    let mail = b256!("c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e");
    let message = TypedMessage::new(&ether_mail(), mail);
    let digest = b256!("be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2");
    assert_eq!(message.digest(), digest);
    let signature = signer.sign(&message).await.unwrap();
    assert_eq!(signature.v(), 28);
    assert_eq!(signature.r(), b256!("4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d"));
    assert_eq!(signature.s(), b256!("07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562"));
    assert_eq!(recover(digest, &signature), Some(signer.address()));
}

/// The domain separator of the same example.
fn ether_mail() -> DomainSeparator {
    let domain = SigningDomain { name: "Ether Mail".into(), version: "1".into() };
    let address = parse_address("0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC").unwrap();
    DomainSeparator::new(&domain, PoolId { chain_id: ChainId::new(1).unwrap(), address })
}

#[test]
fn the_domain_separator_of_the_eip_712_example_is_reproduced() {
    assert_eq!(ether_mail().word(), b256!("f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"));
}

#[test]
fn a_message_is_prefix_separator_and_struct_hash() {
    let message = TypedMessage::new(&ether_mail(), B256::repeat_byte(0xab));
    let expected = [&[0x19, 0x01][..], ether_mail().word().as_slice(), &[0xab; 32]].concat();
    assert_eq!(message.bytes().as_slice(), expected);
    assert_eq!(message.digest(), keccak256(&expected));
}

#[test]
fn an_impossible_signature_recovers_no_address() {
    // No point of the curve has x = 5.
    let word = |number: u64| B256::from(U256::from(number));
    let signature = Signature::new(word(5), word(1), false).unwrap();
    assert_eq!(recover(B256::repeat_byte(1), &signature), None);
    // r is not below the group order.
    let signature = Signature::new(B256::repeat_byte(0xff), word(1), false).unwrap();
    assert_eq!(recover(B256::repeat_byte(1), &signature), None);
}
