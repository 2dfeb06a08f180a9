//! What every store must do, as a suite that runs against any of them.
#![expect(clippy::missing_panics_doc, clippy::expect_used, reason = "a broken contract fails by panicking")]

mod binding;
mod find;
mod life;
mod limits;
mod pauses;
mod races;
mod sample;
mod volume;

use std::sync::Arc;

use firmquote_domain::Timestamp;

use self::sample::Replicas;
use crate::QuoteStore;
pub use pauses::check_pauses;
pub use sample::{sample_quote, sample_signed, sample_terms};

/// Holds one store, or several that share what they keep, to the contract of [`QuoteStore`], with quotes made at `now`.
///
/// A store with an expiry of its own needs the real time as `now`. Of several stores each must see at once what any of
/// them did; every step is taken through another one.
pub async fn check(replicas: &[Arc<dyn QuoteStore>], now: Timestamp) {
    for store in replicas {
        store.ping(now).await.expect("the store answers");
    }
    let store = &Replicas::new(replicas);
    find::check(store, now).await;
    life::check(store, now).await;
    binding::check(store, now).await;
    limits::check(store, now).await;
    volume::check(store, now).await;
    races::check(replicas, now).await;
}
