//! `[[signer]]`: the keys that sign. A key itself never stands in a configuration, and no error repeats one.

use std::sync::Arc;

use firmquote_domain::InvalidValue;
use firmquote_signer::{LocalSigner, Signer, SignerError};

use super::{
    Occasion,
    elsewhere::Readers,
    error::Mistake,
    reader::{Field, Keys, Table},
};

/// A `[[signer]]`: `name`, 1 to 64 characters, which pools name it by, and where its key is: `key_env`, the name of an
/// environment variable that holds it, or `key_file`, a file that nobody but its owner may read, relative to the
/// working directory. A key is 64 hex digits, with or without 0x. Name and one of the two are required.
#[derive(Clone)]
pub(crate) struct SignerConfig {
    /// Its name.
    pub(crate) name: String,
    /// What signs.
    pub(crate) signer: Arc<dyn Signer>,
}

pub(super) const KEYS: Keys = Keys {
    now: &["name", "key_env", "key_file"],
    later: &[("keystore", "keys come from key_env or key_file"), ("password_file", "it would be that of a keystore")],
};

const KEY: &str = "64 hex digits";
const KEY_WITH_PREFIX: &str = "64 hex digits, with or without 0x";

impl SignerConfig {
    /// Reads every table, and every key.
    ///
    /// # Errors
    /// [`Mistake`] for the first key that is wrong or unusable, and for a name that is there twice.
    pub(super) fn read_all(tables: &[Table<'_>], occasion: Occasion) -> Result<Vec<Self>, Mistake> {
        let mut signers: Vec<Self> = Vec::new();
        for table in tables {
            let name = table.field("name").label(64)?;
            if signers.iter().any(|earlier| earlier.name == name) {
                return Err(table.field("name").not_allowed("a name that no other signer has"));
            }
            signers.push(Self { name, signer: Arc::new(read_signer(table, occasion)?) });
        }
        Ok(signers)
    }
}

fn read_signer(table: &Table<'_>, occasion: Occasion) -> Result<LocalSigner, Mistake> {
    let (variable, file) = (table.field("key_env").secret(), table.field("key_file"));
    match (variable.is_there(), file.is_there()) {
        (true, true) => Err(file.not_allowed("only one of key_env and key_file")),
        (_, true) if occasion == Occasion::Demo => Err(file.not_allowed(super::demo::ONLY_FRESH)),
        (true, _) if occasion == Occasion::Demo => Err(variable.not_allowed(super::demo::ONLY_FRESH)),
        (false, false) if occasion == Occasion::Demo => {
            LocalSigner::random().map_err(|error| variable.not_allowed(reason(&error)))
        }
        (_, false) => from_variable(&table.field("key_env")),
        (false, true) => from_file(&file),
    }
}

fn from_variable(field: &Field<'_>) -> Result<LocalSigner, Mistake> {
    signer(field, &field.of_variable(KEY)?, "the name of a variable that holds")
}

fn from_file(field: &Field<'_>) -> Result<LocalSigner, Mistake> {
    /// More than any key with blanks around it.
    const LONGEST: usize = 256;
    let contents = field.of_file(KEY_WITH_PREFIX, LONGEST, Readers::OwnerOnly)?;
    signer(field, str::from_utf8(&contents).unwrap_or_default().trim(), "a file that holds")
}

fn signer(field: &Field<'_>, key: &str, holder: &str) -> Result<LocalSigner, Mistake> {
    LocalSigner::from_hex(key).map_err(|error| field.not_allowed(format!("{holder} {}", reason(&error))))
}

/// What a key has to be, as the signer says it.
fn reason(error: &SignerError) -> String {
    match error {
        SignerError::InvalidKey(
            InvalidValue::Malformed { expected: allowed }
            | InvalidValue::OutOfRange { allowed }
            | InvalidValue::TooPrecise { allowed },
        ) => (*allowed).to_owned(),
        error => error.to_string(),
    }
}
