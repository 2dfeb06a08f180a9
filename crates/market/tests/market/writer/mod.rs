//! Prices, reserves and pools passed to the writer appear in the snapshots and the status.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic outside its test functions too")]

mod replacement;
mod snapshots;
mod status;

use std::sync::Arc;

use firmquote_domain::{Address, Amount, BasisPoints, ChainId, PoolId, Price, Symbol, Timestamp, U256};
use firmquote_market::{
    Aggregation, CompositePrice, Deviation, Market, MarketWriter, Observation, PoolInputs, PoolState, PriceInput,
    PriceRules, Rejection, ReserveInput, Reserves, Trusted, VolatilityParameters,
};

const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

fn symbol(text: &str) -> Symbol {
    Symbol::new(text).unwrap()
}

fn pool_id(byte: u8) -> PoolId {
    PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(byte) }
}

fn rules() -> PriceRules {
    let wide = "9999".parse::<BasisPoints>().unwrap();
    PriceRules {
        max_age_ms: 10_000,
        max_jump_per_second: wide,
        max_move_per_minute: wide,
        max_deviation: Deviation::from_basis_points(wide),
        max_confidence: Deviation::from_basis_points(wide),
        aggregation: Aggregation::Priority,
    }
}

fn composite_price(sources: usize) -> CompositePrice {
    CompositePrice::new(rules(), sources)
}

/// The tokens of every pool, in its order.
const TOKENS: [Address; 2] = [Address::repeat_byte(0xa1), Address::repeat_byte(0xa2)];

fn reserves(amounts: [u64; 2]) -> Reserves {
    let balances = TOKENS.into_iter().zip(amounts.map(U256::from)).collect();
    Reserves { balances, block: Some(3), pool_tokens: U256::from(7), ..Reserves::default() }
}

fn live() -> PriceInput {
    PriceInput::Live(symbol("ETH"))
}

fn fixed() -> PriceInput {
    PriceInput::Fixed("1".parse::<Price>().unwrap())
}

fn pool(byte: u8, prices: [PriceInput; 2], parameters: Option<VolatilityParameters>) -> PoolInputs {
    PoolInputs {
        id: pool_id(byte),
        assets: TOKENS.into_iter().zip(prices).collect(),
        reserves: ReserveInput::Live,
        pairs: vec![([0, 1], parameters)],
    }
}

/// Creates a writer with ETH live from two sources, USDC and DAI fixed; a pool of ETH and USDC, and one of USDC and
/// DAI.
fn writer(parameters: Option<VolatilityParameters>) -> (Arc<Market>, MarketWriter) {
    let market = Arc::new(Market::default());
    let pools =
        vec![pool(1, [PriceInput::Live(symbol("ETH")), fixed()], parameters), pool(2, [fixed(), fixed()], None)];
    let writer = MarketWriter::new(Arc::clone(&market), vec![(symbol("ETH"), composite_price(2))], pools, START);
    for byte in [1, 2] {
        writer.set_reserves(pool_id(byte), Ok(Trusted::without_expiry(reserves([100, 200]))), START);
    }
    (market, writer)
}

fn state(market: &Market, byte: u8) -> Arc<PoolState> {
    Arc::clone(market.snapshot().pool(pool_id(byte)).unwrap())
}

/// Returns price and reserve of the first asset of the first pool.
fn eth(market: &Market, now: Timestamp) -> Result<(String, Amount), Rejection> {
    state(market, 1).assets[0].at(now).map(|(price, reserve)| (price.to_string(), reserve))
}

fn observation(price: &str, at: Timestamp) -> Result<Observation, firmquote_domain::InvalidValue> {
    Observation::from_decimal(price, at)
}
