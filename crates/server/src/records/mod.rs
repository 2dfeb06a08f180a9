//! Records of the service beside its log: how far its ledger is archived, the tape, and what both say about earnings.

mod earnings;
mod ledger;
mod ledger_archive;
mod tape;

pub(crate) use earnings::{LedgerEarnings, Records};
pub(crate) use ledger::Ledger;
pub(crate) use ledger_archive::ArchiveFollower;
pub(crate) use tape::{BlockTape, PoolBlocks, PriceTape, Tape};
