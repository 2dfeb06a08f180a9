//! The time to encode the calldata of one swap.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

#[path = "../tests/calldata/common/mod.rs"]
mod common;

use std::hint::black_box;

use common::{offer, signature, terms};
use criterion::{Criterion, criterion_group, criterion_main};
use firmquote_calldata::{decode, encode};

fn calldata(criterion: &mut Criterion) {
    let (offer, terms, signature) = (offer(), terms(), signature());
    criterion.bench_function("encode", |bench| {
        bench.iter(|| encode(black_box(&offer), black_box(&terms), black_box(&signature)));
    });
    let bytes = encode(&offer, &terms, &signature);
    criterion.bench_function("decode", |bench| bench.iter(|| decode(black_box(&bytes))));
}

criterion_group!(benches, calldata);
criterion_main!(benches);
