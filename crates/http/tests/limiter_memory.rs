//! The memory of a million limited addresses.

#[path = "../src/limits/address_block.rs"]
mod address_block;
#[path = "../src/limits/bounded_state_store.rs"]
mod bounded_state_store;

use std::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use address_block::AddressBlock;
use bounded_state_store::BoundedStateStore;
use governor::{
    Quota, RateLimiter,
    clock::{Clock, FakeRelativeClock},
    middleware::NoOpMiddleware,
};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

type Limiter = RateLimiter<
    AddressBlock,
    BoundedStateStore<AddressBlock>,
    FakeRelativeClock,
    NoOpMiddleware<<FakeRelativeClock as Clock>::Instant>,
>;

const MILLION: u64 = 1_000_000;

/// Returns the first address of the network with this number.
fn network(number: u64) -> AddressBlock {
    AddressBlock::from_address(IpAddr::V6(Ipv6Addr::from_bits(u128::from(number) << 64)))
}

#[test]
fn a_million_addresses_use_at_most_150_megabytes_and_release_them() {
    let (second, clock) = (Duration::from_secs(1), FakeRelativeClock::default());
    let profiler = dhat::Profiler::builder().testing().build();
    let entries = BoundedStateStore::new(1_000_000, second, second * 10);
    let quota = Quota::with_period(second).unwrap().allow_burst(10.try_into().unwrap());
    let limiter: Limiter = RateLimiter::new(quota, entries, clock.clone());
    let mut next = 0;
    let mut newcomer = || {
        next += 1;
        limiter.check_key(&network(next)).is_ok()
    };
    assert!((0..MILLION).all(|_| newcomer()));
    let full = dhat::HeapStats::get();
    // The table is full: these share one quota, and cost nothing.
    assert_eq!((0..MILLION).filter(|_| newcomer()).count(), 10);
    let beyond = dhat::HeapStats::get();
    clock.advance(second * 10);
    for _ in 0..64 {
        clock.advance(second);
        assert!(newcomer());
    }
    let later = dhat::HeapStats::get();
    drop(profiler);
    println!("{} bytes for a million addresses, {} at most", full.curr_bytes, full.max_bytes);
    assert!(beyond.max_bytes <= 150_000_000, "{}", beyond.max_bytes);
    // Other allocations of the process take some kilobytes.
    assert!(beyond.curr_bytes.abs_diff(full.curr_bytes) < 1_000_000, "{}", beyond.curr_bytes);
    assert!(later.curr_bytes < 2_000_000, "{}", later.curr_bytes);
}
