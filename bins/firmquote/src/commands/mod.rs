//! The subcommands, one module each.

mod check;
mod client;
mod completions;
mod config;
mod credential;
mod demo;
mod demo_client;
mod key;
mod last_uses;
mod ledger;
mod output;
mod serve;
mod transcript;

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

use self::ledger::Span;
use crate::cli::{Cli, Command, ConfigCommand, CredentialCommand, KeyCommand, LedgerCommand};
pub(crate) use credential::CredentialSelector;

/// Runs the subcommand. `exposures` are the reasons why the memory of this process is not private: the service logs
/// them, and other commands that may handle signing keys or credentials print them as warnings first.
///
/// # Errors
/// Any failure of the command, in readable form. Client commands report their errors themselves.
pub(crate) fn run(cli: Cli, exposures: &[String]) -> anyhow::Result<ExitCode> {
    let is_of_operators =
        !matches!(cli.command, Command::Serve { .. } | Command::Client(_) | Command::Completions { .. });
    if is_of_operators {
        for exposure in exposures {
            writeln!(stderr(), "warning: {exposure}")?;
        }
    }
    let done = match cli.command {
        Command::Client(command) => return client::run(command),
        Command::Completions { shell } => completions::run(shell),
        Command::Serve { config, sandbox } => {
            let served = match config {
                Some(path) => serve::Served::File(path),
                None if sandbox => serve::Served::Sandbox,
                None => serve::Served::Demo,
            };
            serve::run(&served, exposures)
        }
        Command::Check { config, strict, json } => return check::run(&config, check::Options { strict, json }),
        Command::Config(ConfigCommand::Init { file }) => config::init(file.as_deref()),
        Command::Key(KeyCommand::New(files)) => key::new(&files),
        Command::Key(KeyCommand::Address(source)) => key::address(&source),
        Command::Key(KeyCommand::Import { source, keystore, password_file }) => {
            key::import(&source, &keystore, &password_file)
        }
        Command::Credential(CredentialCommand::New { client, username, sandbox, file }) => {
            credential::new(&client, username.as_ref(), sandbox, file.as_deref())
        }
        Command::Credential(CredentialCommand::List { file, admin }) => credential::list(&file, admin.as_deref()),
        Command::Credential(CredentialCommand::Revoke { file, which }) => credential::revoke(&file, &which.into()),
        Command::Credential(CredentialCommand::NewAdminToken) => credential::new_admin_token(),
        Command::Ledger(LedgerCommand::Tail { config, lines, follow }) => ledger::tail(&config, lines.into(), follow),
        Command::Ledger(LedgerCommand::Export { config, from, to }) => ledger::export(&config, &Span::new(from, to)?),
        Command::Demo => demo::run(),
        Command::Version => completions::version(),
    };
    done.map(|()| ExitCode::SUCCESS)
}
