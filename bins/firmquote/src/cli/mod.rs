//! The command line.

mod analysis;
mod client;
mod operator;
mod period;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use firmquote_http::{ClientName, OperatorName, Role, Username};

pub(crate) use analysis::{BacktestArguments, BacktestFormat, ReportArguments, ReportFormat, SimulateArguments};
pub(crate) use client::{
    ClientCommand, ConnectionArguments, LevelsArguments, PoolArguments, Pools, QuoteArguments, SignArguments,
    StatusArguments, TermArguments, VerifyArguments,
};
pub(crate) use operator::{
    ClientsArguments, EventsArguments, OperatorAct, OperatorCommand, OperatorToken, PauseArguments, Replicas,
};
pub(crate) use period::Period;

/// A self-hosted server for firm swap quotes (RFQ) and the signatures that a pool contract accepts.
#[derive(Parser)]
#[command(name = "firmquote", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommand.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve quotes and signatures; without --config, for a built-in demo pool
    Serve {
        /// The configuration (TOML); environment variables FIRMQUOTE__SECTION__KEY override its keys
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Serve the built-in sandbox, where integrators trigger errors on demand. For your own sandbox, use --config
        /// with a `[sandbox]` table
        #[arg(long, conflicts_with = "config")]
        sandbox: bool,
    },
    /// Validate a configuration, summarize it and print warnings, without serving
    Check {
        /// The configuration (TOML)
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Exit with status 1 if there are warnings
        #[arg(long)]
        strict: bool,
        /// Print prices, effective defaults and warnings as one line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Create configuration files
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage signing keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Manage client credentials and the operator's token
    #[command(subcommand)]
    Credential(CredentialCommand),
    /// Read the ledger: every signature issued, as one line of JSON each
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Report what the swaps of a ledger earned, exactly: counts, fill rate, edge with its fee and curve parts
    Report(ReportArguments),
    /// Compute what another configuration would have earned with the recorded requests
    Backtest(BacktestArguments),
    /// Simulate days of trading with a configuration: prices, takers and a chain in one process, and what it earned
    Simulate(SimulateArguments),
    /// Check the files of a tape
    #[command(subcommand)]
    Tape(TapeCommand),
    /// Start the built-in demo, print sample requests and responses, and stop
    Demo,
    #[command(flatten)]
    Operator(OperatorCommand),
    /// Make the secret of a webhook, and try one
    #[command(subcommand)]
    Webhook(WebhookCommand),
    /// Print events as lines of JSON: what was signed, executed and changed, and what pools hold
    Events(EventsArguments),
    #[command(flatten)]
    Client(ClientCommand),
    /// Print the version
    Version,
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// A subcommand of `firmquote webhook`.
#[derive(Subcommand)]
pub(crate) enum WebhookCommand {
    /// Write a new secret to a file that only its owner may read
    NewSecret {
        /// The file to create
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Post an event of the kind `test` to a webhook; the exit status is 1 unless it is accepted
    Test {
        /// The name of the webhook
        #[arg(value_name = "NAME")]
        name: String,
        /// The configuration (TOML)
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
    },
}

/// A subcommand of `firmquote tape`.
#[derive(Subcommand)]
pub(crate) enum TapeCommand {
    /// Check that the files of tapes are those that were written, by their hashes
    Verify {
        /// Directories of tapes, of one replica or of several
        #[arg(value_name = "DIR", required = true)]
        directories: Vec<PathBuf>,
    },
    /// Compute every quote, every refusal for its size and every last look again, and compare
    ///
    /// Exits with 1 if anything differs.
    Replay {
        /// Directories of tapes, of one replica or of several
        #[arg(value_name = "DIR", required = true)]
        directories: Vec<PathBuf>,
    },
}

/// A subcommand of `firmquote config`.
#[derive(Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print a complete example configuration with a comment on every key, or write it to a new file
    Init {
        /// The new file
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// A subcommand of `firmquote key`.
#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Show the account of a key: the designated signer of the pool contract
    Address(KeySource),
    /// Encrypt a key into a new version 3 keystore
    Import {
        #[command(flatten)]
        source: HexSource,
        /// The new file
        #[arg(long, value_name = "FILE")]
        keystore: PathBuf,
        /// The file with the keystore password in its first line, readable by its owner only
        #[arg(long, value_name = "FILE")]
        password_file: PathBuf,
    },
    /// Create a signing key and print its account and configuration lines; show the key once, or encrypt it to a file
    New(NewKeystoreFiles),
}

/// The source of a key in hex.
#[derive(Args)]
pub(crate) struct HexSource {
    /// A file with 64 hex digits, readable by its owner only; default: standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

/// The source of a key: hex digits or a keystore.
#[derive(Args)]
pub(crate) struct KeySource {
    #[command(flatten)]
    pub(crate) hex: HexSource,
    /// A version 3 keystore
    #[arg(long, value_name = "FILE", requires = "password_file", conflicts_with = "key_file")]
    pub(crate) keystore: Option<PathBuf>,
    /// The file with the keystore password in its first line, readable by its owner only
    #[arg(long, value_name = "FILE", requires = "keystore")]
    pub(crate) password_file: Option<PathBuf>,
}

/// The keystore that a new key is written to instead of being shown.
#[derive(Args)]
pub(crate) struct NewKeystoreFiles {
    /// Write the key to this new file, a version 3 keystore, instead of showing it
    #[arg(long, value_name = "FILE", requires = "password_file")]
    pub(crate) keystore: Option<PathBuf>,
    /// The file with the keystore password in its first line, readable by its owner only
    #[arg(long, value_name = "FILE", requires = "keystore")]
    pub(crate) password_file: Option<PathBuf>,
}

/// A subcommand of `firmquote ledger`. Reads only `[store]` of the configuration; needs no signing key.
#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Show the latest entries, oldest first
    Tail {
        /// The configuration (TOML), of which only `[store]` is read
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// The number of entries, 0 to 10000
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=10_000))]
        lines: u16,
        /// Keep printing new entries until interrupted
        #[arg(long)]
        follow: bool,
        /// Resume after the last entry printed with this file, and remember the last one there; it is created if missing
        #[arg(long, value_name = "FILE", conflicts_with = "lines")]
        cursor: Option<PathBuf>,
    },
    /// Show all entries, or those of a time range, oldest first
    Export {
        /// The configuration (TOML), of which only `[store]` is read
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        #[command(flatten)]
        period: Period,
    },
    /// Copy the entries into a directory, a file for each day (UTC), continuing where it stopped
    Archive {
        /// The directory, created if missing
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The configuration (TOML), of which only `[store]` is read
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Keep archiving new entries until interrupted
        #[arg(long)]
        follow: bool,
        /// Continue although Redis dropped entries before they were archived
        #[arg(long)]
        accept_gap: bool,
    },
}

/// A subcommand of `firmquote credential`.
#[derive(Subcommand)]
pub(crate) enum CredentialCommand {
    /// Create a credential and show it once; its hash is added to a file, or shown as configuration lines
    New {
        /// The operator's name for the client
        #[arg(long, value_name = "NAME", value_parser = ClientName::new)]
        client: ClientName,
        /// Create a password for this username (the deprecated Basic scheme) instead of an API key
        #[arg(long, value_name = "NAME", value_parser = Username::new)]
        username: Option<Username>,
        /// Create an API key that only a sandbox accepts
        #[arg(long, conflicts_with = "username")]
        sandbox: bool,
        /// The credentials file (`auth.credentials_file`) to add the hash to; created if missing
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// List the credentials of a file, without their hashes: when each was created and, with --admin, last used
    List {
        /// The credentials file (`auth.credentials_file`)
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
        /// The admin listeners of the replicas that read the file, such as 10.0.0.1:9090,10.0.0.2:9090: when each credential
        /// was last used, and which replicas have another file in effect
        #[arg(long, value_name = "ADDRESSES", value_delimiter = ',')]
        admin: Vec<String>,
    },
    /// Remove credentials from a file; a running service that reads the file refuses them within a second
    Revoke {
        /// The credentials file (`auth.credentials_file`)
        #[arg(long, value_name = "FILE", required_unless_present = "admin")]
        file: Option<PathBuf>,
        #[command(flatten)]
        selector: CredentialSelector,
        /// The admin listeners of replicas, of which one is enough where they share a Redis: refuses the credential with this
        /// --id on all of them at once, until `restore`
        #[arg(long, value_name = "ADDRESSES", value_delimiter = ',', requires = "id", conflicts_with = "file")]
        admin: Vec<String>,
        #[command(flatten)]
        act: OperatorAct,
    },
    /// End what `revoke --admin` did
    Restore {
        /// The credential, as shown by `list`
        #[arg(long, value_name = "ID")]
        id: String,
        #[command(flatten)]
        replicas: Replicas,
        #[command(flatten)]
        act: OperatorAct,
    },
    /// Set terms of a credential in a file; a running service that reads the file applies them within a second
    Set {
        /// The credential, as shown by `list`
        #[arg(value_name = "ID")]
        id: String,
        /// Keys with their values as in the file, such as max_trade_usd=50000 pairs=["ETH-USDC"]; an empty value removes a key
        #[arg(value_name = "KEY=VALUE", required = true)]
        terms: Vec<String>,
        /// The credentials file (`auth.credentials_file`)
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
    },
    /// Create the token for the operator's routes and show it once, with its configuration line
    NewAdminToken,
    /// Create the token of one operator, who may do only what its roles say, and show it once, with its configuration lines
    NewOperator {
        /// Who holds the token; the log names them
        #[arg(long, value_name = "NAME", value_parser = OperatorName::new)]
        name: OperatorName,
        /// What they may do: viewer (clients' trades), pauser, pricer (send prices), hedger (report hedges), admin (everything)
        #[arg(long, value_name = "ROLES", value_delimiter = ',', required = true, value_parser = role)]
        roles: Vec<Role>,
    },
}

/// The credentials to remove.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct CredentialSelector {
    /// Remove all credentials of this client
    #[arg(long, value_name = "NAME", value_parser = ClientName::new)]
    pub(crate) client: Option<ClientName>,
    /// Remove the credential with this ID, as shown by `list`
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
}

/// Parses a role.
fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|_| format!("allowed: {}", Role::NAMES.join(", ")))
}
