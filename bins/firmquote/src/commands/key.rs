//! `firmquote key new`.

use std::io::Write as _;

use firmquote_signer::{LocalSigner, Signer as _, random_key_hex};

use super::output::Output;

/// Makes a signing key and shows it once.
pub(crate) fn new() -> anyhow::Result<()> {
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
