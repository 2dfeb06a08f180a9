//! Commands for every replica: sends a request to each admin listener, and prints what each answers.

use std::{
    collections::BTreeMap,
    io::{Write as _, stderr},
};

use anyhow::{Context as _, bail};
use firmquote_api::{CredentialState, Pauses, ReadinessPart};
use firmquote_server::environment;
use hyper::{Request, StatusCode, header::AUTHORIZATION};
use serde::Deserialize;
use zeroize::Zeroizing;

use super::{
    http_request::{NO_ADMIN_LISTENER, admin_url, refuse, send},
    output,
    overview::{self, ClientEarnings},
    runtime::runtime,
};
use crate::{
    cli::{ClientsArguments, OperatorAct, OperatorCommand, OperatorToken, PauseArguments, Replicas},
    client::display::{Align, TextTable},
    secret,
};

/// The environment variable with the operator's token.
const TOKEN: &str = "FIRMQUOTE_ADMIN_TOKEN";
/// Sends the command to every replica, and prints a line for each answer.
///
/// # Errors
/// When a replica does not answer, or not with what was asked for; all answers have been printed then.
pub(crate) fn run(command: &OperatorCommand) -> anyhow::Result<()> {
    match command {
        OperatorCommand::Pause(arguments) => set_paused(arguments, "pause"),
        OperatorCommand::Resume(arguments) => set_paused(arguments, "resume"),
        OperatorCommand::Ready { replicas } => report(&replicas.admin, async |address| {
            let (_, body) = send(Request::get(admin_url(address, "/readyz")?), String::new()).await?;
            readiness(&body)
        }),
        OperatorCommand::Overview { replicas } => show_pools(replicas),
        OperatorCommand::Clients(arguments) => clients(arguments),
    }
}

/// Prints the pools of every replica.
fn show_pools(replicas: &Replicas) -> anyhow::Result<()> {
    let mut table = overview::pools_table();
    let answers = request_each(&replicas.admin, async |address| {
        let (status, body) = send(Request::get(admin_url(address, "/overview")?), String::new()).await?;
        overview::read_pools(status, &body)
    })?;
    for (address, answer) in &answers {
        if let Ok(replica) = answer {
            replica.add_to(&mut table, address);
        }
    }
    output::print(table)?;
    for (address, replica) in answers.iter().filter_map(|(address, answer)| Some((address, answer.as_ref().ok()?))) {
        for rejection in &replica.rejected_files {
            writeln!(
                stderr(),
                "note: {address}: the last edit was rejected, what was before it is active: {rejection}"
            )?;
        }
    }
    print_failures(&answers)?;
    require_success(&answers)
}

/// Prints what the swaps of each client earned, as the first replica that answers computes it from the ledger.
fn clients(arguments: &ClientsArguments) -> anyhow::Result<()> {
    let path = arguments.day.as_ref().map_or_else(|| "/earnings".to_owned(), |day| format!("/earnings?day={day}"));
    let token = token(&arguments.token)?;
    let answers = request_each(&arguments.replicas.admin, async |address| {
        let request = Request::get(admin_url(address, &path)?);
        let request = request.header(AUTHORIZATION, format!("Bearer {}", token.as_str()));
        let (status, body) = send(request, String::new()).await?;
        overview::read_clients(status, &body)
    })?;
    if let Some((_, Ok(ClientEarnings { table, notes }))) = answers.iter().find(|(_, answer)| answer.is_ok()) {
        output::print(table)?;
        notes.iter().try_for_each(|note| writeln!(stderr(), "note: {note}"))?;
    }
    print_failures(&answers)?;
    require_success(&answers)
}

fn set_paused(PauseArguments { pool, chain_id, act, replicas }: &PauseArguments, verb: &str) -> anyhow::Result<()> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(chain) = chain_id {
        query.append_pair("chain_id", &chain.to_string());
    }
    post_to_each(&replicas.admin, act, &format!("/pools/{pool}/{verb}"), query, pauses)
}

/// Revokes a credential, or restores it, at each of these admin listeners.
///
/// # Errors
/// When a replica does not answer, or not with what was asked for; all answers have been printed then.
pub(super) fn set_revoked(admin: &[String], id: &str, is_revoked: bool, act: &OperatorAct) -> anyhow::Result<()> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("credential_id", id);
    let path = if is_revoked { "/credentials/revoke" } else { "/credentials/restore" };
    post_to_each(admin, act, path, query, revocation)
}

/// Posts an act of an operator to each of these admin listeners, and prints how `describe` describes each answer.
fn post_to_each(
    admin: &[String],
    act: &OperatorAct,
    path: &str,
    mut query: form_urlencoded::Serializer<'_, String>,
    describe: fn(StatusCode, &str) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    if let Some(reason) = &act.reason {
        query.append_pair("reason", reason);
    }
    let path = format!("{path}?{}", query.finish());
    let token = token(&act.token)?;
    report(admin, async |address| {
        let request = Request::post(admin_url(address, &path)?);
        let request = request.header(AUTHORIZATION, format!("Bearer {}", token.as_str()));
        let (status, body) = send(request, String::new()).await?;
        describe(status, &body)
    })
}

/// Prints what `ask` returns for each replica, one after another.
fn report(admin: &[String], ask: impl AsyncFn(&str) -> anyhow::Result<String>) -> anyhow::Result<()> {
    let mut table = TextTable::new([Align::Left; 2]);
    let answers = request_each(admin, ask)?;
    for (address, answer) in &answers {
        match answer {
            Ok(answer) => table.row([address, answer.as_str()]),
            Err(error) => table.row([address, &*format!("failed: {error:#}")]),
        }
    }
    output::print(table)?;
    require_success(&answers)
}

/// The answer of each replica, by its address.
pub(super) type Answers<'r, T> = Vec<(&'r str, anyhow::Result<T>)>;

/// Asks the admin listeners at these addresses, one after another.
///
/// # Errors
/// When the runtime cannot be started.
pub(super) fn request_each<T>(
    addresses: &[String],
    ask: impl AsyncFn(&str) -> anyhow::Result<T>,
) -> anyhow::Result<Answers<'_, T>> {
    let runtime = runtime()?;
    Ok(addresses.iter().map(|address| (address.as_str(), runtime.block_on(ask(address)))).collect())
}

/// Prints why replicas failed, on standard error.
fn print_failures<T>(answers: &Answers<'_, T>) -> anyhow::Result<()> {
    for (address, answer) in answers {
        if let Err(error) = answer {
            writeln!(stderr(), "{address}: {error:#}")?;
        }
    }
    Ok(())
}

/// Names the replicas that failed.
fn require_success<T>(answers: &Answers<'_, T>) -> anyhow::Result<()> {
    let failed: Vec<&str> = answers.iter().filter(|(_, answer)| answer.is_err()).map(|(address, _)| *address).collect();
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("{} of {} replicas failed: {}", failed.len(), answers.len(), failed.join(", "))
    }
}

/// Reads the token: the first line of the file, else the environment variable.
pub(super) fn token(token: &OperatorToken) -> anyhow::Result<Zeroizing<String>> {
    if let Some(path) = &token.token_file {
        return secret::text_from_file(path, "token");
    }
    let token = environment::secret(TOKEN).filter(|token| !token.is_empty());
    token.with_context(|| format!("no token: use --token-file, or set {TOKEN}"))
}

/// Describes the pools that were paused or resumed.
///
/// # Errors
/// The message of an error, and an answer of another kind.
fn pauses(status: StatusCode, body: &str) -> anyhow::Result<String> {
    refuse(status, body)?;
    let Pauses { pools, shared, kept } = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
    let end = if kept || pools.iter().all(|pool| !pool.paused) { "" } else { ", until its restart" };
    let pools = pools.iter().map(|pool| {
        let state = if pool.paused { "paused" } else { "resumed" };
        format!("{} on chain {} is {state}", pool.pool_address, pool.chain_id)
    });
    let reach = if shared { "on all replicas" } else { "on this replica only" };
    Ok(format!("{}, {reach}{end}", pools.collect::<Vec<_>>().join(", ")))
}

/// Describes a credential that was revoked or restored.
///
/// # Errors
/// The message of an error, and an answer of another kind.
fn revocation(status: StatusCode, body: &str) -> anyhow::Result<String> {
    refuse(status, body)?;
    let CredentialState { credential_id, is_revoked, kept } = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
    let state = if is_revoked { "revoked" } else { "restored" };
    let end = if is_revoked && !kept { ", until its restart: remove it from the file, too" } else { "" };
    Ok(format!("{credential_id} is {state}{end}"))
}

/// The answer of `/readyz`, of a replica that is ready or not.
#[derive(Deserialize)]
struct ReadinessAnswer {
    ready: bool,
    parts: BTreeMap<String, ReadinessPart>,
}

/// Describes the readiness of a replica: the parts that are not ready, with what is wrong.
///
/// # Errors
/// The same for a replica that is not ready, and an answer of another kind.
fn readiness(body: &str) -> anyhow::Result<String> {
    let ReadinessAnswer { ready, parts } = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
    let parts = parts.iter().filter(|(_, part)| !part.reasons.is_empty());
    let parts = parts.map(|(name, part)| format!("{name} is {}: {}", part.state, part.reasons.join("; ")));
    let description = std::iter::once(if ready { "ready" } else { "not ready" }.to_owned()).chain(parts);
    let description = description.collect::<Vec<_>>().join(", ");
    if ready { Ok(description) } else { bail!(description) }
}
