//! A pool as it is configured, and as it is.

use std::sync::Arc;

use firmquote_domain::{
    Address, Asset, BasisPoints, ChainId, Decimals, FeeCurve, GoodUntilKind, ManualClock, Pair, Pool, PoolConstant,
    PoolSpec, SigningDomain, Symbol, Timestamp, Usd, Volatility, Weight,
};
use firmquote_market::chain::{ChainError, Mismatch, verify_pool};

use crate::{
    anvil::{self, Anvil},
    contracts::{self, DECIMALS, SIGNER},
    fake::{self, Fake, Reply},
    hearing::{access, rpc},
};

/// The pool as its operator describes it when all is well.
fn spec(pool: &contracts::Pool) -> PoolSpec {
    let symbols = ["ETH", "USDC"].map(|text| Symbol::new(text).unwrap());
    let asset = |position: usize| Asset {
        symbol: symbols[position].clone(),
        address: pool.tokens[position],
        decimals: Decimals::new(DECIMALS[position]).unwrap(),
        weight: Weight::new(100).unwrap(),
    };
    let fee = FeeCurve { base: BasisPoints::from_hundredths(500).unwrap(), annual_volatility: Volatility::default() };
    PoolSpec {
        id: pool.id(),
        domain: SigningDomain { name: "Firmquote".into(), version: "1".into() },
        good_until: GoodUntilKind::Verified,
        wrapped_native: pool.tokens[0],
        k: PoolConstant::from_decimal("0.06").unwrap(),
        acceptance_window_seconds: 12,
        min_time_in_seconds: 1,
        default_time_in_seconds: 60,
        max_time_in_seconds: 600,
        last_look_tolerance: BasisPoints::default(),
        min_trade: Usd::from_decimal("0.10").unwrap(),
        swaps_enabled: true,
        // Another order than the contract's is no other pool.
        assets: vec![asset(1), asset(0)],
        pairs: vec![Pair { assets: symbols.clone(), fee }],
    }
}

async fn found(urls: Vec<String>, clock: Timestamp, spec: PoolSpec) -> Result<Vec<Mismatch>, ChainError> {
    let rpc = rpc(access(Anvil::chain_id(), urls), &Arc::new(ManualClock::at(clock)));
    verify_pool(&rpc, &Pool::new(spec).unwrap(), SIGNER).await
}

#[tokio::test]
async fn whatever_is_not_as_configured_is_named_with_both_sides() {
    let anvil = Anvil::start().await;
    let pool = contracts::Pool::create(&anvil).await;
    let now = anvil.newest().await.1;
    let check = async |spec: PoolSpec| {
        let found = found(vec![anvil.url()], now, spec).await.unwrap();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let [eth, usdc] = pool.tokens;
    assert_eq!(check(spec(&pool)).await, Vec::<String>::new());

    let stranger = Address::repeat_byte(0x77);
    let mut changed = spec(&pool);
    changed.wrapped_native = stranger;
    changed.assets[0].decimals = Decimals::new(18).unwrap();
    let wrapper = format!("the pool wraps the native coin with {eth}, configured is {stranger}");
    let decimals = format!("{usdc} has 6 decimals, configured are 18 for USDC");
    assert_eq!(check(changed).await, [wrapper, decimals]);

    let mut changed = spec(&pool);
    changed.assets[0].address = stranger;
    let missing = format!("the pool does not hold {stranger}, configured as USDC");
    let unknown = format!("the pool holds {usdc}, which is not configured");
    let silent = format!("{stranger} is configured as USDC, but the contract does not know decimals()");
    assert_eq!(check(changed).await, [missing, unknown, silent]);

    let mut changed = spec(&pool);
    changed.id.address = eth;
    changed.assets[1].address = pool.address;
    let found = check(changed).await;
    assert_eq!(found[0], format!("{eth} is configured as the pool, but the contract reverts"));
    assert_eq!(found.len(), 3, "each function of the pool once: {found:?}");
}

#[tokio::test]
async fn the_signer_has_to_be_the_one_whose_key_is_configured() {
    let anvil = Anvil::start().await;
    let pool = contracts::Pool::create(&anvil).await;
    let clock = Arc::new(ManualClock::at(anvil.newest().await.1));
    let rpc = rpc(access(Anvil::chain_id(), vec![anvil.url()]), &clock);
    let other = Address::repeat_byte(0x52);
    let found = verify_pool(&rpc, &Pool::new(spec(&pool)).unwrap(), other).await.unwrap();
    assert_eq!(found, [Mismatch::Signer { says: SIGNER, configured: other }]);
}

#[tokio::test]
async fn a_node_on_another_chain_is_named_and_the_pool_is_read_from_the_others() {
    let anvil = Anvil::start().await;
    let pool = contracts::Pool::create(&anvil).await;
    let other = Fake::start(1).await;
    let now = anvil.newest().await.1;
    let configured = ChainId::new(anvil::CHAIN_ID).unwrap();
    let expected = Mismatch::Chain { node: other.url().replace("http://", ""), says: fake::CHAIN_ID, configured };
    assert_eq!(found(vec![other.url(), anvil.url()], now, spec(&pool)).await, Ok(vec![expected.clone()]));
    assert_eq!(found(vec![other.url()], now, spec(&pool)).await, Ok(vec![expected]), "nothing else can be asked");
}

#[tokio::test]
async fn nothing_is_said_when_no_node_answers() {
    let node = Fake::start(1).await;
    node.fail(Reply::Close);
    let pool = contracts::Pool { address: Address::repeat_byte(9), tokens: [1, 2].map(Address::repeat_byte) };
    let error = found(vec![node.url()], Timestamp::from_seconds(1), spec(&pool)).await.unwrap_err();
    assert!(matches!(error, ChainError::NoNode(_)), "{error:?}");
}
