//! The files that a configuration is read from, to be watched: itself, the credentials file, lists of accounts,
//! the certificate that TLS is spoken with.

use std::path::{Path, PathBuf};

use super::{
    Override, file, overlay, text_of,
    tree::{Node, Value},
};

/// The configuration at `path`, and every file that it is read from besides signing keys: those are read again when that
/// is asked for. Of a configuration that cannot be read, itself.
pub(crate) fn files(path: &Path, overrides: &[Override]) -> Vec<PathBuf> {
    let named = || {
        let (name, text) = text_of(path).ok()?;
        let mut root = file::parse(&name, &text).ok()?;
        overlay::lay(&mut root, overrides).ok()?;
        Some(named(&root))
    };
    std::iter::once(path.to_owned()).chain(named().into_iter().flatten()).collect()
}

fn named(root: &Node) -> Vec<PathBuf> {
    let keys = [("auth", "credentials_file"), ("server", "tls_certificate_file"), ("server", "tls_key_file")];
    let alone = keys.into_iter().filter_map(|(table, key)| root.entry(table)?.entry(key));
    let pools = match root.entry("pool").map(|node| &node.value) {
        Some(Value::List(pools)) => pools.as_slice(),
        _ => &[],
    };
    let lists = pools.iter().filter_map(|pool| match pool.entry("signing").map(|node| &node.value) {
        Some(Value::Table(entries)) => Some(entries.iter().filter(|(key, _)| key.ends_with("_file"))),
        _ => None,
    });
    let lists = lists.flatten().map(|(_, node)| node);
    let paths = alone.chain(lists).filter_map(|node| match &node.value {
        Value::Text(path) | Value::Loose(path) => Some(PathBuf::from(path)),
        _ => None,
    });
    paths.collect()
}
