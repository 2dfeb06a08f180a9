//! The command line.

mod client;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use firmquote_config::time_format;
use firmquote_domain::Timestamp;
use firmquote_http::{ClientName, Username};

use crate::commands::CredentialSelector;
pub(crate) use client::{
    Access, ClientCommand, PoolArguments, Pools, QuoteArguments, SignArguments, TermArguments, VerifyArguments,
};

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
        /// Exit with status 1 when there is any warning
        #[arg(long)]
        strict: bool,
        /// Print prices, defaults in force and warnings as one line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Configuration files
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Signing keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Credentials of clients, and the token of the operator
    #[command(subcommand)]
    Credential(CredentialCommand),
    /// The ledger: every signature that left, one line of JSON each
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Start the built-in demo, show an exchange of quotes and signatures, and stop
    Demo,
    #[command(flatten)]
    Client(ClientCommand),
    /// Print the version
    Version,
    /// Print a script that completes this command line in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// What to do about configuration files.
#[derive(Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print a complete configuration with a comment on every key, to start from; or write it to a new file
    Init {
        /// The new file
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// What to do about signing keys.
#[derive(Subcommand)]
pub(crate) enum KeyCommand {
    /// Show the account of a key: the designated signer of the pool contract
    Address(KeySource),
    /// Encrypt a key in a new keystore of version 3
    Import {
        #[command(flatten)]
        source: HexSource,
        /// The new file
        #[arg(long, value_name = "FILE")]
        keystore: PathBuf,
        /// The file whose first line is the keystore's password; only its owner may read it
        #[arg(long, value_name = "FILE")]
        password_file: PathBuf,
    },
    /// Make a signing key, with its account and the lines for the configuration: show it once, or encrypt it in a file
    New(NewKeystoreFiles),
}

/// Where a key is that is 64 hex digits.
#[derive(Args)]
pub(crate) struct HexSource {
    /// A file of 64 hex digits that only its owner may read; standard input otherwise
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
}

/// Where a key is.
#[derive(Args)]
pub(crate) struct KeySource {
    #[command(flatten)]
    pub(crate) hex: HexSource,
    /// A keystore of version 3
    #[arg(long, value_name = "FILE", requires = "password_file", conflicts_with = "key_file")]
    pub(crate) keystore: Option<PathBuf>,
    /// The file whose first line is the keystore's password; only its owner may read it
    #[arg(long, value_name = "FILE", requires = "keystore")]
    pub(crate) password_file: Option<PathBuf>,
}

/// Where a new key is written instead of being shown.
#[derive(Args)]
pub(crate) struct NewKeystoreFiles {
    /// Write the key to this new file, a keystore of version 3, instead of showing it
    #[arg(long, value_name = "FILE", requires = "password_file")]
    pub(crate) keystore: Option<PathBuf>,
    /// The file whose first line is the keystore's password; only its owner may read it
    #[arg(long, value_name = "FILE", requires = "keystore")]
    pub(crate) password_file: Option<PathBuf>,
}

/// What to show of the ledger. Of the configuration only `[store]` is read; no signing key is needed.
#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Show the last entries, oldest first
    Tail {
        /// The configuration (TOML), of which only `[store]` is read
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// How many, 0 to 10000
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=10_000))]
        lines: u16,
        /// Go on with new entries as they come, until interrupted
        #[arg(long)]
        follow: bool,
    },
    /// Show all entries, or those of some time, oldest first
    Export {
        /// The configuration (TOML), of which only `[store]` is read
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// The first instant: 2026-11-21T02:00:00Z, a date (its midnight in UTC), or Unix seconds
        #[arg(long, value_name = "TIME", value_parser = instant)]
        from: Option<Timestamp>,
        /// The instant to end before, written likewise
        #[arg(long, value_name = "TIME", value_parser = instant)]
        to: Option<Timestamp>,
    },
}

/// What to do about credentials.
#[derive(Subcommand)]
pub(crate) enum CredentialCommand {
    /// Make a credential and show it once; its hash is added to a file, or shown as lines for the configuration
    New {
        /// What the operator calls the client
        #[arg(long, value_name = "NAME", value_parser = ClientName::new)]
        client: ClientName,
        /// Make a password for this username (the deprecated Basic scheme) instead of an API key
        #[arg(long, value_name = "NAME", value_parser = Username::new)]
        username: Option<Username>,
        /// The credentials file (`auth.credentials_file`) to add it to; made if it is not there
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Show the credentials of a file, without their hashes: when each was made and, from a running service, last used
    List {
        /// The credentials file (`auth.credentials_file`)
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
        /// The admin listener of a service that reads the file, such as 127.0.0.1:9090: when it saw each credential last
        #[arg(long, value_name = "ADDRESS")]
        admin: Option<String>,
    },
    /// Remove credentials from a file; a service that reads it refuses them within a second
    Revoke {
        /// The credentials file (`auth.credentials_file`)
        #[arg(long, value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        which: Revoked,
    },
    /// Make the token that opens the operator's own routes and show it once, with the line for the configuration
    NewAdminToken,
}

/// Which credentials are removed.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Revoked {
    /// All of this client
    #[arg(long, value_name = "NAME", value_parser = ClientName::new)]
    client: Option<ClientName>,
    /// The one with this id, as `list` shows it
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

impl From<Revoked> for CredentialSelector {
    /// One of the two is there: the command line is refused otherwise.
    fn from(Revoked { client, id }: Revoked) -> Self {
        client.map_or_else(|| Self::Id(id.unwrap_or_default()), Self::Client)
    }
}

/// An instant as people write it, or Unix seconds.
fn instant(text: &str) -> Result<Timestamp, &'static str> {
    const ALLOWED: &str = "allowed: 2026-11-21T02:00:00Z, 2026-11-21, or Unix seconds";
    let is_seconds = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = || text.parse::<u64>().ok()?.checked_mul(1_000_000);
    let micros = || u64::try_from(time_format::parse(text)?.as_microsecond()).ok();
    let micros = if is_seconds { seconds() } else { micros() };
    micros.map(Timestamp::from_micros).ok_or(ALLOWED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_dates_times_or_unix_seconds() {
        for (text, micros) in [
            ("2026-11-21T02:00:00Z", 1_795_226_400_000_000),
            ("2026-11-21T04:00:00.000001+02:00", 1_795_226_400_000_001),
            ("2026-11-21", 1_795_219_200_000_000),
            ("1795226400", 1_795_226_400_000_000),
            ("0", 0),
        ] {
            assert_eq!(instant(text), Ok(Timestamp::from_micros(micros)), "{text}");
        }
        for text in ["", "soon", "-1", "1.5", "2026-13-01", "1969-12-31", "2026-11-21T02:00:00", "99999999999999999999"]
        {
            assert!(instant(text).is_err(), "{text}");
        }
    }
}
