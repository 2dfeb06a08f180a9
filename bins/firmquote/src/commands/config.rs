//! `firmquote config`.

use std::path::Path;

use anyhow::Context as _;

use super::{key::write_new, output};

/// A complete configuration, with a comment on every key.
const EXAMPLE: &str = include_str!("../../example.toml");

/// Prints an example configuration, or writes it to `file`, which must not exist yet.
pub(crate) fn init(file: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = file else { return output::print(EXAMPLE) };
    write_new(path, EXAMPLE).with_context(|| format!("cannot write {}", path.display()))?;
    let path = path.display();
    output::print(format_args!(
        "{path} has an example pool: replace it with your own, then run firmquote check --config {path}\n"
    ))
}
