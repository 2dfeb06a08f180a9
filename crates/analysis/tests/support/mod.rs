//! A simulated pool of ETH, USDC and DAI, for tests.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use firmquote_analysis::{PricePaths, SimulatedPool, Simulation, Taker, TakerStrategy};
use firmquote_desk::{Limit, OutstandingPolicy, ServedPool, SigningPolicy};
use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, Chain, ChainId, Decimals, FeeCurve, GoodUntilKind, Pair, Pool, PoolId,
    PoolSpec, Price, SettlementCheck, SigningDomain, Symbol, Timestamp, U256, Usd, Volatility, Weight,
};
use firmquote_market::VolatilityParameters;
use firmquote_signer::{LocalSigner, PoolSigner};

/// 2026-11-21, midnight.
pub(crate) const START: Timestamp = Timestamp::from_seconds(1_795_219_200);

fn bps(text: &str) -> BasisPoints {
    text.parse::<BasisPoints>().unwrap()
}

pub(crate) fn symbol(name: &str) -> Symbol {
    Symbol::new(name).unwrap()
}

fn spec(base_fee: &str) -> PoolSpec {
    let asset = |name: &str, byte, decimals, weight| Asset {
        symbol: symbol(name),
        address: Address::repeat_byte(byte),
        decimals: Decimals::new(decimals).unwrap(),
        weight: Weight::new(weight).unwrap(),
    };
    let pair = |one: &str, other: &str, base: &str, volatility: &str| Pair {
        assets: [symbol(one), symbol(other)],
        fee: FeeCurve { base: bps(base), annual_volatility: volatility.parse().unwrap() },
    };
    let chain =
        Chain { name: "Ethereum".into(), native_symbol: symbol("ETH"), wrapped_native: Address::repeat_byte(1) };
    PoolSpec {
        settlement: SettlementCheck::Price,
        single_use: true,
        default_time_in_seconds: 36,
        max_time_in_seconds: 600,
        last_look_tolerance: bps("0.5"),
        min_trade: "1".parse().unwrap(),
        ..PoolSpec::new(
            PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
            chain,
            SigningDomain { name: "pool".into(), version: "1".into() },
            GoodUntilKind::Verified,
            "0.04".parse().unwrap(),
            vec![asset("ETH", 1, 18, 100), asset("USDC", 2, 6, 100), asset("DAI", 3, 18, 200)],
            vec![pair("ETH", "USDC", base_fee, "0.6"), pair("USDC", "DAI", "1", "0.01")],
        )
    }
}

/// A pool of 500,000 US dollars with this base fee of ETH/USDC.
pub(crate) fn pool(base_fee: &str) -> SimulatedPool {
    let share = |percent: u32| Some(BasisPoints::from_hundredths(percent * 10_000).unwrap());
    let policy = SigningPolicy {
        max_trade: Limit::Share(bps("1000")),
        outstanding: OutstandingPolicy {
            max_share: share(20),
            max_share_of_client: share(5),
            ..OutstandingPolicy::default()
        },
        ..SigningPolicy::default()
    };
    let key = Arc::new(LocalSigner::from_hex(&"11".repeat(32)).unwrap());
    let signer = PoolSigner::new(Arc::new(Pool::new(spec(base_fee)).unwrap()), key);
    let reserve = |text: &str| text.parse::<Amount>().unwrap();
    let estimated =
        VolatilityParameters { half_life_seconds: 300, floor: "0.2".parse().unwrap(), ceiling: "3".parse().unwrap() };
    SimulatedPool {
        pool: ServedPool::new(signer, policy),
        reserves: vec![reserve("100000000000000000000"), reserve("200000000000"), reserve("100000000000000000000000")],
        volatilities: vec![Some(estimated), None],
    }
}

/// Prices of ETH around 2,000 US dollars.
pub(crate) fn prices(seconds: usize, seed: u64) -> PricePaths {
    let price =
        |text: &str, volatility: &str| (text.parse::<Price>().unwrap(), volatility.parse::<Volatility>().unwrap());
    let assets = BTreeMap::from([
        (symbol("ETH"), price("2000", "0.8")),
        (symbol("USDC"), price("1", "0")),
        (symbol("DAI"), price("0.9999", "0.005")),
    ]);
    PricePaths::random(&assets, START, seconds, seed)
}

/// A taker that considers a trade so often a day.
pub(crate) fn taker(name: &str, strategy: TakerStrategy, trades_per_day: u32) -> Taker {
    let usd = |text: &str| text.parse::<Usd>().unwrap();
    Taker { name: name.into(), strategy, trades_per_day, size: [usd("0.5"), usd("100000")] }
}

/// A storm of requests: some too small, some too large, some beside many outstanding swaps.
pub(crate) fn storm(seconds: usize, seed: u64, output: Option<PathBuf>) -> Simulation {
    let rebalancing = TakerStrategy::Rebalancing { cost: "0.5".parse().unwrap() };
    Simulation {
        pools: vec![pool("5")],
        prices: prices(seconds, seed),
        takers: vec![
            taker("wallet", TakerStrategy::Uninformed { mean_cost_bps: 15 }, 20_000),
            taker("searcher", TakerStrategy::Informed { lead_seconds: 5 }, 20_000),
            taker("arbitrageur", rebalancing, 5_000),
        ],
        block_seconds: 12,
        seed,
        output,
    }
}

/// The number of base units of `amount`.
pub(crate) fn units(amount: Amount) -> U256 {
    amount.base_units()
}
