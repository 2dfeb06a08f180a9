//! What a service computed and signed is verified; one base unit more, or another term, is not.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::slice;

use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, ChainId, Decimals, FixedSide, GoodUntil, GoodUntilKind, LevelsId, NativeSide,
    Offer, PackedGoodUntil, PoolConstant, PoolId, Price, Signature, SigningDomain, StateId, Symbol, Terms, Timestamp,
    U256, UnixSeconds, Weight,
};
use firmquote_pricing::{SwapAmount, price, rate, value_in_usd};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer, TypedMessage};
use firmquote_verify::{
    CheckStatus, PairFee, PoolData, PublishedAsset, PublishedPool, QuoteResponse, QuotedLevels, Recomputation,
    RequestedSwap, SignResponse, Verification, VerificationResult, recompute,
};
use proptest::prelude::*;

const DECIMALS: [u8; 2] = [18, 6];
const ACCEPT_BY: u32 = 1_697_235_860;

fn tokens() -> [Address; 2] {
    [1, 2].map(Address::repeat_byte)
}

/// A pool of two assets with these reserves (base units), prices (8 decimals), weights and fee (hundredths).
fn pool(reserves: [u128; 2], prices: [u64; 2], weights: [u16; 2], fee: u32, k: &str) -> PublishedPool {
    let symbols = ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap());
    let asset = |position: usize| PublishedAsset {
        asset: Asset {
            symbol: symbols[position].clone(),
            address: tokens()[position],
            decimals: Decimals::new(DECIMALS[position]).unwrap(),
            weight: Weight::new(weights[position]).unwrap(),
        },
        price: Price::new(prices[position]).unwrap(),
        reserve: Amount::new(U256::from(reserves[position])).unwrap(),
        outstanding_inflow: U256::ZERO,
        outstanding_outflow: U256::ZERO,
    };
    PublishedPool {
        id: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
        state_id: Some(StateId::from_bytes([4; 16])),
        signer: None,
        domain: Some(SigningDomain { name: "Test".into(), version: "2".into() }),
        k: PoolConstant::from_decimal(k).unwrap(),
        time_in_seconds: 60,
        assets: vec![asset(0), asset(1)],
        pairs: vec![PairFee {
            assets: symbols.clone(),
            fee: BasisPoints::from_decimal(&format!("{}.{:02}", fee / 100, fee % 100)).unwrap(),
        }],
    }
}

fn usual_pool() -> PublishedPool {
    pool([476_877_882_758_190_421_102, 417_751_254_142], [208_052_700_000, 100_000_000], [79, 188], 863, "0.06")
}

/// The quote that the formula gives for `input` base units of the first asset.
fn quote(pool: &PublishedPool, input: u128) -> Option<QuoteResponse> {
    let [ether, dollar] = tokens();
    let state = pool.pair_state(ether, dollar)?;
    let swap = price(&state, GoodUntilKind::Plain, SwapAmount::ExactInput(Amount::new(U256::from(input))?)).ok()?;
    Some(QuoteResponse {
        levels: None,
        chain_id: pool.id.chain_id,
        pool: Some(pool.id.address),
        input: (ether, swap.input),
        output: (dollar, swap.output),
        input_value_in_usd: value_in_usd(swap.input, state.input.price, state.input.decimals),
        output_value_in_usd: value_in_usd(swap.output, state.output.price, state.output.decimals),
        rate: rate((swap.input, state.input.decimals), (swap.output, state.output.decimals)),
        must_accept_by: Timestamp::from_seconds(ACCEPT_BY),
        good_until: UnixSeconds::new(ACCEPT_BY + 60),
        state_id: pool.state_id,
        fee: Some(state.fee),
    })
}

fn offer(pool: &PublishedPool, quote: &QuoteResponse) -> Offer {
    Offer {
        pool: pool.id,
        input_token: quote.input.0,
        output_token: quote.output.0,
        input_amount: quote.input.1,
        output_amount: quote.output.1,
        good_until: GoodUntil::Plain(quote.good_until),
        destination: Address::repeat_byte(7),
    }
}

async fn signed(key: &LocalSigner, pool: &PublishedPool, offer: Offer, terms: &Terms) -> SignResponse {
    let separator = DomainSeparator::new(pool.domain.as_ref().unwrap(), pool.id);
    let signature: Signature = key.sign(&TypedMessage::from_offer(&separator, &offer)).await.unwrap();
    let calldata = firmquote_calldata::encode(&offer, terms, &signature);
    let expires_at = Some(offer.good_until.expires_at());
    SignResponse { offer, expires_at, signature, calldata: Some(calldata.into()) }
}

fn data(pool: &PublishedPool, is_unchanged: bool) -> Option<PoolData<'_>> {
    Some(PoolData { pools: slice::from_ref(pool), is_unchanged, price_tolerance: BasisPoints::default() })
}

fn more(amount: Amount) -> Amount {
    Amount::new(amount.base_units() + U256::from(1)).unwrap()
}

/// The status of the check of this name.
fn status(verification: &Verification<'_>, name: &str) -> CheckStatus {
    verification.checks().into_iter().find(|check| check.check == name).unwrap().status
}

#[tokio::test]
async fn a_signed_swap_is_verified_and_every_altered_term_is_detected() {
    let key = LocalSigner::random().unwrap();
    let pool = PublishedPool { signer: Some(key.address()), ..usual_pool() };
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let destination = Address::repeat_byte(7);
    let aux_data = Default::default();
    let terms = Terms {
        destination,
        sender: destination,
        aux_data,
        native: NativeSide::Neither,
        transmit: false,
        guarantee: false,
    };
    let right = signed(&key, &pool, offer(&pool, &quote), &terms).await;
    let verification = Verification {
        quote: Some(&quote),
        signed: Some(&right),
        requested: RequestedSwap {
            pool: Some(pool.id.address),
            input_token: Some(quote.input.0),
            output_token: Some(quote.output.0),
            fixed: Some(FixedSide::Input),
            fixed_amount: Some(quote.input.1),
            destination: Some(destination),
            native: Some(NativeSide::Neither),
            transmit: Some(false),
            aux_data: Some(aux_data),
            levels_id: None,
        },
        pool_data: data(&pool, true),
        ..Verification::default()
    };
    assert_eq!(VerificationResult::from_checks(&verification.checks()), VerificationResult::Verified);
    let other = RequestedSwap { fixed_amount: Some(more(quote.input.1)), ..verification.requested };
    assert_eq!(status(&Verification { quote: None, requested: other, ..verification }, "terms"), CheckStatus::Differs);
    let native = RequestedSwap { native: Some(NativeSide::Output), transmit: None, ..verification.requested };
    assert_eq!(status(&Verification { requested: native, ..verification }, "calldata"), CheckStatus::Differs);
    let late = SignResponse { expires_at: Some(UnixSeconds::new(ACCEPT_BY)), ..right.clone() };
    assert_eq!(status(&Verification { signed: Some(&late), ..verification }, "terms"), CheckStatus::Differs);
    type Alter = fn(&mut Offer);
    let alterations: [(Alter, &[&str]); 7] = [
        // One base unit more of the input gives the same output: the amounts alone hold.
        (|offer| offer.input_amount = more(offer.input_amount), &["terms", "signature", "calldata"]),
        (|offer| offer.output_amount = more(offer.output_amount), &["amounts", "terms", "signature", "calldata"]),
        (|offer| offer.good_until = GoodUntil::Plain(UnixSeconds::new(ACCEPT_BY)), &["terms", "signature", "calldata"]),
        (|offer| offer.destination = Address::repeat_byte(8), &["terms", "signature", "calldata"]),
        (|offer| offer.input_token = Address::repeat_byte(3), &["terms", "signature", "calldata"]),
        (|offer| offer.pool.address = Address::repeat_byte(3), &["terms", "signature"]),
        (|offer| offer.pool.chain_id = ChainId::new(5).unwrap(), &["terms", "signature"]),
    ];
    for (number, (alter, checks)) in alterations.into_iter().enumerate() {
        let mut altered = right.clone();
        alter(&mut altered.offer);
        let verification = Verification { signed: Some(&altered), signer: Some(key.address()), ..verification };
        for check in checks {
            assert_eq!(status(&verification, check), CheckStatus::Differs, "alteration {number}: {check}");
        }
    }
}

#[tokio::test]
async fn a_swap_that_the_signer_signed_for_another_contract_is_found() {
    let key = LocalSigner::random().unwrap();
    let pool = PublishedPool { signer: Some(key.address()), ..usual_pool() };
    let other = PublishedPool { id: PoolId { address: Address::repeat_byte(8), ..pool.id }, ..pool.clone() };
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let destination = Address::repeat_byte(7);
    let terms = Terms {
        destination,
        sender: destination,
        aux_data: Default::default(),
        native: NativeSide::Neither,
        transmit: false,
        guarantee: false,
    };
    let signed = signed(&key, &other, offer(&other, &quote), &terms).await;
    let pools = [pool.clone(), other.clone()];
    let pool_data = Some(PoolData { pools: &pools, is_unchanged: true, price_tolerance: BasisPoints::default() });
    let unnamed = QuoteResponse { pool: None, ..quote };
    for (quote, pinned, expected) in [
        (quote, None, CheckStatus::Differs),
        (unnamed, Some(pool.id.address), CheckStatus::Differs),
        (unnamed, Some(other.id.address), CheckStatus::Holds),
    ] {
        let requested = RequestedSwap { pool: pinned, destination: Some(destination), ..RequestedSwap::default() };
        let verification = Verification {
            quote: Some(&quote),
            signed: Some(&signed),
            requested,
            pool_data,
            ..Verification::default()
        };
        assert_eq!(status(&verification, "terms"), expected, "{:?} {pinned:?}", quote.pool);
        assert_eq!(status(&verification, "signature"), CheckStatus::Holds);
    }
}

#[tokio::test]
async fn a_rate_bound_is_verified_instead_of_the_packed_prices() {
    let key = LocalSigner::random().unwrap();
    let pool = PublishedPool { signer: Some(key.address()), ..usual_pool() };
    let quote = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let destination = Address::repeat_byte(7);
    let aux_data = Default::default();
    let terms = Terms {
        destination,
        sender: destination,
        aux_data,
        native: NativeSide::Neither,
        transmit: false,
        guarantee: false,
    };
    let [input, output] = [&pool.assets[0], &pool.assets[1]];
    let packed = PackedGoodUntil {
        input_price: input.price,
        output_price: output.price,
        k: pool.k,
        input_weight: input.asset.weight,
        output_weight: output.asset.weight,
        expires_at: quote.good_until,
    };
    let bound =
        packed.with_rate_bound((quote.input.1, input.asset.decimals), (quote.output.1, output.asset.decimals)).unwrap();
    let over = PackedGoodUntil { output_price: Price::new(bound.output_price.steps() * 2).unwrap(), ..bound };
    for (packed, expected) in [(bound, CheckStatus::Holds), (over, CheckStatus::Differs)] {
        let offer = Offer { good_until: GoodUntil::Packed(packed), ..offer(&pool, &quote) };
        let signed = signed(&key, &pool, offer, &terms).await;
        let verification = Verification {
            quote: Some(&quote),
            signed: Some(&signed),
            requested: RequestedSwap {
                fixed: Some(FixedSide::Input),
                destination: Some(destination),
                ..RequestedSwap::default()
            },
            pool_data: data(&pool, true),
            ..Verification::default()
        };
        assert_eq!(status(&verification, "settlement"), expected);
        assert_eq!(status(&verification, "amounts"), CheckStatus::Holds);
        assert_eq!(status(&verification, "values"), CheckStatus::Holds);
    }
}

#[test]
fn amounts_of_another_state_are_undecided_and_those_at_implied_prices_have_moved() {
    let then = usual_pool();
    let quote = quote(&then, 1_000_000_000_000_000_000).unwrap();
    let verdict = |pool: &PublishedPool, is_unchanged| {
        let verification =
            Verification { quote: Some(&quote), pool_data: data(pool, is_unchanged), ..Verification::default() };
        status(&verification, "amounts")
    };
    let mut swapped = then.clone();
    swapped.assets[1].reserve = more(more(swapped.assets[0].reserve));
    assert_eq!(verdict(&swapped, false), CheckStatus::Undecided);
    assert_eq!(verdict(&swapped, true), CheckStatus::Differs);
    let mut moved = then.clone();
    moved.assets[0].price = Price::new(209_000_000_000).unwrap();
    assert_eq!(verdict(&moved, false), CheckStatus::Moved);
    assert_eq!(verdict(&then, false), CheckStatus::Holds);
}

#[test]
fn state_and_fee_are_those_of_the_data_published_for_the_quote() {
    let pool = usual_pool();
    let right = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let verdict = |quote: QuoteResponse, is_unchanged| {
        let verification =
            Verification { quote: Some(&quote), pool_data: data(&pool, is_unchanged), ..Verification::default() };
        verification.checks().into_iter().find(|check| check.check == "state").map(|check| check.status)
    };
    let (other_state, other_fee) = (Some(StateId::from_bytes([5; 16])), BasisPoints::from_decimal("8.64").ok());
    let later = UnixSeconds::new(right.good_until.get() + 1);
    for (quote, expected) in [
        (right, Some(CheckStatus::Holds)),
        (QuoteResponse { state_id: other_state, ..right }, Some(CheckStatus::Differs)),
        (QuoteResponse { fee: other_fee, ..right }, Some(CheckStatus::Differs)),
        // The data has no fee for this time.
        (QuoteResponse { fee: other_fee, good_until: later, ..right }, Some(CheckStatus::Holds)),
        (QuoteResponse { state_id: None, fee: None, ..right }, None),
    ] {
        assert_eq!(verdict(quote, true), expected, "{quote:?}");
        assert_eq!(verdict(quote, false), None, "of another moment");
    }
}

#[test]
fn a_quote_of_levels_must_match_the_requested_levels() {
    let pool = usual_pool();
    let formula = quote(&pool, 1_000_000_000_000_000_000).unwrap();
    let [requested, other] = [7, 8].map(|byte| LevelsId::from_bytes([byte; 16]));
    let verdict = |levels_id, output: Amount, levels_output: Amount| {
        let levels = Some(QuotedLevels { id: requested, output: levels_output });
        let quote = QuoteResponse { levels, output: (formula.output.0, output), ..formula };
        let requested = RequestedSwap { levels_id, ..RequestedSwap::default() };
        let verification =
            Verification { quote: Some(&quote), requested, pool_data: data(&pool, true), ..Verification::default() };
        status(&verification, "amounts")
    };
    let (exact, better) = (formula.output.1, Amount::new(formula.output.1.base_units() * U256::from(2)).unwrap());
    let worse = Amount::new(formula.output.1.base_units() / U256::from(2)).unwrap();
    for (output, levels_output, expected) in [
        (exact, worse, CheckStatus::Holds),
        (better, better, CheckStatus::Holds),
        // The book decides: it was published at other prices, and with a fee of its own.
        (worse, worse, CheckStatus::Undecided),
        (worse, exact, CheckStatus::Differs),
    ] {
        assert_eq!(verdict(Some(requested), output, levels_output), expected, "{output} of {levels_output}");
    }
    // A service cannot excuse itself with levels that nobody asked for.
    for levels_id in [None, Some(other)] {
        assert_eq!(verdict(levels_id, worse, worse), CheckStatus::Differs);
    }
}

proptest! {
    /// The formula's own amounts are recomputed on every pool, and one base unit more never is.
    #[test]
    fn every_quote_is_recomputed_to_the_base_unit(
        reserves in [1_000_000_000_000_000_000..1_000_000_000_000_000_000_000_000_u128, 1_000_000_000..1_000_000_000_000_000_u128],
        prices in [1_000_000..10_000_000_000_000_u64, 1_000_000..10_000_000_000_000_u64],
        weights in [1..1_000_u16, 1..1_000_u16],
        fee in 0..10_000_u32,
        k in prop::sample::select(vec!["0.02", "0.06", "0.5", "0.9"]),
        parts_per_million in 1..100_000_u128,
    ) {
        let pool = pool(reserves, prices, weights, fee, k);
        let Some(quote) = quote(&pool, reserves[0] / 1_000_000 * parts_per_million) else { return Ok(()) };
        let verification = Verification {
            quote: Some(&quote),
            requested: RequestedSwap { fixed: Some(FixedSide::Input), ..RequestedSwap::default() },
            pool_data: data(&pool, true),
            ..Verification::default()
        };
        prop_assert_eq!(VerificationResult::from_checks(&verification.checks()), VerificationResult::Verified);
        let output = more(quote.output.1);
        let altered = QuoteResponse { output: (quote.output.0, output), ..quote };
        let unchanged_values = Verification { quote: Some(&altered), ..verification };
        let recomputed = recompute(&unchanged_values.swap().unwrap(), slice::from_ref(&pool));
        prop_assert!(!matches!(recomputed, Recomputation::Equal(..)));
        // The values of the unaltered amounts may imply a price one step away that gives the altered output.
        prop_assert_ne!(status(&unchanged_values, "amounts"), CheckStatus::Holds);
        let value = value_in_usd(output, pool.assets[1].price, pool.assets[1].asset.decimals);
        let altered = QuoteResponse { output_value_in_usd: value, ..altered };
        let altered = Verification { quote: Some(&altered), ..verification };
        prop_assert_eq!(status(&altered, "amounts"), CheckStatus::Differs);
    }
}
