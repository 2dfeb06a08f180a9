//! What a firm-quote server earned, from its own records.
#![doc = include_str!("../README.md")]

mod backtest;
mod money;
mod prices;
mod reconcile;
mod recording;
mod replay;
mod report;
mod simulate;

pub use backtest::{Backtest, BacktestRow, ExpectedResult};
pub use money::Money;
pub use prices::PriceHistory;
pub use reconcile::{
    BalanceFlows, PoolReconciliation, TokenReconciliation, ValueReconciliation, balance_flows, reconcile,
};
pub use recording::{
    BlockBalances, BlockHistory, DeskEncoder, InvalidConfiguration, RecordedConfiguration, TapeRecord,
    UnexplainedChanges,
};
pub use replay::{Difference, PoolWithVolatilities, ReplayError, ReplayReport, replay};
pub use report::{
    AssetFlows, FeeParts, Figures, Grouping, HORIZONS, HedgeReport, LedgerSwaps, MarkOut, OptionFigures, Report,
    ReportRow, TokenNames, fee_parts,
};
pub use simulate::{
    InvalidPrices, PricePaths, SimulatedDay, SimulatedPool, Simulation, SimulationError, SimulationResult, Taker,
    TakerStrategy,
};
