//! Offers that must not be signed are refused by the guard, or cannot be constructed.
#![expect(clippy::panic, reason = "a test may panic anywhere")]

use firmquote_domain::{
    Address, Amount, GoodUntil, GoodUntilKind, NativeSide, Offer, PackedGoodUntil, PoolConstant, Price, Terms, U256,
    UnixSeconds, Weight,
};
use firmquote_e2e::{
    demo::{self, DAI, USDC},
    exchange::{NOW, PoolHarness},
    swapping::EXPIRY,
};
use firmquote_signer::{Refusal, SignerError};

const TRANSMIT: Terms = demo::terms(NativeSide::Neither, true);

#[test]
fn values_that_void_the_check_cannot_be_constructed() {
    assert_eq!(Amount::new(U256::ZERO), None);
    assert_eq!(Price::new(0), None);
    assert_eq!(Weight::new(0), None);
    assert_eq!(PoolConstant::new(PoolConstant::SCALE), None);
    assert!(u32::try_from(u64::from(EXPIRY) * 1000).is_err(), "milliseconds do not fit into the seconds of an offer");
}

#[tokio::test]
async fn the_guard_never_signs_harmful_swaps_the_pool_would_execute() {
    type Spoil = fn(&mut Offer, &PoolHarness);
    let spoils: [(&str, Spoil); 7] = [
        ("OtherKind", |offer, _| offer.good_until = GoodUntil::Plain(UnixSeconds::new(EXPIRY))),
        ("TooLong", |offer, _| expire_at(offer, NOW + 618)),
        ("Lapsed", |offer, _| expire_at(offer, NOW - 1)),
        ("UnusableDestination", |offer, exchange| offer.destination = exchange.contracts.pool),
        ("UnusableDestination", |offer, _| offer.destination = Address::ZERO),
        ("OtherK", |offer, _| with_packed(offer, |packed| packed.k = PoolConstant::new(0).unwrap())),
        ("OtherWeight", |offer, _| with_packed(offer, |packed| packed.output_weight = Weight::new(1).unwrap())),
    ];
    let mut exchange = PoolHarness::open(demo::opening(GoodUntilKind::Verified));
    let good = demo::offer(&mut exchange, (USDC, DAI));
    for (name, spoil) in spoils {
        let mut offer = good;
        spoil(&mut offer, &exchange);
        let Err(SignerError::Refused(refusal)) = exchange.sign(offer, TRANSMIT).await else { panic!("{name}") };
        assert!(format!("{refusal:?}").starts_with(name), "{name}: {refusal:?}");
    }
    let native = demo::terms(NativeSide::Output, true);
    assert!(matches!(exchange.sign(good, native).await, Err(SignerError::Refused(Refusal::NotNative { .. }))));
    assert!(exchange.sign(good, TRANSMIT).await.is_ok());
}

fn with_packed(offer: &mut Offer, spoil: impl FnOnce(&mut PackedGoodUntil)) {
    let GoodUntil::Packed(mut packed) = offer.good_until else { panic!("a packed offer") };
    spoil(&mut packed);
    offer.good_until = GoodUntil::Packed(packed);
}

fn expire_at(offer: &mut Offer, unix_seconds: u32) {
    with_packed(offer, |packed| packed.expires_at = UnixSeconds::new(unix_seconds));
}
