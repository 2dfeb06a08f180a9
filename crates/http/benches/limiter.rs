//! The cost of checking a rate limit: `cargo bench -p firmquote-http --bench limiter`.
//!
//! One address that repeats requests, a million addresses in turn, and a million new addresses when the table is
//! full.
#![expect(clippy::unwrap_used, reason = "a benchmark")]

#[expect(unused_imports, reason = "its tests are not run here")]
#[path = "../src/limits/address_block.rs"]
mod address_block;
#[expect(dead_code, reason = "only failed logins are given back")]
#[path = "../src/limits/bounded_state_store.rs"]
mod bounded_state_store;

use std::{
    hint::black_box,
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use address_block::AddressBlock;
use bounded_state_store::BoundedStateStore;
use criterion::{Criterion, criterion_group, criterion_main};
use governor::{Quota, RateLimiter, clock::MonotonicClock, middleware::StateInformationMiddleware};

type Limiter = RateLimiter<AddressBlock, BoundedStateStore<AddressBlock>, MonotonicClock, StateInformationMiddleware>;

const MILLION: u64 = 1_000_000;

/// A quota that is used up and replenished during the measurement, and entries that do not expire before its end.
fn limiter() -> Limiter {
    let (interval, window) = (Duration::from_secs(1), Duration::from_secs(1_000));
    let quota = Quota::with_period(interval).unwrap().allow_burst(1_000.try_into().unwrap());
    RateLimiter::new(quota, BoundedStateStore::new(1_000_000, interval, window), MonotonicClock)
}

/// Returns the first address of the network with this number.
fn network(number: u64) -> AddressBlock {
    AddressBlock::from_address(IpAddr::V6(Ipv6Addr::from_bits(u128::from(number) << 64)))
}

/// Returns the numbers below a million in an order that caches cannot predict.
fn scattered(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % MILLION
}

fn one_address(c: &mut Criterion) {
    let (limiter, address) = (limiter(), network(7));
    c.bench_function("limiter: one address", |b| b.iter(|| limiter.check_key(black_box(&address)).is_ok()));
}

fn a_million_addresses(c: &mut Criterion) {
    let limiter = limiter();
    assert!((0..MILLION).all(|number| limiter.check_key(&network(number)).is_ok()));
    let mut turn = 0;
    c.bench_function("limiter: a million addresses", |b| {
        b.iter(|| {
            turn += 1;
            limiter.check_key(&network(scattered(turn))).is_ok()
        });
    });
    c.bench_function("limiter: newcomers beyond a million", |b| {
        b.iter(|| {
            turn += 1;
            limiter.check_key(&network(MILLION + turn)).is_ok()
        });
    });
}

criterion_group!(benches, one_address, a_million_addresses);
criterion_main!(benches);
