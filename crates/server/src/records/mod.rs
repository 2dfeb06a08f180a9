//! Records of the service beside its log: its ledger, the tape, and what both say about earnings.

mod earnings;
mod ledger;
mod tape;

pub(crate) use earnings::{LedgerEarnings, Records};
pub(crate) use ledger::Ledger;
pub(crate) use tape::{BlockTape, PoolBlocks, PriceTape, Tape};
