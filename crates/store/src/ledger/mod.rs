//! The ledger: every released signature and the outcome of its swap, in order, as one line of JSON each.
//!
//! It is a stream in Redis, and a file next to any other store. An entry is written before its signature leaves the
//! service: the ledger never misses such a signature, but may contain one that was never delivered, or one that a retry
//! wrote twice.

mod entry;
mod event;
mod file;
mod follower;
mod lines;
mod reader;
mod relevance;
mod restore;

pub(crate) use entry::Text;
pub use entry::{line, outcome_line};

/// The file of the operator's stream, beside the ledger file.
pub const OPERATOR_FILE: &str = "operator.jsonl";

pub use crate::ledger::{
    event::LedgerEvent,
    file::LedgerFile,
    follower::{LedgerFollower, LedgerPosition},
    lines::LedgerFault,
    reader::{LedgerLine, LedgerReader},
    restore::{RestoredLedger, restore},
};
