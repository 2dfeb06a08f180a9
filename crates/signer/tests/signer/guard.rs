//! The guard rejects harmful offers, independent of the checks in the layers above.

use std::sync::Arc;

use crate::common::{DAI, NOW, POOL, USDC, WETH, amount, packed, pool, request};
use async_trait::async_trait;
use firmquote_domain::{
    Address, Amount, ChainId, Decimals, GoodUntil, GoodUntilKind, NativeSide, Offer, PackedGoodUntil, Pool,
    PoolConstant, PoolSpec, Price, SettlementCheck, Signature, Timestamp, UnixSeconds, Weight,
};
use firmquote_signer::{
    DomainSeparator, LocalSigner, PoolSigner, Signer, SignerError, SigningRequest, TypedMessage, digest, recover,
};

/// A signer whose key service is unreachable.
struct UnreachableSigner;

#[async_trait]
impl Signer for UnreachableSigner {
    fn address(&self) -> Address {
        Address::ZERO
    }

    async fn sign(&self, _: &TypedMessage) -> Result<Signature, SignerError> {
        Err(SignerError::Unavailable { source: "no route".into() })
    }
}

/// The latest `good_until` of an offer at [`NOW`]: 12 seconds to accept, up to 600 to execute, five for clock skew.
const LATEST: u32 = NOW + 12 + 600 + 5;

type Alteration = fn(&mut SigningRequest);

fn expire_at(request: &mut SigningRequest, seconds: u32) {
    request.offer.good_until = match request.offer.good_until {
        GoodUntil::Plain(_) => GoodUntil::Plain(UnixSeconds::new(seconds)),
        GoodUntil::Packed(mut packed) => {
            packed.expires_at = UnixSeconds::new(seconds);
            GoodUntil::Packed(packed)
        }
    };
}

fn refusal(kind: GoodUntilKind, alter: Alteration) -> Option<String> {
    let mut altered = request();
    if kind == GoodUntilKind::Plain {
        altered.offer.good_until = GoodUntil::Plain(UnixSeconds::new(NOW + 72));
    }
    alter(&mut altered);
    let signer = PoolSigner::new(Arc::new(pool(kind)), Arc::new(UnreachableSigner));
    signer.check(&altered).err().map(|refusal| refusal.to_string())
}

#[test]
fn requests_that_harm_the_pool_or_the_client_are_rejected() {
    let cases: [(&str, Alteration); 18] = [
        (
            "the offer is for pool 2:0x9999999999999999999999999999999999999999, \
             allowed: 1:0x9999999999999999999999999999999999999999",
            |request| request.offer.pool.chain_id = ChainId::new(2).unwrap(),
        ),
        (
            "the offer is for pool 1:0x7777777777777777777777777777777777777777, \
             allowed: 1:0x9999999999999999999999999999999999999999",
            |request| request.offer.pool.address = Address::repeat_byte(0x77),
        ),
        ("good_until is 1699999999, in the past, allowed: 1700000000 or later", |request| expire_at(request, NOW - 1)),
        ("good_until is 1700000618, too far away, allowed: 1700000617 or earlier", |request| {
            expire_at(request, LATEST + 1);
        }),
        (
            "destination 0x0000000000000000000000000000000000000000 is the zero address, \
             allowed: an account that can spend the output",
            |request| request.offer.destination = Address::ZERO,
        ),
        (
            "destination 0x9999999999999999999999999999999999999999 is the pool itself, \
             allowed: an account that can spend the output",
            |request| request.offer.destination = POOL,
        ),
        (
            "destination 0x0101010101010101010101010101010101010101 is a token contract of the pool, \
             allowed: an account that can spend the output",
            |request| request.offer.destination = WETH,
        ),
        (
            "destination 0x0202020202020202020202020202020202020202 is a token contract of the pool, \
             allowed: an account that can spend the output",
            |request| request.offer.destination = USDC,
        ),
        (
            "destination 0x0303030303030303030303030303030303030303 is a token contract of the pool, \
             allowed: an account that can spend the output",
            |request| request.offer.destination = DAI,
        ),
        (
            "input and output token are both 0x0202020202020202020202020202020202020202, allowed: two different tokens",
            |request| request.offer.input_token = USDC,
        ),
        ("token 0x0404040404040404040404040404040404040404 is not listed, allowed: the pool's assets", |request| {
            request.offer.input_token = Address::repeat_byte(4);
        }),
        ("token 0x0404040404040404040404040404040404040404 is not listed, allowed: the pool's assets", |request| {
            request.offer.output_token = Address::repeat_byte(4);
        }),
        ("output_amount is 5000, allowed: less than the reserve 5000", |request| {
            request.offer.output_amount = request.output_reserve;
        }),
        ("output_amount is 5001, allowed: less than the reserve 5000", |request| {
            request.offer.output_amount = amount(5_001);
        }),
        (
            "the native side has token 0x0202020202020202020202020202020202020202, \
             allowed: wrapped native 0x0101010101010101010101010101010101010101",
            |request| request.native = NativeSide::Output,
        ),
        ("packed k is 0.060000000000000001, allowed: 0.06", |request| {
            let k = "0.060000000000000001".parse::<PoolConstant>().unwrap();
            request.offer.good_until = GoodUntil::Packed(PackedGoodUntil { k, ..packed() });
        }),
        ("packed weight of token 0x0101010101010101010101010101010101010101 is 80, allowed: 79", |request| {
            let input_weight = Weight::new(80).unwrap();
            request.offer.good_until = GoodUntil::Packed(PackedGoodUntil { input_weight, ..packed() });
        }),
        // Weights belong to tokens: those of ETH and USDC are wrong for ETH and DAI.
        ("packed weight of token 0x0303030303030303030303030303030303030303 is 188, allowed: 200", |request| {
            request.offer.output_token = DAI;
        }),
    ];
    for (message, alter) in cases {
        assert_eq!(refusal(GoodUntilKind::Verified, alter).as_deref(), Some(message));
        if !message.starts_with("packed") {
            assert_eq!(refusal(GoodUntilKind::Plain, alter).as_deref(), Some(message));
        }
    }
}

#[test]
fn each_kind_of_pool_rejects_the_other_kind_of_good_until() {
    assert_eq!(
        refusal(GoodUntilKind::Verified, |request| {
            request.offer.good_until = GoodUntil::Plain(UnixSeconds::new(NOW + 72));
        })
        .as_deref(),
        Some("good_until has the form of a plain pool, allowed: verified")
    );
    assert_eq!(
        refusal(GoodUntilKind::Plain, |request| request.offer.good_until = GoodUntil::Packed(packed())).as_deref(),
        Some("good_until has the form of a verified pool, allowed: plain")
    );
}

#[test]
fn requests_at_the_limits_are_accepted() {
    let cases: [Alteration; 7] = [
        |_| {},
        |request| expire_at(request, NOW),
        |request| expire_at(request, LATEST),
        |request| {
            request.now = Timestamp::from_seconds(u32::MAX);
            expire_at(request, u32::MAX);
        },
        |request| request.native = NativeSide::Input,
        |request| request.offer.output_amount = amount(4_999),
        |request| request.offer.input_amount = Amount::MAX,
    ];
    for (number, alter) in cases.into_iter().enumerate() {
        for kind in [GoodUntilKind::Verified, GoodUntilKind::Plain] {
            assert_eq!(refusal(kind, alter), None, "case {number}, {kind:?}");
        }
    }
}

#[test]
fn native_output_requires_the_wrapped_native_asset() {
    let alter: Alteration = |request| {
        (request.offer.input_token, request.offer.output_token) = (USDC, WETH);
        request.native = NativeSide::Output;
    };
    assert_eq!(refusal(GoodUntilKind::Plain, alter), None);
    let wrong_side: Alteration = |request| {
        (request.offer.input_token, request.offer.output_token) = (USDC, WETH);
        request.native = NativeSide::Input;
    };
    assert!(refusal(GoodUntilKind::Plain, wrong_side).unwrap().starts_with("the native side has token"));
}

#[tokio::test]
async fn a_valid_request_is_signed_for_the_pool_and_recovers_to_its_signer() {
    let local: Arc<dyn Signer> = Arc::new(LocalSigner::random().unwrap());
    let signer = PoolSigner::new(Arc::new(pool(GoodUntilKind::Verified)), Arc::clone(&local));
    let signature = signer.sign(&request()).await.unwrap();
    let digest = digest(&DomainSeparator::from_pool(signer.pool()), &request().offer);
    assert_eq!(recover(digest, &signature), Some(local.address()));
    assert_eq!(signer.address(), local.address());
    assert_eq!(signer.sign(&request()).await.unwrap(), signature);
}

#[tokio::test]
async fn a_rejected_request_never_reaches_the_key_service() {
    let signer = PoolSigner::new(Arc::new(pool(GoodUntilKind::Verified)), Arc::new(UnreachableSigner));
    assert!(matches!(signer.sign(&request()).await, Err(SignerError::Unavailable { .. })));
    let mut expired = request();
    expire_at(&mut expired, NOW - 1);
    assert!(matches!(signer.sign(&expired).await, Err(SignerError::Refused(_))));
}

#[test]
fn debug_output_shows_only_addresses() {
    let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
    let local = LocalSigner::from_hex(key).unwrap();
    assert_eq!(format!("{local:?}"), "LocalSigner { address: 0x2c7536e3605d9c16a7a3d7b1898e529396a65c23, .. }");
    let signer = PoolSigner::new(Arc::new(pool(GoodUntilKind::Plain)), Arc::new(local));
    assert!(format!("{signer:?}").contains("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23"));
}

#[test]
fn settlement_by_price_signs_only_swaps_that_execute_on_any_reserves() {
    let spec = PoolSpec { settlement: SettlementCheck::Price, ..pool(GoodUntilKind::Verified).spec().clone() };
    let signer = PoolSigner::new(Arc::new(Pool::new(spec).unwrap()), Arc::new(UnreachableSigner));
    let request = SigningRequest {
        offer: Offer {
            input_amount: amount(1_000_000_000_000_000),
            output_amount: amount(2_078_539_413_000_000_000),
            ..request().offer
        },
        output_reserve: amount(5_000_000_000_000_000_000),
        ..request()
    };
    let refusal = |packed| {
        let offer = Offer { good_until: GoodUntil::Packed(packed), ..request.offer };
        signer.check(&SigningRequest { offer, ..request }).err().map(|refusal| refusal.to_string())
    };
    let decimals = Decimals::new(18).unwrap();
    let [input, output] = [request.offer.input_amount, request.offer.output_amount].map(|amount| (amount, decimals));
    let bound = packed().with_rate_bound(input, output).unwrap();
    assert_eq!(bound.output_price.to_string(), "1", "at the unchanged price the amounts leave a fee");
    assert_eq!(refusal(bound), None);
    assert_eq!(refusal(packed()).as_deref(), Some("packed k is 0.06, allowed: 0"));
    let highest = PackedGoodUntil { output_price: Price::new(u64::MAX).unwrap(), ..packed() };
    let at_limit = highest.with_rate_bound(input, output).unwrap();
    assert_eq!(refusal(at_limit), None);
    let above_limit = Price::new(at_limit.output_price.steps() + 1).unwrap();
    let expected = format!("packed price of the output is {above_limit}, allowed: at most {}", at_limit.output_price);
    assert_eq!(refusal(PackedGoodUntil { output_price: above_limit, ..at_limit }), Some(expected));
}
