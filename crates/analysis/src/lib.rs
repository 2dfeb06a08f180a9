//! What a firm-quote server earned, from its own records.
#![doc = include_str!("../README.md")]

mod money;
mod report;

pub use money::Money;
pub use report::{Figures, Grouping, LedgerSwaps, Report, ReportRow, TokenNames};
