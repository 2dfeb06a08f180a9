//! `[[credential]]`: the credentials of clients. A configuration contains only their hashes.

pub mod credentials_file;

use std::collections::HashMap;

use crate::{
    document::{
        error::KeyError,
        path::KeyPath,
        reader::{Field, Keys, Table},
    },
    time_format::parse,
};
use firmquote_http::{ApiKeyHash, ClientName, Credential, PasswordHash, Username};

pub(super) const KEYS: Keys = Keys::new(&["client", "api_key_sha256", "username", "password_hash", "created_at"]);

const ALLOWED_NAMES: &str = "1 to 64 printable ASCII characters without blanks";
const USERNAME: &str = "1 to 64 printable ASCII characters without blanks and colons";
const HASH: &str = "the SHA-256 of an API key: 64 hex digits";
const PHC: &str = "a PHC string of argon2id, version 19, as `firmquote credential new` makes it";

/// Reads every `[[credential]]`: `client`, the name that owns quotes and appears in the log; then either
/// `api_key_sha256`, or `username` and `password_hash` for the deprecated Basic scheme. A client may have several.
/// `created_at`, a date, is informational.
///
/// # Errors
/// [`KeyError`] for the first invalid key, and for a duplicate API key or username.
pub(super) fn read_all(tables: &[Table<'_>]) -> Result<Vec<Credential>, KeyError> {
    let credentials = tables.iter().map(read).collect::<Result<_, _>>()?;
    let hashes = tables.iter().map(|table| table.field("api_key_sha256").secret());
    refuse_repeated(hashes, str::to_ascii_lowercase)?;
    refuse_repeated(tables.iter().map(|table| table.field("username")), str::to_owned)?;
    Ok(credentials)
}

fn read(table: &Table<'_>) -> Result<Credential, KeyError> {
    let client = table.field("client").text(ALLOWED_NAMES, ClientName::new)?;
    table
        .field("created_at")
        .optional(|field| field.date("a date such as 2026-11-21", |text| parse(text).ok_or(())))?;
    let hash = table.field("api_key_sha256").secret();
    let (username, password) = (table.field("username"), table.field("password_hash").secret());
    if !username.is_present() && !password.is_present() {
        return Ok(Credential::ApiKey { client, hash: hash.text(HASH, ApiKeyHash::from_hex)? });
    }
    if hash.is_present() {
        return Err(hash.not_allowed("either api_key_sha256, or username and password_hash"));
    }
    let username = username.text(USERNAME, Username::new)?;
    let password = password.text(PHC, PasswordHash::from_phc)?;
    Ok(Credential::Basic { client, username, password })
}

/// Refuses duplicates: two clients with the same key or username would be indistinguishable.
fn refuse_repeated<'t>(fields: impl Iterator<Item = Field<'t>>, form: fn(&str) -> String) -> Result<(), KeyError> {
    let mut earlier_paths: HashMap<String, KeyPath> = HashMap::new();
    for field in fields.filter(Field::is_present) {
        let text = field.text("a text", |text| Ok::<_, ()>(form(text)))?;
        if let Some(earlier) = earlier_paths.insert(text, field.path().clone()) {
            return Err(field.not_allowed(format!("another one than {earlier}")));
        }
    }
    Ok(())
}
