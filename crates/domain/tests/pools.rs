//! Which descriptions of a pool hold together.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use firmquote_domain::{
    Address, Asset, BasisPoints, Chain, ChainId, Decimals, FeeCurve, GoodUntilKind, Pair, Pool, PoolId, PoolSpec,
    SigningDomain, Symbol, Volatility, Weight,
};

fn symbol(text: &str) -> Symbol {
    Symbol::new(text).unwrap()
}

fn asset(name: &str, byte: u8) -> Asset {
    Asset {
        symbol: symbol(name),
        address: Address::repeat_byte(byte),
        decimals: Decimals::new(18).unwrap(),
        weight: Weight::new(100).unwrap(),
    }
}

fn pair(one: &str, other: &str) -> Pair {
    let fee = FeeCurve { base: BasisPoints::from_hundredths(500).unwrap(), annual_volatility: Volatility::default() };
    Pair { assets: [symbol(one), symbol(other)], fee }
}

fn spec() -> PoolSpec {
    let chain = Chain {
        name: "Ethereum".to_owned(),
        native_symbol: Symbol::new("ETH").unwrap(),
        wrapped_native: Address::repeat_byte(1),
    };
    PoolSpec {
        max_time_in_seconds: 600,
        ..PoolSpec::new(
            PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
            chain,
            SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() },
            GoodUntilKind::Verified,
            "0.06".parse().unwrap(),
            vec![asset("ETH", 1), asset("USDC", 2), asset("DAI", 3)],
            vec![pair("ETH", "USDC")],
        )
    }
}

#[test]
fn a_pair_is_found_in_either_order_if_it_trades() {
    let pool = Pool::new(spec()).unwrap();
    assert!(pool.pair(&symbol("USDC"), &symbol("ETH")).is_some());
    assert!(pool.pair(&symbol("ETH"), &symbol("DAI")).is_none());
    assert_eq!(pool.asset("DAI").unwrap().0, 2);
    assert!(pool.asset("dai").is_none());
}

type Spoil = fn(&mut PoolSpec);

#[test]
fn inconsistent_specifications_are_rejected_by_name() {
    let cases: [(&str, Spoil); 12] = [
        ("acceptance_window_seconds is 0, allowed: 1 to 3600", |spec| spec.acceptance_window_seconds = 0),
        ("max_time_in_seconds is 86401, allowed: 1 to 86400", |spec| spec.max_time_in_seconds = 86_401),
        ("min_time_in_seconds is 601, allowed: 1 to max_time_in_seconds", |spec| spec.min_time_in_seconds = 601),
        ("default_time_in_seconds is 601, allowed: min_time_in_seconds to max_time_in_seconds", |spec| {
            spec.default_time_in_seconds = 601;
        }),
        ("asset is 1 asset(s), allowed: two assets or more", |spec| spec.assets.truncate(1)),
        (
            "asset.address is 0x0000000000000000000000000000000000000000, allowed: a token contract, not the pool",
            |spec| {
                spec.assets[0].address = Address::ZERO;
            },
        ),
        ("symbol ETH is listed twice", |spec| spec.assets[1].symbol = symbol("ETH")),
        ("token 0x0101010101010101010101010101010101010101 is listed twice", |spec| {
            spec.assets[1].address = spec.assets[0].address;
        }),
        ("pair is none, allowed: one pair or more", |spec| spec.pairs.clear()),
        ("pair ETH/WBTC needs two different symbols of the pool's assets", |spec| spec.pairs.push(pair("ETH", "WBTC"))),
        ("pair USDC/ETH is listed twice", |spec| spec.pairs.push(pair("USDC", "ETH"))),
        ("pair ETH/USDC of a verified pool needs a fee above zero", |spec| {
            spec.pairs[0].fee.base = BasisPoints::default();
        }),
    ];
    for (message, spoil) in cases {
        let mut spoiled = spec();
        spoil(&mut spoiled);
        assert_eq!(Pool::new(spoiled).unwrap_err().to_string(), message);
    }
}
