//! A pool, and quotes and signatures of it.

use std::slice;

use alloy_primitives::Bytes;
use firmquote_api::{Quote, SignedSwap};
use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, ChainId, Decimals, GoodUntil, GoodUntilKind, Offer, PoolId, Price, QuoteId,
    Signature, SigningDomain, StateId, SwapAmount, Symbol, Terms, Timestamp, U256, UnixSeconds, Weight,
};
use firmquote_pricing::{price, rate, value_in_usd};
use firmquote_signer::{DomainSeparator, LocalSigner, Signer, TypedMessage};
use firmquote_verify::{CheckStatus, PairFee, PublishedAsset, PublishedPool, PublishedPools, Verification};

const DECIMALS: [u8; 2] = [18, 6];
pub(crate) const DESTINATION: Address = Address::repeat_byte(7);
pub(crate) const ACCEPT_BY: u32 = 1_697_235_860;

fn tokens() -> [Address; 2] {
    [1, 2].map(Address::repeat_byte)
}

/// Returns a pool of two assets with these reserves in base units, prices with 8 decimals, weights, and fee in
/// hundredths of a basis point.
pub(crate) fn pool(reserves: [u128; 2], prices: [u64; 2], weights: [u16; 2], fee: u32, k: &str) -> PublishedPool {
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
        k: k.parse().unwrap(),
        time_in_seconds: 60,
        max_improvement: None,
        assets: vec![asset(0), asset(1)],
        pairs: vec![PairFee {
            assets: symbols.clone(),
            fee: format!("{}.{:02}", fee / 100, fee % 100).parse().unwrap(),
        }],
    }
}

pub(crate) fn example_pool() -> PublishedPool {
    pool([476_877_882_758_190_421_102, 417_751_254_142], [208_052_700_000, 100_000_000], [79, 188], 863, "0.06")
}

/// Returns the quote of the formula for `input` base units of the first asset.
pub(crate) fn quote(pool: &PublishedPool, input: u128) -> Option<Quote> {
    let [ether, dollar] = tokens();
    let state = pool.pair_state(ether, dollar)?;
    let swap = price(&state, GoodUntilKind::Plain, SwapAmount::ExactInput(Amount::new(U256::from(input))?)).ok()?;
    Some(Quote {
        id: QuoteId::from_bytes([1; 16]).into(),
        must_accept_by: Timestamp::from_seconds(ACCEPT_BY).into(),
        good_until: UnixSeconds::new(ACCEPT_BY + 60).into(),
        chain_id: pool.id.chain_id.into(),
        input_amount: swap.input.into(),
        output_amount: swap.output.into(),
        input_value_in_usd: value_in_usd(swap.input, state.input.price, state.input.decimals).into(),
        output_value_in_usd: value_in_usd(swap.output, state.output.price, state.output.decimals).into(),
        created_at: UnixSeconds::new(ACCEPT_BY - 12).into(),
        rate: rate((swap.input, state.input.decimals), (swap.output, state.output.decimals)).into(),
        input_asset_address: ether.into(),
        output_asset_address: dollar.into(),
        pool_address: Some(pool.id.address.into()),
        state_id: pool.state_id.map(Into::into),
        fee_in_basis_points: Some(state.fee.into()),
        largest_trade_in_usd: None,
        levels_id: None,
        levels_output: None,
        firm_budget_left_input: None,
    })
}

pub(crate) fn offer(pool: &PublishedPool, quote: &Quote) -> Offer {
    Offer {
        pool: pool.id,
        input_token: *quote.input_asset_address,
        output_token: *quote.output_asset_address,
        input_amount: *quote.input_amount,
        output_amount: *quote.output_amount,
        good_until: GoodUntil::Plain(*quote.good_until),
        destination: DESTINATION,
    }
}

/// Returns terms for the transfer of tokens to the pool beforehand.
fn terms() -> Terms {
    Terms::new(DESTINATION)
}

pub(crate) async fn signed(key: &LocalSigner, pool: &PublishedPool, offer: Offer) -> SignedSwap {
    let separator = DomainSeparator::new(pool.domain.as_ref().unwrap(), pool.id);
    let signature: Signature = key.sign(&TypedMessage::from_offer(&separator, &offer)).await.unwrap();
    let calldata = firmquote_calldata::encode(&offer, &terms(), &signature);
    SignedSwap { calldata: Some(Bytes::from(calldata).into()), ..SignedSwap::new(&offer, signature) }
}

pub(crate) fn pool_data(pool: &PublishedPool, is_unchanged: bool) -> Option<PublishedPools<'_>> {
    Some(PublishedPools { pools: slice::from_ref(pool), is_unchanged, price_tolerance: BasisPoints::default() })
}

pub(crate) fn plus_one(amount: Amount) -> Amount {
    Amount::new(amount.base_units() + U256::from(1)).unwrap()
}

/// Returns the status of the check with this name.
pub(crate) fn status(verification: &Verification<'_>, name: &str) -> CheckStatus {
    verification.checks().into_iter().find(|check| check.check == name).unwrap().status
}
