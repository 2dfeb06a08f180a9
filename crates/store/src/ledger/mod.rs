//! The ledger: every signature that leaves, in the order they left, one line of JSON each.
//!
//! In Redis it is a stream, beside another store it is a file. An entry is written before its signature leaves: the
//! ledger never misses one that left, and may hold one that got lost on its way, or one that a retry wrote twice.

mod entry;
#[cfg(feature = "ledger-file")]
mod file;
#[cfg(feature = "ledger-file")]
mod ledgered_store;
#[cfg(feature = "ledger-file")]
mod lines;

pub use entry::line;

#[cfg(feature = "ledger-file")]
pub use crate::ledger::{file::LedgerFile, ledgered_store::LedgeredStore, lines::LedgerFault};
