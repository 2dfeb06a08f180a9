//! The rules of all stores, as a test suite that runs against any implementation.
#![expect(clippy::missing_panics_doc, clippy::expect_used, clippy::panic, reason = "a broken rule fails by panicking")]

/// Checks rules one after the other, each named by its function.
macro_rules! check_rules {
    ($stores:expr, $now:expr; $($rule:ident),+ $(,)?) => {
        $({
            let _named = $crate::conformance::RuleName(stringify!($rule));
            $rule($stores, $now).await;
        })+
    };
}

mod book_changes;
mod bookings;
mod books;
mod estimates;
mod events;
mod extreme_values;
mod find;
mod hedges;
mod levels;
mod lifetimes;
mod pauses;
mod races;
mod sample;
mod signing;
mod swap_history;
mod volume;

use std::{sync::Arc, thread};

use firmquote_domain::Timestamp;

use self::sample::Replicas;
use crate::Store;
pub use sample::{
    SampleCommitment, sample_booking, sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms,
};

/// The rule that is being checked; says so if the check panics.
struct RuleName(&'static str);

impl Drop for RuleName {
    #[expect(clippy::print_stderr, reason = "test harnesses show it with the failed test")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("The store breaks the rule: {}", self.0.replace('_', " "));
        }
    }
}

/// Checks one store, or several that share their data, against the documentation of [`Store`], with quotes created at
/// `now`.
///
/// The stores hold at least 10,000 quotes, and retain signed ones for a minute to a year after their end. A store with
/// an expiry of its own needs the real time as `now`. Several stores must see each other's changes immediately;
/// consecutive steps go through different ones. Pools and estimates of other names are not touched. A rule
/// that is broken fails by panicking, and is named on the standard error.
pub async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    for store in replicas {
        store.ping(now).await.expect("the store answers");
    }
    let store = &Replicas::new(replicas);
    find::check(store, now).await;
    lifetimes::check(store, now).await;
    signing::check(store, now).await;
    extreme_values::check(store, now).await;
    swap_history::check(store, now).await;
    volume::check(store, now).await;
    races::check(replicas, now).await;
    books::check(replicas, now).await;
    levels::check(replicas, now).await;
    pauses::check(replicas, now).await;
    estimates::check(replicas, now).await;
    events::check(replicas, now).await;
    hedges::check(replicas, now).await;
}
