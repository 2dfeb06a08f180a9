//! The books of the pools: outstanding swaps, as quotes and signatures take it into account.

mod ambiguity;
mod attribution;
mod candidates;
mod guarantee;
mod limit_refusals;
mod match_quality;
mod observed;
mod other_swaps;
mod outcome;
mod outcome_log;
mod pool_book;
mod pre_trade_check;
mod recently_executed;
mod refresh;
mod settlement;
mod soundness;

pub use observed::{CountedSwaps, ExecutedSwap, ObservedBlock};
pub(crate) use other_swaps::conservative_reserves;
pub use pool_book::PoolBook;
pub(crate) use pre_trade_check::PreTradeCheck;
pub use settlement::ObservationReport;
pub(crate) use soundness::check_soundness;
