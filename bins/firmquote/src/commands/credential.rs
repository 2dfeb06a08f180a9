//! `firmquote credential new` and `firmquote credential new-admin-token`.

use std::io::Write as _;

use firmquote_http::{ClientName, NewAdminToken, NewApiKey, NewPassword, Username};
use zeroize::Zeroizing;

use super::output::Output;

/// Makes a credential of `client` and shows it once: an API key, or a password for `username`.
pub(crate) fn new(client: &ClientName, username: Option<&Username>) -> anyhow::Result<()> {
    let client = client.as_str();
    let (what, secret, lines) = match username {
        None => {
            let key = NewApiKey::create()?;
            let lines = format!("api_key_sha256 = {}\n", quoted(&key.sha256_hex()));
            (format!("API key of {client} (header x-api-key)"), Zeroizing::new(key.reveal().to_owned()), lines)
        }
        Some(username) => {
            let password = NewPassword::create()?;
            let username = username.as_str();
            let lines = format!("username = {}\npassword_hash = {}\n", quoted(username), quoted(password.phc()));
            (
                format!("Password of {client} (Basic, username {username})"),
                Zeroizing::new(password.reveal().to_owned()),
                lines,
            )
        }
    };
    let mut out = Output::lock();
    write!(
        out,
        "\
{what}, shown this once. Hand it to the client:

    {}

Lines for the configuration:

[[credential]]
client = {}
{lines}",
        secret.as_str(),
        quoted(client)
    )?;
    Ok(out.flush()?)
}

/// Makes the token that opens the operator's own routes and shows it once.
pub(crate) fn new_admin_token() -> anyhow::Result<()> {
    let token = NewAdminToken::create()?;
    let mut out = Output::lock();
    write!(
        out,
        "\
Admin token (header Authorization: Bearer), shown this once. Hand it to your own machines only:

    {}

Lines for the configuration:

[server]
admin_token_sha256 = {}
",
        token.reveal(),
        quoted(&token.sha256_hex())
    )?;
    Ok(out.flush()?)
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
