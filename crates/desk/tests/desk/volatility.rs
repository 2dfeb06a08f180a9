//! Quotes with a volatility that is estimated from live prices: recomputable, and signable while prices move as before.

use std::{collections::BTreeSet, sync::Arc};

use crate::pool::{Bench, NOW, bench, one_eth, sign, spec, state};
use firmquote_desk::{ConflictReason, DeskError};
use firmquote_domain::{BasisPoints, Client, FeeCurve, Price, Quote, Symbol, Timestamp, Volatility};
use firmquote_market::{
    Aggregation, CompositePrice, Deviation, EstimatedVolatility, MarketWriter, Observation, PoolInputs, PriceInput,
    PriceRules, ReserveInput, Reserves, VolatilityParameters,
};
use firmquote_pricing::fee;

/// Seconds until an estimate with a half-life of 300 s has forgotten that it began.
const WARM_UP: u32 = 1_200;
/// One basis point, of a price of 2,000 US dollars in steps of 1e-8.
const ONE_BASIS_POINT: i64 = 20_000_000;

/// A desk whose ETH is live, and the writer of its prices.
struct Live {
    bench: Bench,
    market: MarketWriter,
    eth: Symbol,
    price: u64,
    seed: u64,
}

impl Live {
    fn start() -> Self {
        let bench = bench(vec![spec()]);
        let wide = "9999".parse::<BasisPoints>().unwrap();
        let rules = PriceRules {
            max_age_ms: 10_000,
            max_jump_per_second: wide,
            max_move_per_minute: wide,
            max_deviation: Deviation::from_basis_points(wide),
            max_confidence: Deviation::from_basis_points(wide),
            aggregation: Aggregation::Priority,
        };
        let eth = Symbol::new("ETH").unwrap();
        let [floor, ceiling] = ["0.05", "5"].map(|text| text.parse::<Volatility>().unwrap());
        let rule = VolatilityParameters { half_life_seconds: 300, floor, ceiling };
        let one = || PriceInput::Fixed("1".parse::<Price>().unwrap());
        let known = state("2000").assets.into_iter().map(|asset| asset.reserve.unwrap().value.base_units());
        let tokens = spec().assets.into_iter().map(|asset| asset.address);
        let inputs = [PriceInput::Live(eth.clone()), one(), one(), one()];
        let balances = tokens.clone().zip(known).collect();
        let pool = PoolInputs {
            id: spec().id,
            assets: tokens.zip(inputs).collect(),
            reserves: ReserveInput::Fixed(Reserves { balances, ..Reserves::default() }),
            pairs: vec![([0, 1], Some(rule)), ([0, 3], None), ([1, 2], None)],
        };
        let panels = vec![(eth.clone(), CompositePrice::new(rules, 1))];
        let market = MarketWriter::new(Arc::clone(&bench.market), panels, vec![pool], NOW);
        Self { bench, market, eth, price: 200_000_000_000, seed: 7 }
    }

    /// The price moves at random, by about `basis_points` in a second, and is written.
    fn tick(&mut self, second: u32, basis_points: i64) {
        // The sum of twelve uniform numbers is nearly normal, with a variance of one.
        let normal: i64 = (0..12).map(|_| self.random()).sum();
        let moved = self.price.checked_add_signed(normal * basis_points * ONE_BASIS_POINT / 1_000);
        self.report_price(moved.unwrap(), second);
    }

    /// A number from -500 to 499.
    fn random(&mut self) -> i64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.seed >> 33) % 1_000).unwrap() - 500
    }

    fn report_price(&mut self, price: u64, second: u32) {
        self.price = price;
        let now = at(second);
        self.bench.clock.set(now);
        let price = Price::new(price).unwrap();
        self.market.receive([(&self.eth, 0, Ok(Observation { price, confidence_steps: 0, observed_at: now }))], now);
    }

    fn estimated(&self) -> EstimatedVolatility {
        self.bench.market.snapshot().pool(spec().id).unwrap().volatilities.first().copied().flatten().unwrap()
    }

    async fn quote(&self) -> Quote {
        self.bench.desk.quote(&one_eth()).await.unwrap()
    }
}

fn at(second: u32) -> Timestamp {
    NOW.plus_seconds(second)
}

#[tokio::test]
async fn a_quote_is_priced_with_the_published_pool_fee() {
    let mut live = Live::start();
    for second in 0..WARM_UP {
        live.tick(second, 1);
        let quote = live.quote().await;
        let view = live.bench.desk.pools(spec().id.chain_id, None, None, &Client::Anonymous).unwrap().remove(0);
        assert_eq!((Some(quote.fee), Some(quote.input.price)), (view.fees[0], view.assets[0].price));
        let configured = spec().pairs[0].fee;
        let curve = match second {
            0..300 => configured,
            _ => FeeCurve { annual_volatility: live.estimated().quoted, ..configured },
        };
        assert_eq!(quote.fee, fee(&curve, 12, 60), "{second}");
    }
}

#[tokio::test]
async fn quotes_stay_signable_until_volatility_rises() {
    let mut live = Live::start();
    (0..WARM_UP).for_each(|second| live.tick(second, 1));
    let (mut estimates, mut quoted, mut signed) = (BTreeSet::new(), BTreeSet::new(), 0);
    let mut second = WARM_UP;
    for _ in 0..60 {
        let (quote, price) = (live.quote().await, live.price);
        for _ in 0..10 {
            second += 1;
            live.tick(second, 1);
            estimates.insert(live.estimated().estimate);
            quoted.insert(live.estimated().quoted);
        }
        match live.bench.desk.sign(&sign(quote.id, 1)).await {
            Ok(_) => signed += 1,
            Err(DeskError::Conflict(conflict)) => {
                assert_eq!(conflict.reason, ConflictReason::Price);
                assert!(live.price < price);
            }
            refused => assert!(refused.is_ok(), "{refused:?}"),
        }
    }
    assert!(signed > 20, "{signed}");
    assert!(estimates.len() > 500 && quoted.len() < 3, "{} estimates, {quoted:?}", estimates.len());
    let (quote, price) = (live.quote().await, live.price);
    (second + 1..second + 11).for_each(|second| live.tick(second, 10));
    live.report_price(price, second + 11);
    let refused = live.bench.desk.sign(&sign(quote.id, 1)).await;
    let reason = refused.map_err(|error| match error {
        DeskError::Conflict(conflict) => Some(conflict.reason),
        _ => None,
    });
    assert_eq!(reason.map(|_| ()), Err(Some(ConflictReason::Fee)));
}
