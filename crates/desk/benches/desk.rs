//! What a quote and a signature cost through the desk with the memory store: `cargo bench -p firmquote-desk`.
#![expect(clippy::unwrap_used, reason = "a benchmark")]

#[expect(dead_code, reason = "tests move the clock and the market")]
#[path = "../tests/desk/pool.rs"]
mod pool;

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use firmquote_desk::Desk;
use firmquote_domain::{Clock, ManualClock, Timestamp};
use firmquote_store::MemoryStore;
use pool::{NOW, bench, one_eth, sign, spec};
use tokio::runtime::{Builder, Runtime};

/// A desk whose clock advances by 10 ms with every look at it: quotes expire while it runs, as they do in service.
struct TickingClock(ManualClock);

impl Clock for TickingClock {
    fn now(&self) -> Timestamp {
        self.0.advance_micros(10_000);
        self.0.now()
    }
}

fn ticking_desk() -> Desk {
    let clock = Arc::new(TickingClock(ManualClock::at(NOW)));
    Desk { clock, store: Arc::new(MemoryStore::new(100_000)), ..bench(vec![spec()]).desk }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().unwrap()
}

fn quote(c: &mut Criterion) {
    let (desk, runtime, request) = (ticking_desk(), runtime(), one_eth());
    c.bench_function("desk: quote, memory store", |b| b.iter(|| runtime.block_on(desk.quote(&request)).unwrap()));
}

fn quote_then_sign(c: &mut Criterion) {
    let (desk, runtime, request) = (ticking_desk(), runtime(), one_eth());
    c.bench_function("desk: quote, then sign, memory store", |b| {
        b.iter(|| {
            let quote = runtime.block_on(desk.quote(&request)).unwrap();
            runtime.block_on(desk.sign(&sign(quote.id, 1))).unwrap()
        });
    });
}

criterion_group!(benches, quote, quote_then_sign);
criterion_main!(benches);
