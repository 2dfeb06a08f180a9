//! The demo pool, with the parameters of a live pool on chain 1.

use firmquote_domain::{
    Address, Asset, BasisPoints, Chain, ChainId, Decimals, FeeCurve, GoodUntilKind, Pair, Pool, PoolId, PoolSpec,
    Price, SigningDomain, Symbol, U256, Weight, parse_address,
};
use firmquote_market::PoolState;

pub(crate) const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";
pub(crate) const ETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
pub(crate) const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const USDT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
pub(crate) const DAI: &str = "0x6B175474E89094C44Da98b954EedeAC495271d0F";
const CHAIN: u64 = 1;

/// Symbol, token, decimals, weight, price, reserve.
const ASSETS: [(&str, &str, u8, u16, &str, &str); 4] = [
    ("ETH", ETH, 18, 79, "2080.527", "476877882758190421102"),
    ("USDC", USDC, 6, 188, "1", "417751254142"),
    ("USDT", USDT, 6, 305, "1", "259059412007"),
    ("DAI", DAI, 18, 250, "1", "309714519494182375269440"),
];

/// Symbols, base fee in basis points, annual volatility.
const PAIRS: [(&str, &str, &str, &str); 6] = [
    ("ETH", "USDC", "5", "0.60"),
    ("ETH", "USDT", "5", "0.60"),
    ("ETH", "DAI", "4", "0.60"),
    ("USDC", "USDT", "4", "0.02"),
    ("USDC", "DAI", "4", "0.02"),
    ("USDT", "DAI", "4", "0.02"),
];

pub(crate) fn address(text: &str) -> Address {
    parse_address(text).unwrap()
}

pub(crate) fn demo_symbols() -> [&'static str; 4] {
    ASSETS.map(|(symbol, ..)| symbol)
}

pub(crate) fn demo_pool() -> PoolSpec {
    let symbol = |text| Symbol::new(text).unwrap();
    let chain =
        Chain { name: "Ethereum".to_owned(), native_symbol: Symbol::new("ETH").unwrap(), wrapped_native: address(ETH) };
    PoolSpec {
        max_improvement: Some("100".parse::<BasisPoints>().unwrap()),
        max_time_in_seconds: 600,
        ..PoolSpec::new(
            PoolId { chain_id: ChainId::new(CHAIN).unwrap(), address: address(POOL) },
            chain,
            SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() },
            GoodUntilKind::Verified,
            "0.06".parse().unwrap(),
            ASSETS
                .iter()
                .map(|(name, token, decimals, weight, ..)| Asset {
                    symbol: symbol(name),
                    address: address(token),
                    decimals: Decimals::new(*decimals).unwrap(),
                    weight: Weight::new(*weight).unwrap(),
                })
                .collect(),
            PAIRS
                .iter()
                .map(|(one, other, base, volatility)| Pair {
                    assets: [symbol(one), symbol(other)],
                    fee: FeeCurve { base: base.parse().unwrap(), annual_volatility: volatility.parse().unwrap() },
                })
                .collect(),
        )
    }
}

/// Returns the prices and reserves of the demo pool with this price of ETH.
pub(crate) fn demo_state(eth_price: &str) -> PoolState {
    let asset = |(symbol, _, _, _, price, reserve): &(&str, &str, u8, u16, &str, &str)| {
        let price = (if *symbol == "ETH" { eth_price } else { price }).parse::<Price>().unwrap();
        (price, reserve.parse().unwrap())
    };
    let pool_tokens: U256 = "1379287189836924187648000".parse().unwrap();
    PoolState::fixed(ASSETS.iter().map(asset), pool_tokens)
}

pub(crate) fn built(spec: PoolSpec) -> Pool {
    Pool::new(spec).unwrap()
}
