//! The cost of digest and guard in addition to a signature of libsecp256k1.
#![expect(clippy::unwrap_used, reason = "a bench may panic")]

#[path = "../tests/signer/common/mod.rs"]
mod common;

use std::{hint::black_box, sync::Arc};

use common::{pool, request};
use criterion::{Criterion, criterion_group, criterion_main};
use firmquote_domain::GoodUntilKind;
use firmquote_signer::{DomainSeparator, LocalSigner, PoolSigner, Signer, TypedMessage, digest, recover};
use secp256k1::{Message, Secp256k1, SecretKey};

const KEY: [u8; 32] = [7; 32];

fn sign(criterion: &mut Criterion) {
    let pool = Arc::new(pool(GoodUntilKind::Verified));
    let (separator, request) = (DomainSeparator::from_pool(&pool), request());
    let local = Arc::new(LocalSigner::from_hex(&alloy_primitives::hex::encode(KEY)).unwrap());
    let signer = PoolSigner::new(pool, Arc::<LocalSigner>::clone(&local));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();

    let mut context = Secp256k1::signing_only();
    context.seeded_randomize(&[9; 32]);
    let key = SecretKey::from_byte_array(KEY).unwrap();
    let message = Message::from_digest(digest(&separator, &request.offer).0);
    let signature = runtime.block_on(signer.sign(&request)).unwrap();

    criterion.bench_function("digest", |bench| bench.iter(|| digest(&separator, black_box(&request.offer))));
    criterion.bench_function("guard", |bench| bench.iter(|| signer.check(black_box(&request))));
    criterion.bench_function("bare signature", |bench| {
        bench.iter(|| context.sign_ecdsa_recoverable(black_box(message), &key));
    });
    criterion.bench_function("digest and signature", |bench| {
        bench.iter(|| runtime.block_on(local.sign(&TypedMessage::from_offer(&separator, black_box(&request.offer)))));
    });
    criterion.bench_function("guard, digest and signature", |bench| {
        bench.iter(|| runtime.block_on(signer.sign(black_box(&request))));
    });
    criterion.bench_function("new blinded context", |bench| {
        bench.iter(|| Secp256k1::signing_only().seeded_randomize(black_box(&[9; 32])));
    });
    criterion.bench_function("recover", |bench| {
        bench.iter(|| recover(digest(&separator, black_box(&request.offer)), &signature));
    });
}

criterion_group!(benches, sign);
criterion_main!(benches);
