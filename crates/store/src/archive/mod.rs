//! The archive of a ledger: a directory that keeps both streams as daily files, however long the ledger keeps them.
//!
//! `2026-11-21.jsonl` has the entries of a day in UTC, `cursor.json` the position in the stream up to which they are
//! archived; the operator's stream is in `operator`, in the same form. Entries are on disk before the cursor says so; what
//! a crash leaves beyond the cursor is recognized and not written again.

mod directory;
mod error;
mod file;
#[cfg(feature = "redis")]
mod stream;

#[cfg(feature = "redis")]
pub use self::stream::StreamArchiver;
pub use self::{
    directory::{Archive, OPERATOR_DIRECTORY},
    error::{ArchiveError, ArchiveGap, ArchiveWarning},
    file::FileArchiver,
};
