//! `[[signer]]`: the signing keys. A configuration never contains a key itself, and no error repeats one.

mod host;
mod keystore;
pub mod keystore_password;
mod remote;

use std::sync::Arc;

use firmquote_signer::{LocalSigner, Signer};

use self::{host::HostSigner, keystore::reason};
use crate::{
    FileReaders,
    document::{
        error::KeyError,
        reader::{Field, Keys, Table},
    },
    mode::ConfigMode,
};

/// The allowed keys of the demo's signer.
const ONLY_GENERATED: &str = "no key, the demo generates its own; for another one, use a configuration file";

/// A `[[signer]]`: `name`, 1 to 64 characters, by which pools refer to it, and where its key is, exactly one of:
/// `key_env`, the name of an environment variable that holds it; `key_file`, a file that only its owner may read;
/// `keystore`, an encrypted file, with `password_file`; `remote_url`, a signing service, with `remote_address` and
/// optionally `remote_timeout_ms` 2000 (50 to 60000), `remote_ca_file`, `remote_certificate_file` and
/// `remote_key_file`; or `host_address`, a signer of the embedding program. Files are relative to that of the
/// configuration. A key is 64 hex digits, with or without 0x.
#[derive(Clone)]
pub struct SignerConfig {
    /// Its name.
    pub name: String,
    /// The signer.
    pub signer: Arc<dyn Signer>,
}

pub(super) const KEYS: Keys = Keys::new(&[
    "name",
    "key_env",
    "key_file",
    "keystore",
    "host_address",
    "password_file",
    "remote_url",
    "remote_address",
    "remote_timeout_ms",
    "remote_ca_file",
    "remote_certificate_file",
    "remote_key_file",
]);

/// The configuration keys that each locate a signing key.
const KEY_SOURCES: [&str; 5] = ["key_env", "key_file", "keystore", "remote_url", "host_address"];

const KEY: &str = "64 hex digits";
const KEY_WITH_PREFIX: &str = "64 hex digits, with or without 0x";

impl SignerConfig {
    /// Reads all tables, and every signing key that is not held by a signing service.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid or unusable key, and for a duplicate name.
    pub(super) fn read_all(tables: &[Table<'_>], mode: ConfigMode) -> Result<Vec<Self>, KeyError> {
        let mut signers: Vec<Self> = Vec::new();
        for table in tables {
            let name = table.field("name").label(64)?;
            if signers.iter().any(|earlier| earlier.name == name) {
                return Err(table.field("name").not_allowed("a name that no other signer has"));
            }
            signers.push(Self { name, signer: read_signer(table, mode)? });
        }
        Ok(signers)
    }
}

fn read_signer(table: &Table<'_>, mode: ConfigMode) -> Result<Arc<dyn Signer>, KeyError> {
    if mode == ConfigMode::BuiltIn {
        return Ok(Arc::new(generate(table)?));
    }
    let source = key_source(table)?;
    check_related_keys(table, source)?;
    Ok(match source {
        "key_file" => Arc::new(from_file(&table.field(source))?),
        "keystore" => keystore::read(table)?,
        "remote_url" => Arc::new(remote::read(table)?),
        "host_address" => Arc::new(HostSigner(table.field(source).account()?)),
        _ => Arc::new(from_variable(&table.field(source))?),
    })
}

/// Returns the only configuration key present that locates the signing key; the first of them if none is present.
fn key_source(table: &Table<'_>) -> Result<&'static str, KeyError> {
    let mut written = KEY_SOURCES.into_iter().filter(|source| table.field(source).is_present());
    let first = written.next().unwrap_or("key_env");
    match written.next() {
        Some(second) => Err(secret_field(table, second).not_allowed(format!("only one of {}", KEY_SOURCES.join(", ")))),
        None => Ok(first),
    }
}

/// Refuses keys that belong to another location than the configured one.
fn check_related_keys(table: &Table<'_>, source: &str) -> Result<(), KeyError> {
    let owner = |key: &str| match key {
        "password_file" => Some("keystore"),
        key if key.starts_with("remote_") => Some("remote_url"),
        _ => None,
    };
    let stray = KEYS.names.iter().find_map(|key| {
        let owner = owner(key).filter(|owner| *owner != source)?;
        table.field(key).is_present().then(|| secret_field(table, key).not_allowed(format!("only with {owner}")))
    });
    stray.map_or(Ok(()), Err)
}

/// Returns a field, marked as secret if a key may have been written there by mistake.
fn secret_field<'t>(table: &Table<'t>, key: &str) -> Field<'t> {
    match key {
        "key_env" | "remote_url" => table.field(key).secret(),
        _ => table.field(key),
    }
}

/// Generates the demo's own key; refuses a configured one.
fn generate(table: &Table<'_>) -> Result<LocalSigner, KeyError> {
    let written = KEYS.names.iter().skip(1).find(|key| table.field(key).is_present());
    if let Some(key) = written {
        return Err(secret_field(table, key).not_allowed(ONLY_GENERATED));
    }
    LocalSigner::random().map_err(|error| table.field("key_env").not_allowed(reason(&error)))
}

fn from_variable(field: &Field<'_>) -> Result<LocalSigner, KeyError> {
    signer(field, &field.read_variable(KEY)?, "the name of a variable that holds")
}

fn from_file(field: &Field<'_>) -> Result<LocalSigner, KeyError> {
    /// Maximum length of a key file in bytes, more than any key with whitespace around it.
    const MAX_LENGTH: usize = 256;
    let contents = field.read_file(KEY_WITH_PREFIX, MAX_LENGTH, FileReaders::OwnerOnly)?;
    signer(field, str::from_utf8(&contents).unwrap_or_default().trim(), "a file that holds")
}

fn signer(field: &Field<'_>, key: &str, holder: &str) -> Result<LocalSigner, KeyError> {
    LocalSigner::from_hex(key).map_err(|error| field.not_allowed(format!("{holder} {}", reason(&error))))
}
