//! A pool and a valid signing request for it.

use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, Chain, ChainId, Decimals, FeeCurve, GoodUntil, GoodUntilKind, NativeSide,
    Offer, PackedGoodUntil, Pair, Pool, PoolId, PoolSpec, Price, SigningDomain, Symbol, Timestamp, U256, UnixSeconds,
    Usd, Volatility, Weight,
};
use firmquote_signer::SigningRequest;

pub(crate) const POOL: Address = Address::repeat_byte(0x99);
pub(crate) const WETH: Address = Address::repeat_byte(1);
pub(crate) const USDC: Address = Address::repeat_byte(2);
pub(crate) const DAI: Address = Address::repeat_byte(3);
/// The current second of [`request`].
pub(crate) const NOW: u32 = 1_700_000_000;

pub(crate) fn amount(base_units: u64) -> Amount {
    Amount::new(U256::from(base_units)).unwrap()
}

pub(crate) fn pool(kind: GoodUntilKind) -> Pool {
    let fee = FeeCurve { base: BasisPoints::from_hundredths(500).unwrap(), annual_volatility: Volatility::default() };
    let chain = Chain { name: "Ethereum".to_owned(), native_symbol: Symbol::new("ETH").unwrap(), wrapped_native: WETH };
    Pool::new(PoolSpec {
        max_time_in_seconds: 600,
        min_trade: Usd::default(),
        single_use: true,
        ..PoolSpec::new(
            PoolId { chain_id: ChainId::new(1).unwrap(), address: POOL },
            chain,
            SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() },
            kind,
            "0.06".parse().unwrap(),
            vec![asset("ETH", WETH, 79), asset("USDC", USDC, 188), asset("DAI", DAI, 200)],
            vec![Pair { assets: [Symbol::new("ETH").unwrap(), Symbol::new("USDC").unwrap()], fee }],
        )
    })
    .unwrap()
}

fn asset(symbol: &str, address: Address, weight: u16) -> Asset {
    Asset {
        symbol: Symbol::new(symbol).unwrap(),
        address,
        decimals: Decimals::new(18).unwrap(),
        weight: Weight::new(weight).unwrap(),
    }
}

/// Returns the numbers with which the pool's contract would check an offer from ETH to USDC.
pub(crate) fn packed() -> PackedGoodUntil {
    PackedGoodUntil {
        input_price: Price::new(208_052_700_000).unwrap(),
        output_price: Price::new(100_000_000).unwrap(),
        k: "0.06".parse().unwrap(),
        input_weight: Weight::new(79).unwrap(),
        output_weight: Weight::new(188).unwrap(),
        expires_at: UnixSeconds::new(NOW + 72),
    }
}

/// Returns a request that a verified pool signs.
pub(crate) fn request() -> SigningRequest {
    SigningRequest {
        offer: Offer {
            pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: POOL },
            input_token: WETH,
            output_token: USDC,
            input_amount: amount(1_000_000_000),
            output_amount: amount(2_000),
            good_until: GoodUntil::Packed(packed()),
            destination: Address::repeat_byte(0xdd),
        },
        native: NativeSide::Neither,
        output_reserve: amount(5_000),
        now: Timestamp::from_micros(u64::from(NOW) * 1_000_000 + 999_999),
    }
}
