//! `firmquote key new`.

use std::{fs::OpenOptions, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use anyhow::Context as _;
use firmquote_signer::{LocalSigner, NewKeystore, Signer as _, random_key_hex};

use super::output::Output;
use crate::{
    cli::NewKeystoreFiles,
    file::{self, Readers},
    password,
};

/// Makes a signing key and shows it once, or writes it to a keystore that is not there yet.
pub(crate) fn new(files: &NewKeystoreFiles) -> anyhow::Result<()> {
    match (&files.keystore, &files.password_file) {
        (Some(keystore), Some(password_file)) => write_keystore(keystore, password_file),
        _ => show(),
    }
}

fn show() -> anyhow::Result<()> {
    let key = random_key_hex()?;
    let address = LocalSigner::from_hex(&key)?.address();
    let mut out = Output::lock();
    write!(
        out,
        "\
Signing key, shown this once. Keep it where only the service can read it:

    {}

Its account, to be the designated signer of the pool contract:

    {address}

Lines for the configuration, with the key in the environment variable FIRMQUOTE_SIGNER_KEY:

[[signer]]
name = \"hot\"
key_env = \"FIRMQUOTE_SIGNER_KEY\"
",
        key.as_str()
    )?;
    Ok(out.flush()?)
}

fn write_keystore(keystore: &Path, password_file: &Path) -> anyhow::Result<()> {
    let contents = file::read(password_file, password::LONGEST_FILE, Readers::OwnerOnly)
        .with_context(|| format!("{} holds no password", password_file.display()))?;
    let password = password::of(&contents)
        .with_context(|| format!("{} is not a file that holds {}", password_file.display(), password::ALLOWED))?;
    let NewKeystore { address, json } = NewKeystore::random(password)?;
    write_new(keystore, &json).with_context(|| format!("{} is not written", keystore.display()))?;
    let mut out = Output::lock();
    write!(
        out,
        "\
A new signing key is in {}, encrypted. Nobody else has it: keep a copy of the file and of its password.

Its account, to be the designated signer of the pool contract:

    {address}

Lines for the configuration:

[[signer]]
name = \"hot\"
keystore = {}
password_file = {}
",
        keystore.display(),
        quoted(keystore),
        quoted(password_file)
    )?;
    Ok(out.flush()?)
}

/// Writes a file that was not there, for its owner's eyes only, down to the disk.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A path as TOML writes it.
fn quoted(path: &Path) -> toml::Value {
    toml::Value::String(path.display().to_string())
}
