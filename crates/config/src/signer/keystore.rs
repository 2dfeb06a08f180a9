//! A key in an encrypted keystore file, with its password in another file.

use std::sync::Arc;

use firmquote_domain::InvalidValue;
use firmquote_signer::{KeystoreError, LocalSigner, SignerError};

use crate::{
    FileReaders,
    document::{error::KeyError, field::Field, values::text::FilePath},
    secret_file,
};

/// Returns the requirements on a key, from the signer's error.
pub(super) fn reason(error: &SignerError) -> String {
    match error {
        SignerError::InvalidKey(
            InvalidValue::Malformed { expected: allowed }
            | InvalidValue::OutOfRange { allowed }
            | InvalidValue::TooPrecise { allowed },
        ) => (*allowed).to_owned(),
        error => error.to_string(),
    }
}

/// Description of the contents of a password file.
const KEYSTORE_PASSWORD: &str = "the password of a keystore in its first line";

/// Maximum length of a keystore in bytes, more than any keystore.
const MAX_KEYSTORE_BYTES: usize = 64 << 10;

/// Reads the files of the keys `keystore` and `password_file` of the table at `field`, and decrypts the key, which takes
/// about a second where it is not in use.
///
/// # Errors
/// [`KeyError`] for a missing password file, for files that cannot be read or have other contents, and for a password
/// that does not open the keystore.
pub(super) fn read(
    file: &FilePath,
    password_path: Option<FilePath>,
    field: &Field<'_>,
) -> Result<Arc<LocalSigner>, KeyError> {
    let (keystore, password_file) = (field.key("keystore"), field.key("password_file"));
    let json = keystore.read_file(file, "a keystore of version 3", MAX_KEYSTORE_BYTES, FileReaders::All)?;
    let holding = || password_file.not_allowed(format!("a file that holds {}", KEYSTORE_PASSWORD));
    let contents = password_file.read_file(
        &password_path.ok_or_else(holding)?,
        KEYSTORE_PASSWORD,
        secret_file::MAX_FILE_BYTES,
        FileReaders::OwnerOnly,
    )?;
    let password = secret_file::first_line(&contents).ok_or_else(holding)?;
    keystore.environment().signer(&json, password).map_err(|error| match error {
        KeystoreError::Malformed { line, column } => keystore.not_allowed(format!(
            "a file that holds a keystore of version 3 (read up to line {line}, column {column})"
        )),
        KeystoreError::Unusable { member, allowed } => {
            keystore.not_allowed(format!("a keystore whose {member} is {allowed}"))
        }
        KeystoreError::WrongPassword => {
            password_file.not_allowed("the password that opens the keystore, in its first line")
        }
        KeystoreError::Signer(error) => keystore.not_allowed(reason(&error)),
    })
}
