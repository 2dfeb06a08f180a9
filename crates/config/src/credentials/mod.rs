//! `[[credential]]`: the credentials of clients. A configuration contains only their hashes.

pub mod credentials_file;
mod table;
mod terms;

use std::collections::HashMap;

use firmquote_http::{ClientCredential, Credential};

pub(crate) use self::table::CredentialTable;
use self::terms::ReadTerms;
use crate::document::{error::KeyError, field::Field, path::KeyPath, values::setting::OptionalSetting as _};

/// Creates the credentials of the tables at `field`.
///
/// # Errors
/// [`KeyError`] for keys of neither or both schemes, for a duplicate API key or username, and for a client with different
/// terms in two credentials.
pub(crate) fn read(tables: Vec<CredentialTable>, field: &Field<'_>) -> Result<Vec<ClientCredential>, KeyError> {
    let mut credentials = Vec::new();
    let mut terms_of_clients: HashMap<String, ReadTerms> = HashMap::new();
    for (mut table, field) in tables.into_iter().zip(field.entries()) {
        let terms = table.take_terms();
        let credential = credential(table, &field)?;
        let ReadTerms { is_enabled, expires_at, max_requests_per_second, terms: ref trading } = terms;
        let of_client = ReadTerms { is_enabled: true, expires_at: None, ..terms.clone() };
        let first =
            terms_of_clients.entry(credential.client().as_str().to_owned()).or_insert_with(|| of_client.clone());
        if *first != of_client {
            return Err(field.key("client").not_allowed("a client with the same terms in each of its credentials"));
        }
        let terms = trading.clone();
        credentials.push(ClientCredential { credential, is_enabled, expires_at, max_requests_per_second, terms });
    }
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
