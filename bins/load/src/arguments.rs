//! The command line of the harness.

use clap::{Args, Parser, Subcommand};

use crate::{baseline::Sizes, contention::Contention, levels::Levels};

/// Load-tests the release binary over HTTP and compares it with bare handlers measured in the same run.
#[derive(Parser)]
#[command(name = "firmquote-load", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) plan: Plan,
}

/// Other measurements, and an internal subcommand.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure signing with many concurrent takers on three replicas that share a pool
    Contention(Contention),
    /// Measure streams of price levels with many subscribers, moving prices and concurrent quotes
    Levels(Levels),
    /// Serve the bare handlers until killed; started by the harness
    #[command(hide = true)]
    Bare(Sizes),
}

/// The measurements to run.
#[derive(Args, Clone, Debug)]
pub(crate) struct Plan {
    /// Connection counts to measure with
    #[arg(long, value_delimiter = ',', default_value = "1,16,64")]
    pub(crate) connections: Vec<u16>,
    /// Duration of each measurement in seconds
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=300))]
    pub(crate) seconds: u32,
    /// Number of rounds; the tables show medians
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=99))]
    pub(crate) rounds: u16,
    /// Processors of the service and of the bare handlers, in taskset syntax
    #[arg(long, default_value = "0")]
    pub(crate) server_processors: String,
    /// Processors of wrk and of Redis
    #[arg(long, default_value = "1")]
    pub(crate) client_processors: String,
    /// Skip the measurements with Redis
    #[arg(long)]
    pub(crate) without_redis: bool,
}
