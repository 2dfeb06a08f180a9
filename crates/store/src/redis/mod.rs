//! The Redis store: for any number of replicas, on one server, with Sentinel or on a Cluster.
//!
//! A quote costs one round trip, its signature one, two where another replica made the quote, and one more with a signing
//! service. All keys are on one node, and the scripts in `scripts/` prevent two signatures for one quote.
//! `keys.rs` and `codec.rs` define the format of the data.

mod book;
mod cluster_nodes;
mod codec;
mod commit;
mod config;
mod connection;
mod estimates;
mod events;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod generation;
mod keys;
mod ledger;
mod ledger_archive;
mod levels;
mod pauses;
mod privileges;
mod quotes;
mod recent_quotes;
mod reply;
mod samples;
mod scripts;
mod shared_hash;
mod store;
mod survey;
mod swap_index;
mod url;
mod volume;

pub use config::{InvalidRedisConfig, RedisConfig, RedisCredentials, Servers, TlsFiles};
pub use keys::KeyPrefix;
pub use ledger::{LedgerCursor, LedgerId};
pub use ledger_archive::{ArchiveStatus, LedgerSection};
pub use shared_hash::{SharedHash, SharedHashEvent};
pub use store::RedisStore;
pub use survey::ServerSurvey;
pub use url::{ALLOWED_ADDRESSES, InvalidAddress, RedisAddress};
