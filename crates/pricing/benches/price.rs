//! The time of one price, by size and decimals: `cargo bench -p firmquote-pricing`.
#![expect(clippy::unwrap_used, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use firmquote_domain::{
    Amount, BasisPoints, Decimals, FeeCurve, GoodUntilKind, PoolConstant, SwapAmount, Volatility, Weight,
};
use firmquote_pricing::{PairAsset, PairState, PreparedPair, fee, input_for, output_for, price, would_execute};

fn side(reserve: &str, price: &str, weight: u16, decimals: u8) -> PairAsset {
    PairAsset {
        reserve: reserve.parse().unwrap(),
        price: price.parse().unwrap(),
        weight: Weight::new(weight).unwrap(),
        decimals: Decimals::new(decimals).unwrap(),
    }
}

/// The assets of a live pool, and one with 8 decimals.
fn assets() -> [(&'static str, PairAsset); 4] {
    [
        ("ETH/18", side("476877882758190421102", "2080.527", 79, 18)),
        ("USDC/6", side("417751254142", "1", 188, 6)),
        ("DAI/18", side("309714519494182375269440", "1", 250, 18)),
        ("WBTC/8", side("512345678", "97123.45", 120, 8)),
    ]
}

/// Returns every pair of them in both directions, with trades of a millionth, a thousandth and a tenth of the reserve.
fn cases() -> Vec<(String, PairState, Amount)> {
    let mut cases = Vec::new();
    for (input_name, input) in assets() {
        for (output_name, output) in assets().into_iter().filter(|(name, _)| *name != input_name) {
            for (size, share) in [("1e-6", 1_000_000_u64), ("1e-3", 1_000), ("1e-1", 10)] {
                let k = "0.06".parse::<PoolConstant>().unwrap();
                let pair = PairState {
                    input,
                    output,
                    k,
                    fee: BasisPoints::from_hundredths(863).unwrap(),
                    max_improvement: None,
                };
                let amount = Amount::new(input.reserve.base_units() / firmquote_domain::U256::from(share)).unwrap();
                cases.push((format!("{input_name} to {output_name}, {size}"), pair, amount));
            }
        }
    }
    cases
}

/// Measures the solution alone, and with the contract's check that a verified pool adds.
fn each_case(c: &mut Criterion) {
    for (kind, name) in [(GoodUntilKind::Plain, "price, plain pool"), (GoodUntilKind::Verified, "price, verified pool")]
    {
        let mut group = c.benchmark_group(name);
        for (name, pair, amount) in cases() {
            group.bench_with_input(BenchmarkId::from_parameter(name), &(pair, amount), |b, (pair, amount)| {
                b.iter(|| price(black_box(pair), kind, SwapAmount::ExactInput(*amount)));
            });
        }
        group.finish();
    }
}

/// Measures the solution alone for a pair whose shared part is cached, in both directions: the work for a quote.
fn prepared(c: &mut Criterion) {
    let mut group = c.benchmark_group("price, prepared pair");
    for (name, pair, amount) in cases() {
        let pair = PreparedPair::new(pair);
        let output = pair.output_for(amount).unwrap();
        for (side, fixed) in [("input", SwapAmount::ExactInput(amount)), ("output", SwapAmount::ExactOutput(output))] {
            group.bench_function(BenchmarkId::new(&name, side), |b| {
                b.iter(|| black_box(&pair).price(GoodUntilKind::Plain, black_box(fixed)));
            });
        }
    }
    group.finish();
}

fn parts(c: &mut Criterion) {
    let (_, pair, amount) = cases().swap_remove(1);
    let output = output_for(&pair, amount).unwrap();
    let mut group = c.benchmark_group("parts, ETH to USDC");
    group.bench_function("output for input", |b| b.iter(|| output_for(black_box(&pair), amount)));
    group.bench_function("input for output", |b| b.iter(|| input_for(black_box(&pair), output)));
    group.bench_function("mirror of the contract's check", |b| {
        b.iter(|| would_execute(black_box(&pair), amount, output))
    });
    let annual_volatility = "0.60".parse::<Volatility>().unwrap();
    let curve = FeeCurve { base: BasisPoints::from_hundredths(500).unwrap(), annual_volatility };
    let range = [amount.base_units() >> 10, amount.base_units()].map(|units| Amount::new(units).unwrap());
    let prepared = PreparedPair::new(pair);
    group.bench_function("levels", |b| b.iter(|| black_box(&prepared).levels(GoodUntilKind::Verified, range, 16)));
    group.bench_function("fee", |b| b.iter(|| fee(black_box(&curve), 12, 60)));
    group.finish();
}

criterion_group!(benches, parts, prepared, each_case);
criterion_main!(benches);
