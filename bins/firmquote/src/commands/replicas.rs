//! `firmquote pause`, `firmquote resume` and `firmquote ready`: sends a request to the admin listener of each replica, and
//! prints what each answers.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context as _, bail};
use firmquote_api::{ErrorObject, Pauses, ReadinessPart, Step};
use firmquote_config::{FileReaders, keystore_password};
use firmquote_server::{environment, system_environment};
use hyper::{Method, Request, StatusCode, header::AUTHORIZATION};
use serde::Deserialize;
use zeroize::Zeroizing;

use super::{
    http_request::{NO_ADMIN_LISTENER, admin_url, send},
    output,
    runtime::runtime,
};
use crate::{
    cli::{OperatorCommand, PauseArguments, Replicas},
    client::display::{Align, TextTable},
};

/// The environment variable with the operator's token.
const TOKEN: &str = "FIRMQUOTE_ADMIN_TOKEN";
/// Upper bound on a token file, in bytes.
const MAX_TOKEN_FILE_BYTES: usize = 4 << 10;

/// Sends the command to every replica, and prints a line for each answer.
///
/// # Errors
/// When a replica does not answer, or not with what was asked for; all answers have been printed then.
pub(crate) fn run(command: &OperatorCommand) -> anyhow::Result<()> {
    match command {
        OperatorCommand::Pause(arguments) => set_paused(arguments, "pause"),
        OperatorCommand::Resume(arguments) => set_paused(arguments, "resume"),
        OperatorCommand::Ready { replicas } => report(replicas, async |address| {
            let (_, body) = send(Request::get(admin_url(address, "/readyz")?), String::new()).await?;
            readiness(&body)
        }),
    }
}

fn set_paused(arguments: &PauseArguments, act: &str) -> anyhow::Result<()> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(chain) = arguments.chain_id {
        query.append_pair("chain_id", &chain.to_string());
    }
    if let Some(reason) = &arguments.reason {
        query.append_pair("reason", reason);
    }
    let path = format!("/pools/{}/{act}?{}", arguments.pool, query.finish());
    let token = token(arguments.token_file.as_deref())?;
    report(&arguments.replicas, async |address| {
        let request = Request::builder().method(Method::POST).uri(admin_url(address, &path)?);
        let request = request.header(AUTHORIZATION, format!("Bearer {}", token.as_str()));
        let (status, body) = send(request, String::new()).await?;
        pauses(status, &body)
    })
}

/// Prints what `ask` returns for each replica, one after another.
fn report(replicas: &Replicas, ask: impl AsyncFn(&str) -> anyhow::Result<String>) -> anyhow::Result<()> {
    let runtime = runtime()?;
    let (mut table, mut failed) = (TextTable::new([Align::Left; 2]), Vec::new());
    for address in &replicas.admin {
        match runtime.block_on(ask(address)) {
            Ok(answer) => table.row([address.as_str(), &answer]),
            Err(error) => {
                table.row([address.as_str(), &format!("failed: {error:#}")]);
                failed.push(address.as_str());
            }
        }
    }
    output::print(table)?;
    if failed.is_empty() {
        Ok(())
    } else {
        bail!("{} of {} replicas failed: {}", failed.len(), replicas.admin.len(), failed.join(", "))
    }
}

/// Reads the token: the first line of the file, else the environment variable.
pub(super) fn token(file: Option<&Path>) -> anyhow::Result<Zeroizing<String>> {
    let Some(path) = file else {
        let token = environment::secret(TOKEN).filter(|token| !token.is_empty());
        return token.with_context(|| format!("no token: use --token-file, or set {TOKEN}"));
    };
    let contents = system_environment().file(path, MAX_TOKEN_FILE_BYTES, FileReaders::OwnerOnly);
    let contents = contents.with_context(|| format!("cannot read {}", path.display()))?;
    let token = keystore_password::first_line(&contents).and_then(|token| str::from_utf8(token).ok());
    let token = token.with_context(|| format!("{} has no token in its first line", path.display()))?;
    Ok(Zeroizing::new(token.to_owned()))
}

/// Describes the pools that were paused or resumed.
///
/// # Errors
/// The message of an error, and an answer of another kind.
fn pauses(status: StatusCode, body: &str) -> anyhow::Result<String> {
    if status != StatusCode::OK {
        let error: ErrorObject = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
        let name = |step: &Step| match step {
            Step::Name(name) => name.to_string(),
            Step::Position(at) => at.to_string(),
        };
        let inputs = error
            .data
            .iter()
            .map(|input| format!("{}: {}", input.loc.iter().map(name).collect::<Vec<_>>().join("."), input.msg));
        bail!([error.error_message.into_owned()].into_iter().chain(inputs).collect::<Vec<_>>().join("; "));
    }
    let Pauses { pools, shared, kept } = serde_json::from_str(body).context(NO_ADMIN_LISTENER)?;
    let pools = pools.iter().map(|pool| {
        let state = if pool.paused { "paused" } else { "resumed" };
        format!("{} on chain {} is {state}", pool.pool_address, pool.chain_id)
    });
    let reach = if shared { "on all replicas" } else { "on this replica only" };
    let end = if kept { "" } else { ", until its restart" };
    Ok(format!("{}, {reach}{end}", pools.collect::<Vec<_>>().join(", ")))
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
