//! Encoded calldata decodes to the same values, for every function and form of swap.
#![expect(clippy::unwrap_used, reason = "a test may panic outside its test functions too")]

use firmquote_calldata::{DecodedSwap, SwapFunction, decode, encode, transaction_value};
use firmquote_domain::{
    Address, Amount, B256, ChainId, GoodUntil, NativeSide, Offer, PackedGoodUntil, PoolConstant, PoolId, Price,
    Signature, Terms, U256, UnixSeconds, Weight,
};
use proptest::prelude::*;

fn addresses() -> impl Strategy<Value = Address> {
    any::<[u8; 20]>().prop_map(Address::from)
}

fn words() -> impl Strategy<Value = B256> {
    any::<[u8; 32]>().prop_map(B256::from)
}

fn amounts() -> impl Strategy<Value = Amount> {
    words().prop_filter_map("amounts are positive", |word| Amount::new(word.into()))
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
    (addresses(), addresses(), amounts(), amounts(), good_untils(), addresses()).prop_map(
        |(input_token, output_token, input_amount, output_amount, good_until, destination)| Offer {
            pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
            input_token,
            output_token,
            input_amount,
            output_amount,
            good_until,
            destination,
        },
    )
}

fn terms() -> impl Strategy<Value = Terms> {
    let natives = prop_oneof![Just(NativeSide::Neither), Just(NativeSide::Input), Just(NativeSide::Output)];
    (addresses(), addresses(), words(), natives, any::<bool>()).prop_map(
        |(destination, sender, aux_data, native, transmit)| Terms {
            destination,
            sender,
            aux_data,
            native,
            transmit,
            guarantee: false,
        },
    )
}

fn signatures() -> impl Strategy<Value = Signature> {
    (words(), words(), any::<bool>()).prop_filter_map("high s or zero", |(r, s, is_y_odd)| {
        let low_s: U256 = U256::from_be_bytes(s.0) >> 2;
        Signature::new(r, low_s.into(), is_y_odd).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn encoding_round_trips(offer in offers(), terms in terms(), signature in signatures()) {
        let calldata = encode(&offer, &terms, &signature);
        prop_assert_eq!(calldata.len(), calldata.capacity());
        prop_assert_eq!(decode(&calldata).unwrap(), DecodedSwap {
            function: SwapFunction::new(terms.native, terms.transmit),
            input_token: (terms.native != NativeSide::Input).then_some(offer.input_token),
            output_token: (terms.native != NativeSide::Output).then_some(offer.output_token),
            input_amount: offer.input_amount,
            output_amount: offer.output_amount,
            good_until: offer.good_until,
            destination: offer.destination,
            signature,
            aux_data: terms.aux_data.into(),
        });
    }

    #[test]
    fn only_native_input_sets_the_transaction_value(offer in offers(), terms in terms()) {
        let expected = match terms.native {
            NativeSide::Input => offer.input_amount.base_units(),
            NativeSide::Neither | NativeSide::Output => U256::ZERO,
        };
        prop_assert_eq!(transaction_value(&offer, terms.native), expected);
    }

    #[test]
    fn arbitrary_bytes_never_panic_the_decoder(selector in 0_usize..5, arguments in proptest::collection::vec(any::<u8>(), 0..512)) {
        let calldata = [SwapFunction::ALL[selector].selector().as_slice(), &arguments].concat();
        prop_assert!(decode(&calldata).is_err());
    }
}
