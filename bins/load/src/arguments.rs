//! The command line of the harness.

use clap::{Args, Parser, Subcommand};

use crate::bare::Sizes;

/// Loads the release binary over HTTP and prints what it serves, beside bare handlers measured in the same run.
#[derive(Parser)]
#[command(name = "firmquote-load", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) plan: Plan,
}

/// What else the program does.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the bare handlers until killed; the harness starts this by itself
    #[command(hide = true)]
    Bare(Sizes),
}

/// What is measured.
#[derive(Args, Clone, Debug)]
pub(crate) struct Plan {
    /// Connections to measure with
    #[arg(long, value_delimiter = ',', default_value = "1,16,64")]
    pub(crate) connections: Vec<u16>,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=300))]
    pub(crate) seconds: u32,
    /// How often everything is measured, in turn; medians are shown
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=99))]
    pub(crate) rounds: u16,
    /// Processors of the service and of the bare handlers, as taskset takes them
    #[arg(long, default_value = "0")]
    pub(crate) server_processors: String,
    /// Processors of wrk and of Redis
    #[arg(long, default_value = "1")]
    pub(crate) client_processors: String,
    /// Leave Redis out
    #[arg(long)]
    pub(crate) without_redis: bool,
}
