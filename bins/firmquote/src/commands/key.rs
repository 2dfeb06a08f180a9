//! `firmquote key`: makes signing keys, encrypts them, and shows their accounts.

use std::{
    fs::OpenOptions,
    io::{Read as _, Write as _, stdin},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use anyhow::Context as _;
use firmquote_config::FileReaders;
use firmquote_server::system_environment;
use firmquote_signer::{KeystoreError, LocalSigner, NewKeystore, Signer as _, random_key_hex};
use zeroize::Zeroizing;

use super::output;
use crate::{
    cli::{HexSource, KeySource, NewKeystoreFiles},
    secret,
};

/// Upper bound on a keystore file, in bytes.
const MAX_KEYSTORE_BYTES: usize = 64 << 10;
/// Upper bound on a hex key with surrounding whitespace, in bytes.
const MAX_HEX_FILE_BYTES: usize = 256;

/// Generates a signing key and shows it once, or writes it to a new keystore.
pub(crate) fn new(files: &NewKeystoreFiles) -> anyhow::Result<()> {
    match (&files.keystore, &files.password_file) {
        (Some(keystore), Some(password_file)) => write_keystore(keystore, password_file, NewKeystore::random),
        _ => show(),
    }
}

fn show() -> anyhow::Result<()> {
    let key = random_key_hex()?;
    let address = LocalSigner::from_hex(&key)?.address();
    output::print_secret(format_args!(
        "\
Signing key, shown only once. Store it where only the service can read it:

    {}

Its account, to be set as the designated signer of the pool contract:

    {address}

Configuration lines, with the key in the environment variable FIRMQUOTE_SIGNER_KEY:

[[signer]]
name = \"hot\"
key_env = \"FIRMQUOTE_SIGNER_KEY\"
",
        key.as_str()
    ))
}

/// Shows the account of a key.
pub(crate) fn address(source: &KeySource) -> anyhow::Result<()> {
    let signer = match (&source.keystore, &source.password_file) {
        (Some(keystore), Some(password_file)) => {
            let json = system_environment()
                .file(keystore, MAX_KEYSTORE_BYTES, FileReaders::OwnerOnly)
                .with_context(|| format!("cannot read {}", keystore.display()))?;
            LocalSigner::from_keystore(&json, &secret::from_file(password_file, "password")?)
                .with_context(|| keystore.display().to_string())?
        }
        _ => LocalSigner::from_hex(&hex_key(&source.hex)?)?,
    };
    output::print(format_args!("{}\n", signer.address()))
}

/// Encrypts a key into a new keystore.
pub(crate) fn import(source: &HexSource, keystore: &Path, password_file: &Path) -> anyhow::Result<()> {
    let key = hex_key(source)?;
    write_keystore(keystore, password_file, |password| NewKeystore::from_hex(&key, password))?;
    output::print(format_args!("\nThe source of the key was not deleted.\n"))
}

/// Reads the hex digits of a key from its file, else from standard input.
fn hex_key(source: &HexSource) -> anyhow::Result<Zeroizing<String>> {
    let contents = match &source.key_file {
        Some(path) => system_environment()
            .file(path, MAX_HEX_FILE_BYTES, FileReaders::OwnerOnly)
            .with_context(|| format!("cannot read {}", path.display()))?,
        None => {
            let mut contents = Zeroizing::new(Vec::with_capacity(MAX_HEX_FILE_BYTES));
            stdin().lock().take(u64::try_from(MAX_HEX_FILE_BYTES)?).read_to_end(&mut contents)?;
            contents
        }
    };
    Ok(Zeroizing::new(str::from_utf8(&contents).unwrap_or_default().trim().to_owned()))
}

fn write_keystore(
    keystore: &Path,
    password_file: &Path,
    encrypt: impl FnOnce(&[u8]) -> Result<NewKeystore, KeystoreError>,
) -> anyhow::Result<()> {
    let NewKeystore { address, json } = encrypt(&secret::from_file(password_file, "password")?)?;
    write_new(keystore, &json).with_context(|| format!("cannot write {}", keystore.display()))?;
    output::print(format_args!(
        "\
The encrypted signing key is in {}. Back up the file and its password.

Its account, to be set as the designated signer of the pool contract:

    {address}

Configuration lines:

[[signer]]
name = \"hot\"
keystore = {}
password_file = {}
",
        keystore.display(),
        quoted(keystore),
        quoted(password_file)
    ))
}

/// Writes a new file that only its owner can read, and syncs it to disk.
pub(super) fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Returns a path as a TOML string.
fn quoted(path: &Path) -> toml_edit::Value {
    path.display().to_string().into()
}
