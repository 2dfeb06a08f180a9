//! What each call of the port costs, in memory and in Redis on this machine, one at a time and 64 at once:
//! `cargo bench -p firmquote-store`. Starts a `redis-server` of its own.
#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark")]

#[path = "../tests/store/calls.rs"]
#[expect(dead_code, reason = "tests need more of it")]
mod calls;
#[path = "../tests/store/redis/setup.rs"]
#[expect(dead_code, reason = "tests need more of it")]
mod setup;

use std::{hint::black_box, sync::Arc, time::Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use firmquote_domain::{Address, PoolId, Quote, QuoteId, Timestamp, U256, Usd};
use firmquote_store::{CommitOutcome, MemoryStore, Store, VolumeCharge, conformance::SampleCommitment};
use firmquote_test_servers::redis::{Options, Server};
use setup::{connect, now, server_config, signed};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinSet,
};

/// Calls that are under way at once.
const TOGETHER: u64 = 64;

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
}

/// Quotes with ids of their own, without end.
fn quotes() -> impl Iterator<Item = Quote> {
    let start = now();
    let sample = setup::quote_at(0, start);
    (0_u64..).map(move |number| {
        let mut id = [0; 16];
        for (byte, part) in id.iter_mut().zip(number.to_le_bytes().into_iter().chain(start.as_micros().to_le_bytes())) {
            *byte = part;
        }
        Quote { id: QuoteId::from_bytes(id), ..sample.clone() }
    })
}

/// Everything that a signature takes, beside limits that are never reached.
async fn commit(store: &dyn Store, commitment: &SampleCommitment, now: Timestamp) {
    let outcome = commitment.try_commit(store, now).await.expect("answered");
    assert!(matches!(black_box(&outcome), CommitOutcome::Recorded { .. }), "{outcome:?}");
}

/// The signature of a stored quote.
fn commitment(quote: &Quote) -> SampleCommitment {
    let mut commitment = SampleCommitment::new(signed(quote, 1));
    commitment.booking.limits.pool_outflow = Some(U256::MAX);
    commitment
}

/// A signature with volume at the pool of that byte.
fn charged(pool: u8, now: Timestamp) -> SampleCommitment {
    let mut commitment = SampleCommitment::fresh(now);
    let quote = &commitment.signed.quote;
    let (pool, limit) = (PoolId { address: Address::repeat_byte(pool), ..quote.pool }, Some(Usd::new(u64::MAX)));
    let client = quote.client.clone();
    commitment.charge = Some(VolumeCharge { pool, client, value: Usd::new(1), pool_limit: limit, client_limit: limit });
    commitment
}

fn measure(c: &mut Criterion, name: &str, runtime: &Runtime, store: &Arc<dyn Store>) {
    let mut quotes = quotes();
    let mut group = c.benchmark_group(name);
    group.bench_function("insert", |b| {
        b.iter(|| {
            let quote = quotes.next().expect("without end");
            runtime.block_on(store.insert(&quote, now())).expect("inserted");
        });
    });
    group.bench_function("insert, prepare and commit", |b| {
        b.iter(|| {
            let quote = quotes.next().expect("without end");
            runtime.block_on(async {
                store.insert(&quote, now()).await.expect("inserted");
                let commitment = commitment(&quote);
                commitment.try_prepare(&**store, now()).await.expect("answered");
                commit(&**store, &commitment, now()).await;
            })
        });
    });
    let start = now();
    group.bench_function("commit, with trades in 1 second", |b| {
        b.iter(|| runtime.block_on(commit(&**store, &charged(1, start), start)))
    });
    for second in 0..60 {
        let now = start.plus_seconds(second);
        runtime.block_on(commit(&**store, &charged(2, now), now));
    }
    let last = start.plus_seconds(60);
    group.bench_function("commit, with trades in 61 seconds", |b| {
        b.iter(|| runtime.block_on(commit(&**store, &charged(2, last), last)))
    });
    group.throughput(Throughput::Elements(TOGETHER));
    group.bench_function("insert, 64 at once", |b| {
        b.iter_custom(|rounds| {
            let mut batches: Vec<Vec<Quote>> = (0..TOGETHER).map(|_| Vec::new()).collect();
            for batch in &mut batches {
                batch.extend(quotes.by_ref().take(usize::try_from(rounds).expect("few rounds")));
            }
            let start = Instant::now();
            runtime.block_on(async {
                let mut tasks = JoinSet::new();
                for batch in batches {
                    let store = Arc::clone(store);
                    tasks.spawn(async move {
                        for quote in batch {
                            store.insert(&quote, now()).await.expect("inserted");
                        }
                    });
                }
                tasks.join_all().await;
            });
            start.elapsed()
        });
    });
    group.finish();
}

fn memory(c: &mut Criterion) {
    measure(c, "store: memory", &runtime(), &(Arc::new(MemoryStore::new(100_000_000)) as Arc<dyn Store>));
}

fn redis(c: &mut Criterion) {
    let (runtime, server) = (runtime(), Server::start(Options::default()));
    let store: Arc<dyn Store> = Arc::new(runtime.block_on(connect(&server_config(&server))));
    measure(c, "store: Redis", &runtime, &store);
    let mut quotes = quotes();
    c.bench_function("store: Redis/commit of a stored quote", |b| {
        b.iter_custom(|rounds| {
            let quotes: Vec<Quote> = quotes.by_ref().take(usize::try_from(rounds).expect("few rounds")).collect();
            for quote in &quotes {
                runtime.block_on(store.insert(quote, now())).expect("inserted");
            }
            let start = Instant::now();
            for quote in &quotes {
                runtime.block_on(commit(&*store, &commitment(quote), now()));
            }
            start.elapsed()
        });
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = memory, redis
}
criterion_main!(benches);
