//! `firmquote config`.

use std::{io::Write as _, path::Path};

use anyhow::Context as _;

use super::{key::write_new, output::Output};

/// A complete configuration, with a comment on every key.
const EXAMPLE: &str = include_str!("../../example.toml");

/// Prints an example configuration, or writes it to `file`, which must not exist yet.
pub(crate) fn init(file: Option<&Path>) -> anyhow::Result<()> {
    let mut out = Output::lock();
    match file {
        None => out.write_all(EXAMPLE.as_bytes())?,
        Some(path) => {
            write_new(path, EXAMPLE).with_context(|| format!("cannot write {}", path.display()))?;
            let path = path.display();
            writeln!(
                out,
                "{path} has an example pool: replace it with your own, then run firmquote check --config {path}"
            )?;
        }
    }
    Ok(out.flush()?)
}
