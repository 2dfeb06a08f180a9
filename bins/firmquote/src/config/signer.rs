//! `[[signer]]`: the keys that sign. A key itself never stands in a configuration, and no error repeats one.

use std::{
    fs::File,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    sync::Arc,
};

use firmquote_domain::InvalidValue;
use firmquote_signer::{LocalSigner, Signer, SignerError};
use zeroize::Zeroizing;

use super::{
    Occasion,
    error::Mistake,
    reader::{Field, Keys, Table},
};
use crate::environment;

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

const VARIABLE: &str = "the name of an environment variable, in capitals, that holds 64 hex digits";
const FILE: &str = "a file that holds 64 hex digits";

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
        (_, false) => from_variable(table, &variable),
        (false, true) => from_file(&file),
    }
}

fn from_variable(table: &Table<'_>, field: &Field<'_>) -> Result<LocalSigner, Mistake> {
    // The key itself may have been written here by mistake: what is not a name is not shown.
    let name = field.text(VARIABLE, |text| is_variable_name(text).then_some(text).ok_or(()))?;
    let field = table.field("key_env");
    let key = environment::secret(name);
    let key = key.ok_or_else(|| field.not_allowed("the name of a variable that is set, and holds 64 hex digits"))?;
    signer(&field, &key, "the name of a variable that holds")
}

fn is_variable_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    starts && text.len() <= 128 && text.bytes().all(is_plain)
}

fn from_file(field: &Field<'_>) -> Result<LocalSigner, Mistake> {
    const MODE: &str = "a file that only its owner may read and write (mode 600 or 400)";
    let path = field.text(FILE, Ok::<_, ()>)?;
    let unreadable = |error: io::Error| field.not_allowed(format!("a file that can be read ({error})"));
    let file = File::open(path).map_err(unreadable)?;
    let meta = file.metadata().map_err(unreadable)?;
    if meta.is_file() && meta.permissions().mode() & 0o077 != 0 {
        return Err(field.not_allowed(MODE));
    }
    // Longer than any key is not read at all.
    let mut text = Zeroizing::new(String::with_capacity(256));
    file.take(256).read_to_string(&mut text).map_err(unreadable)?;
    signer(field, text.trim(), "a file that holds")
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
