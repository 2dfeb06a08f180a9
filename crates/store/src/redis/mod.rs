//! The store in Redis: for any number of replicas, over one server, Sentinel or a Cluster.
//!
//! A quote costs one round trip, a signature two, and one more under limits in US dollars. Each step that has to be atomic
//! is one script on the node of its keys; what makes two signatures for one quote impossible stands in `scripts/`. The shape of the data stands in `keys.rs`
//! and `stored.rs`.

mod address;
mod board;
mod codec;
mod config;
mod connection;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod generation;
mod keys;
mod ledger;
mod pauses;
mod quotes;
mod record;
mod scripts;
mod store;
mod survey;
mod volume;

pub use address::{ALLOWED_ADDRESSES, InvalidAddress, RedisAddress};
pub use board::{Board, Posted};
pub use config::{InvalidRedisConfig, RedisConfig, RedisCredentials, Servers, TlsFiles};
pub use keys::KeyPrefix;
pub use ledger::LedgerEntry;
pub use store::RedisStore;
pub use survey::ServerSurvey;
