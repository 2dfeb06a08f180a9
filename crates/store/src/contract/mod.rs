//! The contract of all stores, as a test suite that runs against any implementation.
#![expect(
    clippy::missing_panics_doc,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken contract fails by panicking"
)]

mod binding;
mod book_changes;
mod bookings;
mod books;
mod estimates;
mod find;
mod levels;
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
pub use books::check_books;
pub use estimates::check_estimates;
pub use levels::check_levels;
pub use pauses::check_pauses;
pub use sample::{sample_booking, sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms};

/// Checks one store, or several that share their data, against the contract of [`QuoteStore`], with quotes created at
/// `now`.
///
/// The stores retain signed quotes for a minute to a year after their end. A store with an expiry of its own needs the
/// real time as `now`. Several stores must see each other's changes immediately; consecutive steps go through different
/// ones.
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
