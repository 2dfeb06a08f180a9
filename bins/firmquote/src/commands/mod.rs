//! The subcommands, one module each.

mod backtest;
mod check;
mod client;
mod completions;
mod config;
mod credential;
mod demo;
mod demo_client;
mod events;
mod http_request;
mod key;
mod last_uses;
mod ledger;
mod output;
mod overview;
mod replicas;
mod report;
mod runtime;
mod serve;
mod simulate;
mod tape;
mod webhook;

use std::{
    io::{Write as _, stderr},
    process::ExitCode,
};

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::cli::{
    Cli, Command, ConfigCommand, CredentialCommand, KeyCommand, LedgerCommand, TapeCommand, WebhookCommand,
};

/// Runs the subcommand. `memory_warnings` are the reasons why the memory of this process is not private: the service
/// logs them, and other commands that may handle signing keys or credentials print them first.
///
/// # Errors
/// Any failure of the command, in readable form. Client commands report their errors themselves.
pub(crate) fn run(cli: Cli, memory_warnings: &[String]) -> anyhow::Result<ExitCode> {
    let is_operator_command =
        !matches!(cli.command, Command::Serve { .. } | Command::Client(_) | Command::Completions { .. });
    if is_operator_command {
        for warning in memory_warnings {
            writeln!(stderr(), "warning: {warning}")?;
        }
    }
    let result = match cli.command {
        Command::Client(command) => return client::run(command),
        Command::Operator(command) => replicas::run(&command),
        Command::Events(arguments) => events::run(&arguments),
        Command::Webhook(WebhookCommand::NewSecret { file }) => webhook::new_secret(&file),
        Command::Webhook(WebhookCommand::Test { name, config }) => webhook::test(&name, &config),
        Command::Completions { shell } => completions::run(shell),
        Command::Serve { config, sandbox } => serve::run(config.as_deref(), sandbox, memory_warnings),
        Command::Check { config, strict, json } => return check::run(&config, strict, json),
        Command::Config(ConfigCommand::Init { file }) => config::init(file.as_deref()),
        Command::Key(KeyCommand::New(files)) => key::new(&files),
        Command::Key(KeyCommand::Address(source)) => key::address(&source),
        Command::Key(KeyCommand::Import { source, keystore, password_file }) => {
            key::import(&source, &keystore, &password_file)
        }
        Command::Credential(CredentialCommand::New { client, username, sandbox, file }) => {
            credential::new(&client, username.as_ref(), sandbox, file.as_deref())
        }
        Command::Credential(CredentialCommand::List { file, admin }) => credential::list(&file, &admin),
        Command::Credential(CredentialCommand::Revoke { file, selector, admin, act }) => match file {
            Some(file) => credential::revoke(&file, &selector),
            None => {
                let id = selector.id.context("--admin revokes the credential with one --id, not those of a client")?;
                replicas::set_revoked(&admin, &id, true, &act)
            }
        },
        Command::Credential(CredentialCommand::Restore { id, replicas, act }) => {
            replicas::set_revoked(&replicas.admin, &id, false, &act)
        }
        Command::Credential(CredentialCommand::Set { id, terms, file }) => credential::set(&file, &id, &terms),
        Command::Credential(CredentialCommand::NewAdminToken) => credential::new_admin_token(),
        Command::Credential(CredentialCommand::NewOperator { name, roles }) => credential::new_operator(&name, &roles),
        Command::Ledger(LedgerCommand::Tail { config, lines, follow, cursor }) => {
            ledger::tail(&config, lines.into(), follow, cursor.map(ledger::CursorFile::new))
        }
        Command::Ledger(LedgerCommand::Archive { directory, config, follow, accept_gap }) => {
            ledger::archive(&config, &directory, follow, accept_gap)
        }
        Command::Ledger(LedgerCommand::Export { config, period }) => ledger::export(&config, &period),
        Command::Report(arguments) => report::run(&arguments),
        Command::Backtest(arguments) => backtest::run(&arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        Command::Tape(TapeCommand::Verify { directories }) => tape::verify(&directories),
        Command::Tape(TapeCommand::Replay { directories }) => tape::replay(&directories),
        Command::Demo => demo::run(),
        Command::Version => output::print(Cli::command().render_version()),
    };
    result.map(|()| ExitCode::SUCCESS)
}
