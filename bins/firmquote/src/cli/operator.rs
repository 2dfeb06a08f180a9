//! Commands for a service that runs, of one replica or several.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use firmquote_domain::{Address, ChainId, parse_address};

use super::client::chain_id;

/// A command that replicas perform.
#[derive(Subcommand)]
pub(crate) enum OperatorCommand {
    /// Pause a pool: nothing is quoted or signed for it until it is resumed
    Pause(PauseArguments),
    /// Resume a paused pool
    Resume(PauseArguments),
    /// Print whether each replica is ready, and what is wrong; the exit status is 1 if one is not
    Ready {
        #[command(flatten)]
        replicas: Replicas,
    },
    /// Print the pools of each replica: state, value, outstanding swaps, prices and reserves that are not trusted
    Overview {
        #[command(flatten)]
        replicas: Replicas,
    },
    /// Print what the swaps of each client earned in the last 24 hours, by pair
    Clients(ClientsArguments),
}

/// Which events to print.
#[derive(Args)]
pub(crate) struct EventsArguments {
    /// Continue with new events as they happen, on another replica when one ends
    #[arg(long)]
    pub(crate) follow: bool,
    /// Begin after the event with this `id`; by default with those from now on
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<String>,
    /// Only these kinds, such as signed,settled,position
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    #[command(flatten)]
    pub(crate) token: OperatorToken,
    #[command(flatten)]
    pub(crate) replicas: Replicas,
}

/// Which day to print.
#[derive(Args)]
pub(crate) struct ClientsArguments {
    /// Another day (UTC), such as 2026-11-21
    #[arg(long, value_name = "DATE")]
    pub(crate) day: Option<String>,
    #[command(flatten)]
    pub(crate) token: OperatorToken,
    #[command(flatten)]
    pub(crate) replicas: Replicas,
}

/// The pool to pause or to resume.
#[derive(Args)]
pub(crate) struct PauseArguments {
    /// The address of the pool
    #[arg(value_name = "POOL", value_parser = parse_address)]
    pub(crate) pool: Address,
    /// The chain; by default every chain that has a pool at this address
    #[arg(long, value_name = "ID", value_parser = chain_id)]
    pub(crate) chain_id: Option<ChainId>,
    #[command(flatten)]
    pub(crate) act: OperatorAct,
    #[command(flatten)]
    pub(crate) replicas: Replicas,
}

/// Who does something, and why.
#[derive(Args)]
pub(crate) struct OperatorAct {
    /// Why, for the log: at most 200 characters
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    #[command(flatten)]
    pub(crate) token: OperatorToken,
}

/// The token of the operator.
#[derive(Args)]
pub(crate) struct OperatorToken {
    /// A file with the operator's token in its first line, readable by its owner only; default: $FIRMQUOTE_ADMIN_TOKEN
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// The replicas to send a command to.
#[derive(Args)]
pub(crate) struct Replicas {
    /// The admin listeners of all replicas, such as 10.0.0.1:9090,10.0.0.2:9090
    #[arg(long, value_name = "ADDRESSES", value_delimiter = ',', required = true)]
    pub(crate) admin: Vec<String>,
}
