//! Records of the service beside its log: how far its ledger is archived, and the tape.

mod ledger_archive;
mod tape;

pub(crate) use ledger_archive::ArchiveFollower;
pub(crate) use tape::{PriceTape, Tape};
