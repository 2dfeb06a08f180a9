//! How many heap allocations a quote makes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "signing is tested elsewhere")]
#[path = "desk/pool.rs"]
mod pool;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[tokio::test(flavor = "current_thread")]
async fn a_quote_through_the_desk_makes_at_most_four_allocations() {
    const QUOTES: u64 = 100;
    let desk = pool::bench(vec![pool::spec()]).desk;
    let request = pool::one_eth();
    desk.quote(&request).await.unwrap();
    let profiler = dhat::Profiler::builder().testing().build();
    for _ in 0..QUOTES {
        desk.quote(&request).await.unwrap();
    }
    let made = dhat::HeapStats::get().total_blocks;
    drop(profiler);
    assert!(made <= 4 * QUOTES, "{made} allocations in {QUOTES} quotes");
    println!("{made} allocations in {QUOTES} quotes");
}
