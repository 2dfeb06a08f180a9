//! `auth.credentials_file`: a separate file of `[[credential]]` tables, reloaded whenever it changes, and the edits
//! that `firmquote credential` makes: comments and order are preserved, and the result is always usable.

use std::{path::Path, sync::Arc};

use firmquote_http::ClientCredential;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

use super::CredentialTable;
use crate::{
    ConfigError, EmptyEnvironment, Environment,
    config::{parse, read_text},
    document::{deserializer::Tables, field::Field},
};

/// The file contains only credentials.
#[derive(Deserialize)]
struct Document {
    credential: Tables<CredentialTable>,
}

/// The credentials of a file, as it was read.
#[derive(Clone, Default, PartialEq)]
pub struct ReadCredentialsFile {
    /// The credentials.
    pub credentials: Vec<ClientCredential>,
    /// Identifies the contents of the file: see [`file_id`].
    pub file_id: String,
}

/// Reads the credentials of the file at `path`.
///
/// # Errors
/// [`ConfigError`] for the first problem.
pub fn read(path: &Path, environment: &Arc<dyn Environment>) -> Result<ReadCredentialsFile, ConfigError> {
    let (file, text) = read_text(path, &**environment)?;
    Ok(ReadCredentialsFile { credentials: parse_text(&file, &text)?, file_id: file_id(text.as_bytes()) })
}

/// Returns what identifies the contents of a file, to compare those of replicas: the first 12 hex digits of their SHA-256.
pub fn file_id(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// Parses the credentials in `text`, the contents of `file`.
///
/// # Errors
/// [`ConfigError`] for the first problem.
pub fn parse_text(file: &str, text: &str) -> Result<Vec<ClientCredential>, ConfigError> {
    // The hashes are in the file itself: it references nothing.
    let environment: Arc<dyn Environment> = Arc::new(EmptyEnvironment);
    parse(file, text, &[], |root| {
        let root = Field::root(root, &environment);
        let document: Document = root.read()?;
        super::read(document.credential.0, &root.key(TABLES))
    })
}

/// Why a credentials file cannot be edited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidCredentialsFile {
    /// The service would refuse the file.
    #[error(transparent)]
    Unusable(#[from] ConfigError),
    /// The file is not TOML.
    #[error("{file}: not TOML")]
    Syntax {
        /// The path of the file as given.
        file: String,
        /// The cause.
        #[source]
        source: toml_edit::TomlError,
    },
    /// Credentials are written as an array of inline tables.
    #[error("{file}: credentials have to be written as [[credential]] tables to be edited")]
    Inline {
        /// The path of the file as given.
        file: String,
    },
}

/// The name of the tables in the file.
const TABLES: &str = "credential";

/// The keys that set terms, which may be edited: never a hash or a name.
pub const TERMS: [&str; 10] = [
    "enabled",
    "expires_at",
    "chains",
    "pools",
    "pairs",
    "fee_adjust_bps",
    "max_trade_usd",
    "max_usd_per_minute",
    "max_outstanding_bps",
    "max_requests_per_second",
];

/// Whether a key sets a term of the client, which is the same in each of its credentials, and not of one credential alone.
fn is_of_client(key: &str) -> bool {
    TERMS.contains(&key) && !["enabled", "expires_at"].contains(&key)
}

/// The editable credentials of one file, with comments and formatting.
pub struct CredentialsDocument {
    /// The name of the file in errors.
    file: String,
    document: DocumentMut,
}

impl CredentialsDocument {
    /// Parses `text`, the contents of `file`.
    ///
    /// # Errors
    /// When it is not usable, and when credentials are written as an array of inline tables.
    pub fn read(file: String, text: &str) -> Result<Self, InvalidCredentialsFile> {
        parse_text(&file, text)?;
        let document = match text.parse() {
            Ok(document) => document,
            Err(source) => return Err(InvalidCredentialsFile::Syntax { file, source }),
        };
        let mut document = Self { file, document };
        document.tables_mut()?;
        Ok(document)
    }

    /// Returns the credentials, in file order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.document.get(TABLES).and_then(Item::as_array_of_tables).into_iter().flatten()
    }

    /// Appends a credential, with the terms of its client.
    ///
    /// # Errors
    /// None for a document that was read successfully.
    pub fn add(&mut self, mut credential: Table) -> Result<(), InvalidCredentialsFile> {
        let tables = self.tables_mut()?;
        let is_same_client = |table: &&Table| text(table, "client") == text(&credential, "client");
        if let Some(other) = tables.iter().find(is_same_client) {
            for (key, value) in other.iter().filter(|(key, _)| is_of_client(key)) {
                credential.insert(key, value.clone());
            }
        }
        tables.push(credential);
        Ok(())
    }

    /// Sets keys of the credential with this id, or removes those without a value; the terms of a client in each of its
    /// credentials. Returns whether there is such a credential; whether the values are allowed, [`text`](Self::text) says.
    ///
    /// # Errors
    /// None for a document that was read successfully.
    pub fn set(&mut self, id: &str, keys: &[(String, Option<Value>)]) -> Result<bool, InvalidCredentialsFile> {
        let tables = self.tables_mut()?;
        let Some(selected) = tables.iter().find(|table| id_of(table) == id) else { return Ok(false) };
        let client = text(selected, "client").map(str::to_owned);
        for table in tables.iter_mut().filter(|table| text(table, "client") == client.as_deref()) {
            let is_selected = id_of(table) == id;
            for (key, value) in keys.iter().filter(|(key, _)| is_selected || is_of_client(key)) {
                match value {
                    Some(value) => _ = table.insert(key, Item::Value(value.clone())),
                    None => _ = table.remove(key),
                }
            }
        }
        Ok(true)
    }

    /// Removes every credential for which `is_meant` returns true, and returns their number.
    ///
    /// # Errors
    /// None for a document that was read successfully.
    pub fn remove(&mut self, is_meant: impl Fn(&Table) -> bool) -> Result<usize, InvalidCredentialsFile> {
        let tables = self.tables_mut()?;
        let before = tables.len();
        tables.retain(|table| !is_meant(table));
        Ok(before - tables.len())
    }

    /// Returns the edited text.
    ///
    /// # Errors
    /// When it would not be usable.
    pub fn text(&self) -> Result<String, InvalidCredentialsFile> {
        let text = self.document.to_string();
        parse_text(&self.file, &text)?;
        Ok(text)
    }

    fn tables_mut(&mut self) -> Result<&mut ArrayOfTables, InvalidCredentialsFile> {
        let none = || Item::ArrayOfTables(ArrayOfTables::new());
        self.document
            .entry(TABLES)
            .or_insert_with(none)
            .as_array_of_tables_mut()
            .ok_or_else(|| InvalidCredentialsFile::Inline { file: self.file.clone() })
    }
}

/// Returns the id of a credential on the command line: the start of the hash of an API key, or a username.
pub fn id_of(credential: &Table) -> String {
    const ID_LENGTH: usize = 12;
    match text(credential, "api_key_sha256") {
        Some(hash) => hash.to_ascii_lowercase().chars().take(ID_LENGTH).collect(),
        None => text(credential, "username").unwrap_or_default().to_owned(),
    }
}

/// Returns the text value of a key.
pub fn text<'t>(credential: &'t Table, key: &str) -> Option<&'t str> {
    credential.get(key).and_then(Item::as_str)
}

#[cfg(test)]
mod tests {
    use toml_edit::value;

    use super::*;

    #[test]
    fn all_credentials_of_a_client_have_the_same_terms() {
        let [first, second, other] = ["1", "2", "3"].map(|digit| digit.repeat(64));
        let read =
            |client: &str, hash: &str| format!("[[credential]]\nclient = \"{client}\"\napi_key_sha256 = \"{hash}\"\n");
        let text = read("acme", &first) + &read("other", &other);
        let mut document = CredentialsDocument::read("f".to_owned(), &text).unwrap();
        let set = |document: &mut CredentialsDocument, key: &str, value: Option<Value>| {
            assert!(document.set(&first[..12], &[(key.to_owned(), value)]).unwrap());
            document.text().unwrap()
        };
        set(&mut document, "max_trade_usd", Some(Value::from(1_500)));
        let mut new = Table::new();
        new.insert("client", value("acme"));
        new.insert("api_key_sha256", value(&second));
        document.add(new).unwrap();
        assert_eq!(
            document.text().unwrap().matches("max_trade_usd = 1500").count(),
            2,
            "a new one has those of its client"
        );
        assert_eq!(
            set(&mut document, "max_trade_usd", Some(Value::from(900))).matches("max_trade_usd = 900").count(),
            2
        );
        assert_eq!(
            set(&mut document, "enabled", Some(Value::from(false))).matches("enabled").count(),
            1,
            "of one alone"
        );
        assert!(!set(&mut document, "max_trade_usd", None).contains("max_trade_usd"));
    }

    #[test]
    fn inline_credentials_are_rejected_not_ignored() {
        let hash = "0123456789abcdef".repeat(4);
        for text in
            [format!("credential = [{{ client = \"acme\", api_key_sha256 = \"{hash}\" }}]"), "credential = []".into()]
        {
            assert!(parse_text("f", &text).is_ok(), "{text}");
            let error = CredentialsDocument::read("f".to_owned(), &text).map(drop).unwrap_err().to_string();
            assert_eq!(error, "f: credentials have to be written as [[credential]] tables to be edited");
        }
    }
}
