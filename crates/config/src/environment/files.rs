//! The files that a configuration is read from, for watching: itself, the credentials file, lists of accounts, and the
//! TLS certificate.

use std::path::{Path, PathBuf};

use crate::{
    Environment, Override,
    config::read_text,
    document::{
        env_overrides, toml,
        tree::{Node, Value},
    },
};

/// The files of a configuration, except signing keys: those are only reloaded on request.
#[derive(Default)]
pub struct Files {
    /// The configuration itself and its lists of accounts, which take effect together.
    pub config_and_lists: Vec<PathBuf>,
    /// The credentials file.
    pub credentials: Vec<PathBuf>,
    /// The TLS certificate and its key.
    pub certificate: Vec<PathBuf>,
}

/// Returns the files of the configuration at `path`; of an unreadable one, only itself.
pub fn files(path: &Path, overrides: &[Override], environment: &dyn Environment) -> Files {
    let referenced_files = || {
        let (name, text) = read_text(path, environment).ok()?;
        let mut root = toml::parse(&name, &text).ok()?;
        env_overrides::apply(&mut root, overrides).ok()?;
        Some(referenced_files(&root))
    };
    let mut files = referenced_files().unwrap_or_default();
    let directory = path.parent().unwrap_or(Path::new(""));
    let Files { config_and_lists, credentials, certificate } = &mut files;
    for file in config_and_lists.iter_mut().chain(credentials).chain(certificate) {
        *file = directory.join(&*file);
    }
    files.config_and_lists.push(path.to_owned());
    files
}

fn referenced_files(root: &Node) -> Files {
    let alone = |table: &str, key: &str| root.entry(table).and_then(|table| table.entry(key)).and_then(path);
    let tables = |name: &str| match root.entry(name).map(|node| &node.value) {
        Some(Value::List(tables)) => tables.as_slice(),
        _ => &[],
    };
    let secrets = tables("webhook").iter().filter_map(|webhook| webhook.entry("secret_file"));
    let lists = tables("pool").iter().filter_map(|pool| match pool.entry("signing").map(|node| &node.value) {
        Some(Value::Table(entries)) => Some(entries.iter().filter(|(key, _)| key.ends_with("_file"))),
        _ => None,
    });
    let lists = lists.flatten().map(|(_, node)| node);
    let certificate = ["tls_certificate_file", "tls_key_file"].into_iter().filter_map(|key| alone("server", key));
    Files {
        config_and_lists: lists.chain(secrets).filter_map(path).collect(),
        credentials: alone("auth", "credentials_file").into_iter().collect(),
        certificate: certificate.collect(),
    }
}

fn path(node: &Node) -> Option<PathBuf> {
    match &node.value {
        Value::Text(path) | Value::Untyped(path) => Some(PathBuf::from(path)),
        _ => None,
    }
}
