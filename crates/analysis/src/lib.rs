//! What a firm-quote server earned, from its own records.
#![doc = include_str!("../README.md")]

mod money;
mod prices;
mod report;

pub use money::Money;
pub use prices::PriceHistory;
pub use report::{Figures, Grouping, HORIZONS, LedgerSwaps, MarkOut, Report, ReportRow, TokenNames};
