//! `firmquote credential`: creates, lists and revokes credentials.

use std::{
    fs,
    io::{Write as _, stderr},
    path::Path,
};

use anyhow::{Context as _, bail, ensure};
use firmquote_config::credentials_file::{TERMS, file_id, id_of, text};
use firmquote_domain::Timestamp;
use firmquote_http::{ClientName, NewAdminToken, NewApiKey, NewPassword, OperatorName, Role, Username};
use firmquote_server::{CredentialsFile, system_time};
use jiff::tz::TimeZone;
use toml_edit::{Array, Datetime, Item, Table, Value, value};
use zeroize::Zeroizing;

use super::{
    last_uses::{self, CredentialUse},
    output,
    replicas::request_each,
};
use crate::{
    cli::CredentialSelector,
    client::display::{Align, TextTable, utc},
};

/// Creates a credential of `client`, an API key or a password for `username`, and shows it once. The key may be one
/// that only a sandbox accepts. Its hash is added to `file`, or shown as configuration lines.
///
/// # Errors
/// When the credential cannot be shown, and when the file cannot be edited. The ID to revoke is named if the hash is in
/// the file.
pub(crate) fn new(
    client: &ClientName,
    username: Option<&Username>,
    is_sandbox: bool,
    file: Option<&Path>,
) -> anyhow::Result<()> {
    let mut credential = Table::new();
    credential.insert("client", value(client.as_str()));
    let (title, secret) = match username {
        None => {
            let key = if is_sandbox { NewApiKey::generate_for_sandbox()? } else { NewApiKey::generate()? };
            credential.insert("api_key_sha256", value(key.sha256_hex()));
            (format!("API key of {} (header x-api-key)", client.as_str()), Zeroizing::new(key.reveal().to_owned()))
        }
        Some(username) => {
            let password = NewPassword::generate()?;
            credential.insert("username", value(username.as_str()));
            credential.insert("password_hash", value(password.phc()));
            let title = format!("Password of {} (Basic, username {})", client.as_str(), username.as_str());
            (title, Zeroizing::new(password.reveal().to_owned()))
        }
    };
    let id = id_of(&credential);
    let show = |more: &str| {
        output::print_secret(format_args!(
            "{title}, shown only once. Give it to the client:\n\n    {}\n\nIts ID, for revocation: {id}\n\n{more}",
            secret.as_str()
        ))
    };
    let Some(path) = file else {
        return show(&format!("Configuration lines:\n\n[[credential]]\n{credential}"));
    };
    credential.insert("created_at", value(date_of(system_time())?));
    let mut credentials = CredentialsFile::open(path)?;
    credentials.document().add(credential)?;
    // Before its hash is in the file: a credential that was never displayed must not be accepted.
    show("")?;
    credentials.write()?;
    let path = path.display();
    output::print_secret(format_args!(
        "Its hash is in {path}. A running service with this auth.credentials_file loads it within a second.\n"
    ))
    .with_context(|| format!("revoke it: firmquote credential revoke --file {path} --id {id}"))
}

/// Creates the token for the operator's routes and shows it once.
pub(crate) fn new_admin_token() -> anyhow::Result<()> {
    let token = NewAdminToken::generate()?;
    output::print_secret(format_args!(
        "\
Admin token (header Authorization: Bearer), shown only once. Use it on your own machines only:

    {}

Configuration lines:

[server]
admin_token_sha256 = \"{}\"
",
        token.reveal(),
        token.sha256_hex()
    ))
}

/// Creates the token of an operator with these roles and shows it once.
pub(crate) fn new_operator(name: &OperatorName, roles: &[Role]) -> anyhow::Result<()> {
    let token = NewAdminToken::generate()?;
    let mut operator = Table::new();
    operator.insert("name", value(name.as_str()));
    operator.insert("token_sha256", value(token.sha256_hex()));
    operator.insert("roles", value(roles.iter().map(|role| role.name()).collect::<Array>()));
    output::print_secret(format_args!(
        "\
Token of {} (header Authorization: Bearer), shown only once:

    {}

Configuration lines:

[[operator]]
{operator}",
        name.as_str(),
        token.reveal(),
    ))
}

/// Prints the credentials of the file at `path`, without hashes. With the admin listeners of replicas, also prints the last use
/// of each, those that are revoked in the store, and which replicas have another file in effect.
///
/// # Errors
/// When there is no such file or it cannot be read, and when a replica does not respond or has another file.
pub(crate) fn list(path: &Path, replicas: &[String]) -> anyhow::Result<()> {
    check_exists(path)?;
    let answers = request_each(replicas, last_uses::fetch)?;
    let mut file = CredentialsFile::open(path)?;
    let known = || answers.iter().filter_map(|(_, answer)| answer.as_ref().ok());
    let is_complete = answers.iter().all(|(_, answer)| answer.is_ok());
    let last_used = |id: &str| match known().filter_map(|replica| replica.last_uses.get(id)).max() {
        Some(at) => utc(at.seconds()),
        None if replicas.is_empty() => String::new(),
        None if is_complete => "not since the service start".to_owned(),
        None => "unknown: not every replica answered".to_owned(),
    };
    let is_revoked = |id: &str| known().any(|replica| replica.revoked.contains(id));
    let mut table = TextTable::new([Align::Left; 6]);
    table.row(["id", "client", "kind", "state", "created", if replicas.is_empty() { "" } else { "last used" }]);
    for credential in file.document().tables() {
        let kind = if text(credential, "username").is_some() { "Basic" } else { "API key" };
        let created = credential.get("created_at").map(|item| item.to_string());
        let (id, client) = (id_of(credential), text(credential, "client").unwrap_or_default());
        let state = if is_revoked(&id) { "revoked".to_owned() } else { state_in_file(credential) };
        table.row([&*id, client, kind, &state, created.as_deref().unwrap_or_default().trim(), &last_used(&id)]);
    }
    output::print(table)?;
    let file_id = file_id(&fs::read(path).with_context(|| path.display().to_string())?);
    for (address, answer) in &answers {
        match answer {
            Ok(CredentialUse { file_id: Some(id), .. }) if *id == file_id => {}
            Ok(CredentialUse { file_id: Some(id), .. }) if id.is_empty() => {
                writeln!(stderr(), "{address}: has no credentials file")?;
            }
            Ok(CredentialUse { file_id: Some(id), .. }) => {
                writeln!(stderr(), "{address}: has another file, {id} instead of {file_id}")?;
            }
            Ok(CredentialUse { file_id: None, .. }) => {
                writeln!(stderr(), "{address}: is of an earlier release, which does not report its file")?;
            }
            Err(error) => writeln!(stderr(), "{address}: {error:#}")?,
        }
    }
    let is_current =
        |answer: &anyhow::Result<CredentialUse>| answer.as_ref().is_ok_and(|it| it.file_id.as_ref() == Some(&file_id));
    ensure!(
        answers.iter().all(|(_, answer)| is_current(answer)),
        "not every replica is known to have this file in effect"
    );
    Ok(())
}

/// Returns whether the file enables a credential, and until when.
fn state_in_file(credential: &Table) -> String {
    let is_enabled = credential.get("enabled").and_then(Item::as_bool).unwrap_or(true);
    match credential.get("expires_at") {
        _ if !is_enabled => "disabled".to_owned(),
        Some(end) => format!("until {}", end.to_string().trim()),
        None => "enabled".to_owned(),
    }
}

/// Checks that there is a file at `path`: without one, the document to edit would be empty.
fn check_exists(path: &Path) -> anyhow::Result<()> {
    fs::metadata(path).map(drop).with_context(|| format!("{}: cannot be read", path.display()))
}

/// Removes credentials from the file at `path`. A running service that reads the file refuses them within a second.
///
/// # Errors
/// When there is no such file, when no credential matches, and when the file cannot be edited.
pub(crate) fn revoke(path: &Path, selector: &CredentialSelector) -> anyhow::Result<()> {
    check_exists(path)?;
    let mut file = CredentialsFile::open(path)?;
    // Exactly one of the two is set: clap rejects any other command line.
    let (removed, selected) = match &selector.client {
        Some(client) => {
            let removed = file.document().remove(|credential| text(credential, "client") == Some(client.as_str()));
            (removed?, format!("of client {}", client.as_str()))
        }
        None => {
            let id = selector.id.as_deref().unwrap_or_default();
            (file.document().remove(|credential| id_of(credential) == id)?, format!("with id {id}"))
        }
    };
    if removed == 0 {
        bail!("{}: no credential {selected}; list them with `firmquote credential list`", path.display());
    }
    file.write()?;
    let credentials = if removed == 1 { "credential" } else { "credentials" };
    output::print(format_args!("{removed} {credentials} removed from {}\n", path.display()))
}

/// Sets terms of the credential with this id in the file at `path`, each as `key=value`.
///
/// # Errors
/// When there is no such file or credential, for another key, and for a value that is not allowed; the file is then
/// unchanged.
pub(crate) fn set(path: &Path, id: &str, terms: &[String]) -> anyhow::Result<()> {
    check_exists(path)?;
    let term = |term: &String| {
        let (key, text) = term.split_once('=').with_context(|| format!("{term:?} is not a key=value"))?;
        if !TERMS.contains(&key) {
            bail!("{key} is no term, allowed: {}", TERMS.join(", "));
        }
        // What is not a value of TOML is a text without quotation marks.
        let value = (!text.is_empty()).then(|| text.parse().unwrap_or_else(|_| Value::from(text)));
        Ok((key.to_owned(), value))
    };
    let terms: Vec<(String, Option<Value>)> = terms.iter().map(term).collect::<anyhow::Result<_>>()?;
    let mut file = CredentialsFile::open(path)?;
    if !file.document().set(id, &terms)? {
        bail!("{}: no credential with id {id}; list them with `firmquote credential list`", path.display());
    }
    file.write()?;
    output::print(format_args!("The terms of {id} in {} are set.\n", path.display()))
}

/// Returns the UTC date of an instant as a TOML date.
///
/// # Errors
/// For an instant outside the range of calendar dates.
fn date_of(instant: Timestamp) -> anyhow::Result<Datetime> {
    let instant = jiff::Timestamp::from_microsecond(i64::try_from(instant.as_micros())?)?;
    Ok(instant.to_zoned(TimeZone::UTC).date().to_string().parse()?)
}
