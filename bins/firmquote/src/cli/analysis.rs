//! What is analyzed: recorded trading, and simulated.

use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};
use firmquote_analysis::Grouping;
use firmquote_domain::Usd;

use super::period::Period;

/// What is reported.
#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Directories of tapes, for the mark-outs of swaps; they need --config
    #[arg(value_name = "DIR", requires = "config")]
    pub(crate) tapes: Vec<PathBuf>,
    /// The ledger: a file, or the directory of an archive; by default that of the configuration
    #[arg(long, value_name = "PATH", required_unless_present = "config")]
    pub(crate) ledger: Option<PathBuf>,
    /// The configuration (TOML): its ledger, and the symbols of its tokens. No signing key is read
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) period: Period,
    /// What to group by, in this order: client, pool, pair, day, hour, size
    #[arg(long, value_name = "GROUPING", value_delimiter = ',')]
    pub(crate) by: Vec<Grouping>,
    /// The form of the report
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
}

/// The form of a report.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people: dollars and cents, rounded down
    Table,
    /// For spreadsheets: exact amounts
    Csv,
    /// For programs: exact amounts as strings
    Json,
}

/// What is compared.
#[derive(Args)]
pub(crate) struct BacktestArguments {
    /// Directories of tapes, of one replica or of several
    #[arg(value_name = "DIR", required = true)]
    pub(crate) tapes: Vec<PathBuf>,
    /// The other configuration (TOML). No signing key is read
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,
    /// The ledger of the executed swaps: a file, or the directory of an archive
    #[arg(long, value_name = "PATH")]
    pub(crate) ledger: PathBuf,
    /// How long after its block a swap is valued, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = value_parser!(u32).range(..=86_400))]
    pub(crate) horizon_seconds: u32,
    /// The form of the result
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: BacktestFormat,
}

/// The form of the result of a back test.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BacktestFormat {
    /// For people: dollars and cents, rounded down
    Table,
    /// For programs: exact amounts as strings
    Json,
}

/// What is simulated.
#[derive(Args)]
pub(crate) struct SimulateArguments {
    /// The configuration (TOML): its pools with their prices. No signing key is read, and no node is queried
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,
    /// The number of days, with random prices
    #[arg(long, default_value = "1", value_parser = value_parser!(u16).range(1..=366), conflicts_with = "prices")]
    pub(crate) days: u16,
    /// The seed of prices and takers: the same one gives the same swaps
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
    /// Prices instead of random ones: lines of Unix seconds, a symbol and US dollars, in the order of time
    #[arg(long, value_name = "CSV")]
    pub(crate) prices: Option<PathBuf>,
    /// The value of a pool whose reserves are read from a chain: its reserves are as its weights say
    #[arg(long, value_name = "USD", default_value = "1000000")]
    pub(crate) pool_value_usd: Usd,
    /// Trades that uninformed takers consider in a day, together
    #[arg(long, value_name = "TRADES", default_value = "2000", value_parser = value_parser!(u32).range(..=86_400))]
    pub(crate) uninformed: u32,
    /// The mean cost in basis points that they accept
    #[arg(long, value_name = "BPS", default_value = "15", value_parser = value_parser!(u32).range(1..=1_000))]
    pub(crate) patience_bps: u32,
    /// Trades that a taker considers in a day who knows the prices earlier
    #[arg(long, value_name = "TRADES", default_value = "2000", value_parser = value_parser!(u32).range(..=86_400))]
    pub(crate) informed: u32,
    /// How much earlier, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = value_parser!(u32).range(..=3_600))]
    pub(crate) lead_seconds: u32,
    /// Trades that a taker considers in a day who only trades where the pool pays to be rebalanced
    #[arg(long, value_name = "TRADES", default_value = "2000", value_parser = value_parser!(u32).range(..=86_400))]
    pub(crate) rebalancing: u32,
    /// The largest trade, as a value
    #[arg(long, value_name = "USD", default_value = "20000")]
    pub(crate) max_trade_usd: Usd,
    /// The seconds between two blocks
    #[arg(long, value_name = "SECONDS", default_value = "12", value_parser = value_parser!(u32).range(1..=60))]
    pub(crate) block_seconds: u32,
    /// A directory for a new tape and a new ledger, as a service writes them
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}
