//! What a quote and a signature cost through the desk with the memory store: `cargo bench -p firmquote-desk`.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark")]

#[expect(dead_code, reason = "tests move the clock and the market")]
#[path = "../tests/desk/pool.rs"]
mod pool;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group, criterion_main};
use firmquote_desk::{Desk, QuoteRequest};
use firmquote_domain::{
    Address, BasisPoints, Clock, ManualClock, PoolId, Price, SwapAmount, Symbol, Terms, Timestamp, U256, Volatility,
};
use firmquote_market::{
    Aggregation, CompositePrice, Deviation, Market, MarketWriter, Observation, PoolInputs, PriceInput, PriceRules,
    ReserveInput, Reserves, VolatilityParameters,
};
use firmquote_store::MemoryStore;
use pool::{NOW, bench, one_eth, sign, spec, terms};
use tokio::runtime::{Builder, Runtime};

/// A clock that advances by so many microseconds with every look at it: quotes and signatures expire while a bench
/// runs, as they do in service.
struct TickingClock(ManualClock, u64);

impl Clock for TickingClock {
    fn now(&self) -> Timestamp {
        self.0.advance_micros(self.1);
        self.0.now()
    }
}

fn ticking_desk(micros: u64) -> Desk {
    let clock = Arc::new(TickingClock(ManualClock::at(NOW), micros));
    Desk { clock, store: Arc::new(MemoryStore::new(100_000)), ..bench(vec![spec()]).desk }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn quote(c: &mut Criterion) {
    let (desk, runtime, request) = (ticking_desk(10_000), runtime(), one_eth());
    c.bench_function("desk: quote, memory store", |b| b.iter(|| runtime.block_on(desk.quote(&request)).unwrap()));
}

fn quote_then_sign(c: &mut Criterion) {
    // So small that the thousand or more that are outstanding at a time are sound beside each other.
    let request = QuoteRequest { amount: SwapAmount::ExactInput("1000000000000000".parse().unwrap()), ..one_eth() };
    let runtime = runtime();
    let mut group = c.benchmark_group("desk: quote, then sign, memory store");
    // The faster the clock, the fewer signatures there are that have not expired.
    for (name, micros) in [("few outstanding", 1_000_000), ("more than 1,000 outstanding", 10_000)] {
        let desk = ticking_desk(micros);
        group.bench_function(name, |b| {
            b.iter(|| {
                let quote = runtime.block_on(desk.quote(&request)).unwrap();
                runtime.block_on(desk.sign(&sign(quote.id, 1))).unwrap()
            });
        });
    }
    group.finish();
}

/// A signature that is refused because the client has as many outstanding as it may have: a client may repeat the request.
fn refused_signature(c: &mut Criterion) {
    let request = QuoteRequest { amount: SwapAmount::ExactInput("1000000000000000".parse().unwrap()), ..one_eth() };
    let runtime = runtime();
    let mut group = c.benchmark_group("desk: refused signature, memory store");
    for entries in [10, 10_000] {
        let mut desk = Desk { store: Arc::new(MemoryStore::new(100_000)), ..bench(vec![spec()]).desk };
        desk.pools[0].policy.outstanding.max_swaps_of_client = Some(entries);
        for number in 0..entries {
            let destination = Address::from_word(U256::from(number + 1).into());
            runtime.block_on(desk.quote_and_sign(&request, Terms::new(destination))).unwrap();
        }
        group.bench_function(format!("{entries} outstanding"), |b| {
            b.iter(|| runtime.block_on(desk.quote_and_sign(&request, terms(1))).unwrap_err());
        });
    }
    group.finish();
}

/// Live assets beside those of the pool, in pools of two.
const OTHERS: u8 = 48;
/// Ticks of a second, spread over all live assets.
const TICKS_PER_SECOND: u64 = 1_000;

fn rules() -> PriceRules {
    let wide = "9999".parse::<BasisPoints>().unwrap();
    PriceRules {
        max_age_ms: u64::MAX / 1_000_000,
        max_jump_per_second: wide,
        max_move_per_minute: wide,
        max_deviation: Deviation::from_basis_points(wide),
        max_confidence: Deviation::from_basis_points(wide),
        aggregation: Aggregation::Priority,
    }
}

/// A market in which ETH and USDC of the pool are live, and 48 assets of 24 other pools; of each pool, the volatility
/// of a pair is estimated.
fn live_market(market: &Arc<Market>) -> (MarketWriter, Vec<Symbol>) {
    let others = (0..OTHERS).map(|number| Symbol::new(&format!("A{number}")).unwrap());
    let symbols: Vec<_> = ["ETH", "USDC"].map(|name| Symbol::new(name).unwrap()).into_iter().chain(others).collect();
    let panels = symbols.iter().map(|symbol| (symbol.clone(), CompositePrice::new(rules(), 1))).collect();
    let one = PriceInput::Fixed("1".parse::<Price>().unwrap());
    let token = |(position, _): (u8, &PriceInput)| (Address::repeat_byte(position), U256::from(10).pow(U256::from(21)));
    let [floor, ceiling] = ["0.20", "2"].map(|text| text.parse::<Volatility>().unwrap());
    let rule = VolatilityParameters { half_life_seconds: 10, floor, ceiling };
    let pool = |id, prices: Vec<PriceInput>| PoolInputs {
        id,
        reserves: ReserveInput::Fixed(Reserves {
            balances: (0..).zip(&prices).map(token).collect(),
            ..Reserves::default()
        }),
        assets: (0..).map(Address::repeat_byte).zip(prices).collect(),
        pairs: vec![([0, 1], Some(rule))],
    };
    let live = |symbol: &Symbol| PriceInput::Live(symbol.clone());
    let mut pools = vec![pool(spec().id, vec![live(&symbols[0]), live(&symbols[1]), one.clone(), one])];
    for (number, pair) in (0_u8..).zip(symbols[2..].chunks(2)) {
        let id = PoolId { address: Address::repeat_byte(number), ..spec().id };
        pools.push(pool(id, pair.iter().map(live).collect()));
    }
    (MarketWriter::new(Arc::clone(market), panels, pools, NOW), symbols)
}

/// The same quote without price updates, and while a thread applies 1,000 prices a second of 50 assets.
fn quote_while_prices_tick(c: &mut Criterion) {
    let (desk, runtime, request) = (ticking_desk(10_000), runtime(), one_eth());
    let (live, symbols) = live_market(&desk.market);
    let hear = |tick: u64| {
        let symbol = &symbols[usize::try_from(tick).unwrap() % symbols.len()];
        let price = if symbol.as_str() == "ETH" { "2080.527" } else { "1" };
        let now = Timestamp::from_micros(NOW.as_micros() + tick * 1_000_000 / TICKS_PER_SECOND);
        live.receive([(symbol, 0, Observation::from_decimal(price, now))], now);
    };
    (0..100).for_each(hear);
    let mut group = c.benchmark_group("desk: quote, memory store, live prices");
    group.bench_function("silent", |b| b.iter(|| runtime.block_on(desk.quote(&request)).unwrap()));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let start = Instant::now();
            for tick in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                hear(tick);
                let next = Duration::from_micros((tick + 1) * 1_000_000 / TICKS_PER_SECOND);
                thread::sleep(next.saturating_sub(start.elapsed()));
            }
        });
        group.bench_function("1,000 ticks a second", |b| b.iter(|| runtime.block_on(desk.quote(&request)).unwrap()));
        is_over.store(true, Ordering::Relaxed);
    });
    group.finish();
}

criterion_group!(benches, quote, quote_then_sign, refused_signature, quote_while_prices_tick);
criterion_main!(benches);
