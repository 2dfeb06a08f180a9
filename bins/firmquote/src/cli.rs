//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use firmquote_http::{ClientName, Username};

/// A self-hosted server of firm swap quotes (RFQ) and of the signatures that a pool contract honours.
#[derive(Parser)]
#[command(name = "firmquote", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve quotes and signatures; without a file, those of a built-in demo pool
    Serve {
        /// The configuration (TOML); every key can be overridden by a variable FIRMQUOTE__SECTION__KEY
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Read a configuration, show what it means, and warn; nothing is started
    Check {
        /// The configuration (TOML)
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
    },
    /// Signing keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Credentials of clients
    #[command(subcommand)]
    Credential(CredentialCommand),
    /// Start the built-in demo, show an exchange of quotes and signatures, and stop
    Demo,
}

/// What to do about signing keys.
#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a signing key and show it once, with its account and the lines for the configuration
    New,
}

/// What to do about credentials.
#[derive(Subcommand)]
pub(crate) enum CredentialCommand {
    /// Make a credential and show it once, with the lines for the configuration
    New {
        /// What the operator calls the client
        #[arg(long, value_name = "NAME", value_parser = ClientName::new)]
        client: ClientName,
        /// Make a password for this username (the deprecated Basic scheme) instead of an API key
        #[arg(long, value_name = "NAME", value_parser = Username::new)]
        username: Option<Username>,
    },
}
