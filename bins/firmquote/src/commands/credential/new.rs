//! `firmquote credential new` and `firmquote credential new-admin-token`.

use std::{io::Write as _, path::Path};

use firmquote_config::credentials_file::id_of;
use firmquote_domain::Timestamp;
use firmquote_http::{ClientName, NewAdminToken, NewApiKey, NewPassword, Username};
use firmquote_server::system_time;
use jiff::tz::TimeZone;
use toml_edit::{Datetime, Table, value};
use zeroize::Zeroizing;

use super::file::CredentialsFile;
use crate::commands::output::Output;

/// Creates a credential of `client`, an API key or a password for `username`, and shows it once. The key may be one
/// that only a sandbox accepts. Its hash is added to `file`, or shown as configuration lines.
pub(crate) fn new(
    client: &ClientName,
    username: Option<&Username>,
    is_sandbox: bool,
    file: Option<&Path>,
) -> anyhow::Result<()> {
    let mut credential = Table::new();
    credential.insert("client", value(client.as_str()));
    let (what, secret) = match username {
        None => {
            let key = if is_sandbox { NewApiKey::create_for_sandbox()? } else { NewApiKey::create()? };
            credential.insert("api_key_sha256", value(key.sha256_hex()));
            (format!("API key of {} (header x-api-key)", client.as_str()), Zeroizing::new(key.reveal().to_owned()))
        }
        Some(username) => {
            let password = NewPassword::create()?;
            credential.insert("username", value(username.as_str()));
            credential.insert("password_hash", value(password.phc()));
            let what = format!("Password of {} (Basic, username {})", client.as_str(), username.as_str());
            (what, Zeroizing::new(password.reveal().to_owned()))
        }
    };
    let lines = format!("Configuration lines:\n\n[[credential]]\n{credential}");
    let id = id_of(&credential);
    let kept_where = match file {
        None => lines,
        Some(path) => {
            credential.insert("created_at", value(date_of(system_time())?));
            let mut credentials = CredentialsFile::open(path)?;
            credentials.document().add(credential)?;
            credentials.write()?;
            format!("Its hash is in {}. A running service loads it within a second.\n", path.display())
        }
    };
    let mut out = Output::lock();
    write!(
        out,
        "{what}, shown only once. Give it to the client:\n\n    {}\n\nIts ID, for revocation: {id}\n\n{kept_where}",
        secret.as_str()
    )?;
    Ok(out.flush()?)
}

/// Creates the token for the operator's routes and shows it once.
pub(crate) fn new_admin_token() -> anyhow::Result<()> {
    let token = NewAdminToken::create()?;
    let hash = toml_edit::Value::from(token.sha256_hex());
    let mut out = Output::lock();
    write!(
        out,
        "\
Admin token (header Authorization: Bearer), shown only once. Use it on your own machines only:

    {}

Configuration lines:

[server]
admin_token_sha256 = {hash}
",
        token.reveal(),
    )?;
    Ok(out.flush()?)
}

/// Returns the UTC date of an instant as a TOML date.
///
/// # Errors
/// For an instant outside the range of calendar dates.
fn date_of(instant: Timestamp) -> anyhow::Result<Datetime> {
    let instant = jiff::Timestamp::from_microsecond(i64::try_from(instant.as_micros())?)?;
    Ok(instant.to_zoned(TimeZone::UTC).date().to_string().parse()?)
}
