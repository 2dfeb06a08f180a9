//! Signed swaps: every altered term, another contract, and bounded rates.

use firmquote_api::{Quote, SignedSwap};
use firmquote_domain::{
    Address, B256, BasisPoints, ChainId, FixedSide, GoodUntil, NativeSide, Offer, PackedGoodUntil, PoolId, Price,
    UnixSeconds,
};
use firmquote_signer::{LocalSigner, Signer as _};
use firmquote_verify::{CheckStatus, PublishedPool, PublishedPools, RequestedSwap, Verification, VerificationResult};

use crate::example::{ACCEPT_BY, DESTINATION, example_pool, offer, plus_one, pool_data, quote, signed, status};

#[tokio::test]
async fn a_signed_swap_is_verified_and_every_altered_term_is_detected() {
    let key = LocalSigner::random().unwrap();
    let pool = PublishedPool { signer: Some(key.address()), ..example_pool() };
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let valid = signed(&key, &pool, offer(&pool, &quote)).await;
    let verification = Verification {
        quote: Some(&quote),
        signed: Some(&valid),
        requested: RequestedSwap {
            pool: Some(pool.id.address),
            input_token: Some(*quote.input_asset_address),
            output_token: Some(*quote.output_asset_address),
            fixed: Some(FixedSide::Input),
            fixed_amount: Some(*quote.input_amount),
            destination: Some(DESTINATION),
            native: Some(NativeSide::Neither),
            transmit: Some(false),
            aux_data: Some(B256::ZERO),
            levels_id: None,
        },
        pool_data: pool_data(&pool, true),
        ..Verification::default()
    };
    assert_eq!(VerificationResult::from_checks(&verification.checks()), VerificationResult::Verified);
    let larger = RequestedSwap { fixed_amount: Some(plus_one(*quote.input_amount)), ..verification.requested };
    assert_eq!(status(&Verification { quote: None, requested: larger, ..verification }, "terms"), CheckStatus::Differs);
    let native = RequestedSwap { native: Some(NativeSide::Output), transmit: None, ..verification.requested };
    assert_eq!(status(&Verification { requested: native, ..verification }, "calldata"), CheckStatus::Differs);
    let late = SignedSwap { expires_at: Some(UnixSeconds::new(ACCEPT_BY).into()), ..valid.clone() };
    assert_eq!(status(&Verification { signed: Some(&late), ..verification }, "terms"), CheckStatus::Differs);
    type Alter = fn(&mut SignedSwap);
    let alterations: [(Alter, &[&str]); 7] = [
        // One more base unit of input gives the same output, so the amounts hold.
        (|swap| swap.input_amount = plus_one(*swap.input_amount).into(), &["terms", "signature", "calldata"]),
        (
            |swap| swap.output_amount = plus_one(*swap.output_amount).into(),
            &["amounts", "terms", "signature", "calldata"],
        ),
        (
            |swap| swap.good_until = GoodUntil::Plain(UnixSeconds::new(ACCEPT_BY)).into(),
            &["terms", "signature", "calldata"],
        ),
        (|swap| swap.destination_address = Address::repeat_byte(8).into(), &["terms", "signature", "calldata"]),
        (|swap| swap.input_asset_address = Address::repeat_byte(3).into(), &["terms", "signature", "calldata"]),
        (|swap| swap.service_exchange_address = Address::repeat_byte(3).into(), &["terms", "signature"]),
        (|swap| swap.chain_id = ChainId::new(5).unwrap().into(), &["terms", "signature"]),
    ];
    for (number, (alter, checks)) in alterations.into_iter().enumerate() {
        let mut altered = valid.clone();
        alter(&mut altered);
        let verification = Verification { signed: Some(&altered), signer: Some(key.address()), ..verification };
        for check in checks {
            assert_eq!(status(&verification, check), CheckStatus::Differs, "alteration {number}: {check}");
        }
    }
}

#[tokio::test]
async fn a_swap_signed_for_another_contract_is_detected() {
    let key = LocalSigner::random().unwrap();
    let pool = PublishedPool { signer: Some(key.address()), ..example_pool() };
    let other = PublishedPool { id: PoolId { address: Address::repeat_byte(8), ..pool.id }, ..pool.clone() };
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let signed = signed(&key, &other, offer(&other, &quote)).await;
    let pools = [pool.clone(), other.clone()];
    let pool_data = Some(PublishedPools { pools: &pools, is_unchanged: true, price_tolerance: BasisPoints::default() });
    let without_pool = Quote { pool_address: None, ..quote };
    for (quote, pinned, expected) in [
        (quote, None, CheckStatus::Differs),
        (without_pool, Some(pool.id.address), CheckStatus::Differs),
        (without_pool, Some(other.id.address), CheckStatus::Holds),
    ] {
        let requested = RequestedSwap { pool: pinned, destination: Some(DESTINATION), ..RequestedSwap::default() };
        let verification = Verification {
            quote: Some(&quote),
            signed: Some(&signed),
            requested,
            pool_data,
            ..Verification::default()
        };
        assert_eq!(status(&verification, "terms"), expected, "{:?} {pinned:?}", quote.pool_address);
        assert_eq!(status(&verification, "signature"), CheckStatus::Holds);
    }
}

#[tokio::test]
async fn a_rate_bound_is_verified_instead_of_the_packed_prices() {
    let key = LocalSigner::random().unwrap();
    let pool = PublishedPool { signer: Some(key.address()), ..example_pool() };
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let [input, output] = [&pool.assets[0], &pool.assets[1]];
    let packed = PackedGoodUntil {
        input_price: input.price,
        output_price: output.price,
        k: pool.k,
        input_weight: input.asset.weight,
        output_weight: output.asset.weight,
        expires_at: *quote.good_until,
    };
    let bound = packed
        .with_rate_bound((*quote.input_amount, input.asset.decimals), (*quote.output_amount, output.asset.decimals))
        .unwrap();
    let above_bound = PackedGoodUntil { output_price: Price::new(bound.output_price.steps() * 2).unwrap(), ..bound };
    for (packed, expected) in [(bound, CheckStatus::Holds), (above_bound, CheckStatus::Differs)] {
        let offer = Offer { good_until: GoodUntil::Packed(packed), ..offer(&pool, &quote) };
        let signed = signed(&key, &pool, offer).await;
        let verification = Verification {
            quote: Some(&quote),
            signed: Some(&signed),
            requested: RequestedSwap {
                fixed: Some(FixedSide::Input),
                destination: Some(DESTINATION),
                ..RequestedSwap::default()
            },
            pool_data: pool_data(&pool, true),
            ..Verification::default()
        };
        assert_eq!(status(&verification, "settlement"), expected);
        assert_eq!(status(&verification, "amounts"), CheckStatus::Holds);
        assert_eq!(status(&verification, "values"), CheckStatus::Holds);
    }
}
