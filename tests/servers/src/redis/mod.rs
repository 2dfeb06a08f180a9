//! Redis in every topology: one server, a master under Sentinel, a Cluster.
//!
//! Servers are child processes running Debian's `redis-server`, accessed through `redis-cli`.

mod certificates;
mod client;
mod cluster;
mod configuration;
mod options;
mod program;
mod sentinels;
mod server;
mod slots;
mod slow_fsync;
mod url;

pub use certificates::Certificates;
pub use cluster::Cluster;
pub use options::{Access, Options};
pub use sentinels::Sentinels;
pub use server::Server;
