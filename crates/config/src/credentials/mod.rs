//! `[[credential]]`: the credentials of clients. A configuration contains only their hashes.

pub mod credentials_file;

use std::collections::HashMap;

use firmquote_http::{ApiKeyHash, ClientName, Credential, PasswordHash, Username};
use serde::Deserialize;

use crate::{
    document::{
        error::KeyError,
        field::Field,
        path::KeyPath,
        values::{
            setting::{Form, OptionalSetting as _, Setting, Syntax},
            text::Text,
        },
    },
    time_format,
};

/// A `[[credential]]`: `client`, the name that owns quotes and appears in the log; then either `api_key_sha256`, or
/// `username` and `password_hash` for the deprecated Basic scheme. A client may have several.
#[derive(Deserialize)]
pub(crate) struct CredentialTable {
    client: Text<ClientName>,
    api_key_sha256: Option<Text<ApiKeyHash>>,
    username: Option<Text<Username>>,
    password_hash: Option<Text<PasswordHash>>,
    /// For information.
    #[serde(rename = "created_at")]
    _created_at: Option<Setting<(), AsDate>>,
}

/// A date of any year.
enum AsDate {}

impl Form<()> for AsDate {
    const SYNTAX: Syntax = Syntax::Any;

    fn parse(text: &str) -> Result<(), String> {
        time_format::parse(text).map(drop).ok_or_else(|| "a date such as 2026-11-21".to_owned())
    }
}

/// Creates the credentials of the tables at `field`.
///
/// # Errors
/// [`KeyError`] for keys of neither or both schemes, and for a duplicate API key or username.
pub(crate) fn read(tables: Vec<CredentialTable>, field: &Field<'_>) -> Result<Vec<Credential>, KeyError> {
    let credentials = tables.into_iter().zip(field.entries()).map(|(table, field)| credential(table, &field));
    let credentials = credentials.collect::<Result<_, _>>()?;
    refuse_repeated(field.entries().map(|entry| entry.key("api_key_sha256")), str::to_ascii_lowercase)?;
    refuse_repeated(field.entries().map(|entry| entry.key("username")), str::to_owned)?;
    Ok(credentials)
}

fn credential(table: CredentialTable, field: &Field<'_>) -> Result<Credential, KeyError> {
    let client = table.client.0;
    if table.username.is_none() && table.password_hash.is_none() {
        return Ok(Credential::ApiKey { client, hash: table.api_key_sha256.required(&field.key("api_key_sha256"))? });
    }
    if table.api_key_sha256.is_some() {
        return Err(field.key("api_key_sha256").not_allowed("either api_key_sha256, or username and password_hash"));
    }
    let username = table.username.required(&field.key("username"))?;
    let password = table.password_hash.required(&field.key("password_hash"))?;
    Ok(Credential::Basic { client, username, password })
}

/// Refuses duplicates: two clients with the same key or username, or two operators with the same token, would be
/// indistinguishable.
pub(crate) fn refuse_repeated<'t>(
    fields: impl Iterator<Item = Field<'t>>,
    form: fn(&str) -> String,
) -> Result<(), KeyError> {
    let mut earlier_paths: HashMap<String, KeyPath> = HashMap::new();
    for field in fields {
        let Some(text) = field.text() else { continue };
        if let Some(earlier) = earlier_paths.insert(form(text), field.path().clone()) {
            return Err(field.not_allowed(format!("another one than {earlier}")));
        }
    }
    Ok(())
}
