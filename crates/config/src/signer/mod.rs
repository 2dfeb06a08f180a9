//! `[[signer]]`: the signing keys. A configuration never contains a key itself, and no error repeats one.

mod host;
mod keystore;
mod remote;
mod table;

use std::sync::Arc;

use firmquote_signer::{LocalSigner, Signer};

pub(crate) use self::table::SignerTable;
use self::{host::HostSigner, keystore::reason, table::SigningKey};
use crate::{
    FileReaders,
    document::{
        deserializer::keys_of,
        error::KeyError,
        field::Field,
        values::{setting::OptionalSetting as _, text::FilePath},
    },
    mode::ConfigMode,
};

/// The allowed keys of the signer of a built-in configuration.
const ONLY_GENERATED: &str =
    "no key, a built-in configuration generates its own; for another one, use a configuration file";

/// A signer by the name that pools refer to it by.
#[derive(Clone)]
pub struct SignerConfig {
    /// Its name.
    pub name: String,
    /// The signer.
    pub signer: Arc<dyn Signer>,
}

/// The keys that each locate a signing key.
const KEY_SOURCES: [&str; 5] = ["key_env", "key_file", "keystore", "remote_url", "host_address"];

const KEY_WITH_PREFIX: &str = "64 hex digits, with or without 0x";

impl SignerConfig {
    /// Refuses keys of the tables at `field` that have no effect, whatever their values are.
    ///
    /// # Errors
    /// [`KeyError`] for the first.
    pub(crate) fn check_keys(field: &Field<'_>, mode: ConfigMode) -> Result<(), KeyError> {
        let others = || keys_of::<SignerTable>().iter().copied().filter(|key| *key != "name");
        field.entries().try_for_each(|table| match mode {
            ConfigMode::BuiltIn => table.refuse(others(), ONLY_GENERATED),
            ConfigMode::Operation | ConfigMode::Calculation => check_sources(&table),
        })
    }

    /// Creates the signers of the tables at `field`, and reads every signing key that is not held by a signing service.
    ///
    /// # Errors
    /// [`KeyError`] for a duplicate name, and for a missing or unusable key.
    pub(crate) fn read(tables: Vec<SignerTable>, field: &Field<'_>, mode: ConfigMode) -> Result<Vec<Self>, KeyError> {
        let mut signers: Vec<Self> = Vec::new();
        for (table, field) in tables.into_iter().zip(field.entries()) {
            if signers.iter().any(|earlier| earlier.name == table.name.0) {
                return Err(field.key("name").not_allowed("a name that no other signer has"));
            }
            let name = table.name.0.clone();
            signers.push(Self { name, signer: signer(table, &field, mode)? });
        }
        Ok(signers)
    }
}

fn signer(table: SignerTable, field: &Field<'_>, mode: ConfigMode) -> Result<Arc<dyn Signer>, KeyError> {
    if mode != ConfigMode::Operation {
        return Ok(Arc::new(generate(field)?));
    }
    if let Some(file) = &table.key_file {
        return Ok(Arc::new(from_file(&field.key("key_file"), &file.0)?));
    }
    if let Some(file) = table.keystore {
        return Ok(keystore::read(&file.0, table.password_file.value(), field)?);
    }
    if table.remote_url.is_some() {
        return Ok(Arc::new(remote::new(table, field)?));
    }
    if let Some(account) = table.host_address {
        return Ok(Arc::new(HostSigner(account.0)));
    }
    let field = field.key("key_env");
    let name = table.key_env.required(&field)?;
    let key = field.read_variable::<SigningKey>(&name)?;
    let signer = LocalSigner::from_hex(&key).map_err(|error| {
        field.variable_not_allowed(&name, format!("the name of a variable that holds {}", reason(&error)))
    });
    Ok(Arc::new(signer?))
}

/// Refuses a second location of the key, and keys that belong to another location.
fn check_sources(table: &Field<'_>) -> Result<(), KeyError> {
    let mut sources = KEY_SOURCES.into_iter().filter(|source| table.key(source).is_present());
    let source = sources.next();
    if let Some(second) = sources.next() {
        return Err(table.key(second).not_allowed(format!("only one of {}", KEY_SOURCES.join(", "))));
    }
    let owner = |key: &str| match key {
        "password_file" => Some("keystore"),
        key if key.starts_with("remote_") => Some("remote_url"),
        _ => None,
    };
    for key in keys_of::<SignerTable>().iter().copied() {
        if let Some(owner) = owner(key).filter(|owner| Some(*owner) != source) {
            table.refuse([key], &format!("only with {owner}"))?;
        }
    }
    Ok(())
}

/// Generates the demo's own key.
fn generate(table: &Field<'_>) -> Result<LocalSigner, KeyError> {
    LocalSigner::random().map_err(|error| table.key("key_env").not_allowed(reason(&error)))
}

fn from_file(field: &Field<'_>, file: &FilePath) -> Result<LocalSigner, KeyError> {
    /// Maximum length of a key file in bytes, more than any key with whitespace around it.
    const MAX_LENGTH: usize = 256;
    let contents = field.read_file(file, KEY_WITH_PREFIX, MAX_LENGTH, FileReaders::OwnerOnly)?;
    let key = str::from_utf8(&contents).unwrap_or_default().trim();
    LocalSigner::from_hex(key).map_err(|error| field.not_allowed(format!("a file that holds {}", reason(&error))))
}
