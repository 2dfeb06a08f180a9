//! Extreme values survive a round trip through the store.

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, Decimals, Execution, FixedSide, GoodUntil, NativeSide,
    PackedGoodUntil, PoolConstant, PoolId, Price, Quote, ReserveBounds, Signature, SignedQuote, Terms, Timestamp, U256,
    Weight,
};

use super::sample::{Replicas, sample_quote, sample_terms};
use crate::OpenOutcome;

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(store, now; keeps_the_largest_and_the_smallest_values);
}

async fn keeps_the_largest_and_the_smallest_values(store: &Replicas<'_>, now: Timestamp) {
    for (quote, terms, signature) in [largest(now), smallest(now)] {
        store.insert(&quote, now).await;
        assert_eq!(store.open(&quote, &terms, now).await, OpenOutcome::Unsigned(quote.clone()));
        let execution = Execution::Guaranteed;
        let guarantee = Some(Box::new(ReserveBounds { max_input: U256::MAX, min_output: U256::ZERO }));
        let signed = SignedQuote { quote: quote.clone(), terms, signature, execution, guarantee, signed_at: now };
        assert_eq!(store.commit(&signed, now).await, signed);
        assert_eq!(store.open(&quote, &terms, now).await, OpenOutcome::Signed(signed));
    }
}

fn largest(now: Timestamp) -> (Quote, Terms, Signature) {
    /// Half the order of the group: the largest valid s (EIP-2).
    const HALF_ORDER: &str = "0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";
    let mut quote = sample_quote(50, now);
    quote.client = Client::Named("ü\"\\ \u{1f4a7}".repeat(20).into());
    quote.pool = PoolId { chain_id: ChainId::new(u64::MAX).expect("not zero"), address: Address::repeat_byte(0xff) };
    quote.input.amount = Amount::MAX;
    quote.output.amount = Amount::MAX;
    quote.input.price = Price::new(u64::MAX).expect("not zero");
    quote.output.price = quote.input.price;
    quote.input.decimals = (0..=u8::MAX).rev().find_map(Decimals::new).expect("some are few enough");
    quote.fee = BasisPoints::from_hundredths(BasisPoints::SCALE - 1).expect("below the whole");
    quote.fixed = FixedSide::Output;
    quote.time_in_seconds = u32::MAX;
    quote.created_at = Timestamp::from_micros(u64::MAX);
    quote.good_until = packed(&quote, PoolConstant::SCALE - 1, u16::MAX);
    let aux_data = B256::repeat_byte(0xff);
    let terms = Terms { aux_data, native: NativeSide::Output, transmit: true, ..sample_terms(0xff) };
    let s: U256 = HALF_ORDER.parse().expect("a number");
    (quote, terms, Signature::new(B256::repeat_byte(0xff), s.into(), true).expect("the largest low s"))
}

fn smallest(now: Timestamp) -> (Quote, Terms, Signature) {
    let mut quote = sample_quote(51, now);
    quote.client = Client::Named("".into());
    quote.pool = PoolId { chain_id: ChainId::new(1).expect("not zero"), address: Address::ZERO };
    quote.input.amount = Amount::ONE;
    quote.output.amount = Amount::ONE;
    quote.input.price = Price::new(1).expect("not zero");
    quote.output.price = quote.input.price;
    quote.input.decimals = Decimals::new(0).expect("few enough");
    quote.fee = BasisPoints::from_hundredths(0).expect("below the whole");
    quote.time_in_seconds = 0;
    quote.created_at = Timestamp::from_micros(0);
    quote.good_until = packed(&quote, 0, 1);
    let one: B256 = U256::ONE.into();
    let terms = Terms { sender: Address::ZERO, native: NativeSide::Input, ..sample_terms(0) };
    (quote, terms, Signature::new(one, one, false).expect("a low s"))
}

fn packed(quote: &Quote, k: u64, weight: u16) -> GoodUntil {
    let weight = Weight::new(weight).expect("not zero");
    GoodUntil::Packed(PackedGoodUntil {
        input_price: quote.input.price,
        output_price: quote.output.price,
        k: PoolConstant::new(k).expect("below one"),
        input_weight: weight,
        output_weight: weight,
        expires_at: quote.good_until.expires_at(),
    })
}
