//! A desk over the pool of a live deployment, with a clock and a market that tests move.
use std::{collections::BTreeSet, sync::Arc};

use firmquote_desk::{Desk, FirmLevelsState, Pauses, QuoteRequest, SignRequest};
use firmquote_domain::{
    Address, Asset, Chain, ChainId, Client, Decimals, FeeCurve, GoodUntilKind, ManualClock, Pair, Pool, PoolId,
    PoolSpec, Price, QuoteId, SigningDomain, SwapAmount, Symbol, Terms, Timestamp, U256, Weight, parse_address,
};
use firmquote_market::{Market, PoolState, Snapshot};
use firmquote_signer::{LocalSigner, PoolSigner};
use firmquote_store::MemoryStore;

pub(crate) const NOW: Timestamp = Timestamp::from_micros(1_697_235_848_932_560);

/// Symbol, token, decimals, weight, reserve, price.
const ASSETS: [(&str, &str, u8, u16, &str, &str); 4] = [
    ("ETH", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", 18, 79, "476877882758190421102", "2080.527"),
    ("USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", 6, 188, "417751254142", "1"),
    ("USDT", "0xdAC17F958D2ee523a2206206994597C13D831ec7", 6, 305, "259059412007", "1"),
    ("DAI", "0x6B175474E89094C44Da98b954EedeAC495271d0F", 18, 250, "309714519494182375269440", "1"),
];

pub(crate) fn chain() -> ChainId {
    ChainId::new(1).unwrap()
}

fn pair(one: &str, other: &str, base: &str, volatility: &str) -> Pair {
    let fee = FeeCurve { base: base.parse().unwrap(), annual_volatility: volatility.parse().unwrap() };
    Pair { assets: [Symbol::new(one).unwrap(), Symbol::new(other).unwrap()], fee }
}

pub(crate) fn spec() -> PoolSpec {
    let asset = |(symbol, address, decimals, weight, _, _): (&str, &str, u8, u16, &str, &str)| Asset {
        symbol: Symbol::new(symbol).unwrap(),
        address: parse_address(address).unwrap(),
        decimals: Decimals::new(decimals).unwrap(),
        weight: Weight::new(weight).unwrap(),
    };
    let address = parse_address("0x655eDCE464CC797526600a462A8154650EEe4B77").unwrap();
    let ethereum = Chain {
        name: "Ethereum".to_owned(),
        native_symbol: Symbol::new("ETH").unwrap(),
        wrapped_native: parse_address(ASSETS[0].1).unwrap(),
    };
    PoolSpec {
        max_time_in_seconds: 600,
        ..PoolSpec::new(
            PoolId { chain_id: chain(), address },
            ethereum,
            SigningDomain { name: "ClipperDirect".into(), version: "1.0.0".into() },
            GoodUntilKind::Verified,
            "0.06".parse().unwrap(),
            ASSETS.into_iter().map(asset).collect(),
            vec![pair("ETH", "USDC", "5", "0.60"), pair("ETH", "DAI", "4", "0.60"), pair("USDC", "USDT", "4", "0.02")],
        )
    }
}

/// The live reserves with the price of ETH at `eth_price`.
pub(crate) fn state(eth_price: &str) -> PoolState {
    let asset = |(symbol, _, _, _, reserve, price): (&str, &str, u8, u16, &str, &str)| {
        let price = (if symbol == "ETH" { eth_price } else { price }).parse::<Price>().unwrap();
        (price, reserve.parse().unwrap())
    };
    PoolState::fixed(ASSETS.into_iter().map(asset), U256::ZERO)
}

/// A desk with everything a test may move.
pub(crate) struct Bench {
    pub(crate) desk: Desk,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) market: Arc<Market>,
}

/// A desk over these pools, all in the live state.
pub(crate) fn bench(specs: Vec<PoolSpec>) -> Bench {
    let clock = Arc::new(ManualClock::at(NOW));
    let snapshot = specs.iter().fold(Snapshot::default(), |snapshot, spec| snapshot.with(spec.id, state("2080.527")));
    let market = Arc::new(Market::new(snapshot));
    let key = Arc::new(LocalSigner::from_hex(&"11".repeat(32)).unwrap());
    let pools =
        specs.into_iter().map(|spec| PoolSigner::new(Arc::new(Pool::new(spec).unwrap()), key.clone()).into()).collect();
    let store = Arc::new(MemoryStore::new(1_000));
    let pauses = Arc::new(Pauses::with_paused(store.clone(), BTreeSet::new()));
    let (market_of_desk, clock_of_desk) = (market.clone(), clock.clone());
    let desk = Desk {
        pools,
        pauses,
        market: market_of_desk,
        firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
        store,
        clock: clock_of_desk,
        operator_view: Arc::default(),
        recorder: None,
    };
    Bench { desk, clock, market }
}

/// Another replica of the service of `desk`, with the same store.
pub(crate) fn replica_of(desk: &Desk, market: &Arc<Market>) -> Desk {
    Desk {
        pools: desk.pools.iter().map(|pool| pool.signer().clone().into()).collect(),
        pauses: Arc::clone(&desk.pauses),
        market: Arc::clone(market),
        store: Arc::clone(&desk.store),
        firm_levels: Arc::clone(&desk.firm_levels),
        clock: Arc::clone(&desk.clock),
        operator_view: Arc::default(),
        recorder: None,
    }
}

pub(crate) fn one_eth() -> QuoteRequest<'static> {
    QuoteRequest {
        client: Client::Anonymous,
        source_network: None,
        chain_id: chain(),
        input: "ETH".into(),
        output: "USDC".into(),
        amount: SwapAmount::ExactInput("1000000000000000000".parse().unwrap()),
        time_in_seconds: None,
        pool_address: None,
        levels_id: None,
        quote_id: None,
    }
}

pub(crate) fn terms(destination: u8) -> Terms {
    Terms::new(Address::repeat_byte(destination))
}

pub(crate) fn sign(quote_id: QuoteId, destination: u8) -> SignRequest {
    SignRequest { client: Client::Anonymous, quote_id, terms: terms(destination) }
}
