//! The store in Redis, against real servers that the tests start and break.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod books;
mod commit;
mod conformance;
mod expiry;
mod generation;
mod ledger;
mod one_master;
mod outage;
mod pauses;
mod privileges;
mod replication;
mod setup;
mod shape;
mod shared_hash;
mod threads;
mod totals;
