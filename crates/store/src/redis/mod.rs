//! The store in Redis: for any number of replicas, over one server, Sentinel or a Cluster.
//!
//! A quote costs one round trip, a signature two, and one more under limits in US dollars. Each step that has to be atomic
//! is one script on the node of its keys; what makes two signatures for one quote impossible stands in `scripts/`. The shape of the data stands in `keys.rs`
//! and `stored.rs`.

mod address;
mod board;
mod config;
mod connection;
mod dial;
mod durable;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod generation;
mod keeper;
mod keys;
mod ledger;
mod link;
mod links;
mod on_record;
mod pauses;
mod scripts;
mod spending;
mod store;
mod stored;
mod survey;
mod tls;

pub use address::{ALLOWED_ADDRESSES, InvalidAddress, RedisAddress};
pub use board::{Board, Posted};
pub use config::{InvalidRedisConfig, RedisConfig, RedisCredentials, Servers};
pub use keys::KeyPrefix;
pub use ledger::LedgerEntry;
pub use store::RedisStore;
pub use survey::ServerSurvey;
pub use tls::TlsFiles;
