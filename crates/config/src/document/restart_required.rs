//! Parts of a configuration as written, for comparison with another one: the parts that cannot be changed while the
//! service runs (its listeners, its store, its log, the trace collector, and the sources of prices and reserves), and
//! the locations of signing keys.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::Path,
};

use super::{
    path::{KeyPath, PathSegment},
    secret_refs::MAX_PEM_BYTES,
    tree::{Node, Value},
};
use crate::{FileReaders, Sources};

/// The tables that cannot be changed.
const TABLES: [&str; 6] = ["store", "log", "otlp", "chain", "price_source", "sandbox"];

/// The keys of `[server]` that can be changed.
const RELOADABLE_KEYS: [&str; 5] =
    ["admin_token_sha256", "service_name", "public_url", "trusted_proxies", "cors_origins"];

/// The keys of files that are read at start only.
const FILE_KEYS: [&str; 7] =
    ["password_file", "tls_ca_file", "tls_certificate_file", "tls_key_file", "rpc_ca_file", "ca_file", "headers_file"];

/// A part of a configuration as written, for comparison with another one. Without `Debug`: its texts may contain
/// secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RestartRequired {
    values: BTreeMap<KeyPath, String>,
    /// The hashes of the contents of files.
    files: BTreeMap<KeyPath, u64>,
}

impl RestartRequired {
    /// Collects the parts that cannot be changed while the service runs, with the current contents of their files.
    pub fn new(root: &Node, sources: &dyn Sources) -> Self {
        let (mut fixed, mut files) = (BTreeMap::new(), BTreeMap::new());
        if let Value::Table(entries) = &root.value {
            for table in TABLES {
                flatten(entries.get(table), &KeyPath::default().key(table), &mut fixed);
            }
            files =
                fixed.iter().filter_map(|(key, path)| Some((key.clone(), hash_of_file(key, path, sources)?))).collect();
            // Even an empty table has a meaning.
            if entries.contains_key("sandbox") {
                fixed.insert(KeyPath::default().key("sandbox"), "present".to_owned());
            }
            if let Some(Value::Table(server)) = entries.get("server").map(|node| &node.value) {
                let is_fixed = |key: &&String| !RELOADABLE_KEYS.contains(&key.as_str());
                for key in server.keys().filter(is_fixed) {
                    flatten(server.get(key), &KeyPath::default().key("server").key(key), &mut fixed);
                }
            }
        }
        Self { values: fixed, files }
    }

    /// Collects the `[[signer]]` tables by their names: the locations of keys, not the keys.
    pub fn signers_of(root: &Node) -> BTreeMap<String, Self> {
        let Some(Value::List(tables)) = root.entry("signer").map(|node| &node.value) else { return BTreeMap::new() };
        let named = tables.iter().filter_map(|table| {
            let Value::Text(name) = &table.entry("name")?.value else { return None };
            let mut values = BTreeMap::new();
            flatten(Some(table), &KeyPath::default(), &mut values);
            Some((name.clone(), Self { values, files: BTreeMap::new() }))
        });
        named.collect()
    }

    /// Returns the first key that differs from `other`.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let is_other = |key: &&KeyPath| self.values.get(*key) != other.values.get(*key);
        self.values.keys().chain(other.values.keys()).filter(is_other).min().map(ToString::to_string)
    }

    /// Returns the keys of the files whose contents differ from `other`.
    pub fn changed_files(&self, other: &Self) -> impl Iterator<Item = String> {
        let is_other = |(key, hash): &(&KeyPath, &u64)| other.files.get(*key).is_some_and(|other| other != *hash);
        self.files.iter().filter(is_other).map(|(key, _)| key.to_string())
    }
}

/// Returns the hash of the file at `path` if `key` is one of [`FILE_KEYS`] and the file can be read.
fn hash_of_file(key: &KeyPath, path: &str, sources: &dyn Sources) -> Option<u64> {
    let Some(PathSegment::Key(name)) = key.segments().last() else { return None };
    let contents = || sources.file(Path::new(path), MAX_PEM_BYTES, FileReaders::All).ok();
    let contents = FILE_KEYS.contains(&name.as_str()).then(contents)??;
    let mut hasher = DefaultHasher::new();
    contents.as_slice().hash(&mut hasher);
    Some(hasher.finish())
}

/// Collects every value below `node`, by its path. A text and a number with the same digits are equal.
fn flatten(node: Option<&Node>, path: &KeyPath, all: &mut BTreeMap<KeyPath, String>) {
    let mut keep = |value: &str| drop(all.insert(path.clone(), value.to_owned()));
    match node.map(|node| &node.value) {
        None => {}
        Some(Value::Text(text) | Value::Number(text) | Value::Date(text) | Value::Untyped(text)) => keep(text),
        Some(Value::Boolean(boolean)) => keep(&boolean.to_string()),
        Some(Value::List(nodes)) => {
            keep(&nodes.len().to_string());
            nodes.iter().enumerate().for_each(|(index, node)| flatten(Some(node), &path.index(index), all));
        }
        Some(Value::Table(entries)) => {
            entries.iter().for_each(|(key, node)| flatten(Some(node), &path.key(key), all));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use zeroize::Zeroizing;

    use super::{super::toml, *};
    use crate::{NoSources, UnreadableFile};

    #[test]
    fn the_first_differing_key_is_named() {
        let base = "[server]\nbind = \"a\"\nservice_name = \"N\"\n[[chain]]\nid = 1\n[limits]\nanonymous = true\n";
        let fixed = |text: &str| RestartRequired::new(&toml::parse("f", text).unwrap(), &NoSources);
        let difference = |from: &str, to: &str| fixed(base).difference(&fixed(&base.replace(from, to)));
        for (from, to, key) in [
            ("bind = \"a\"", "bind = \"b\"", Some("server.bind")),
            ("bind = \"a\"\n", "", Some("server.bind")),
            ("bind = \"a\"", "bind = \"a\"\nworkers = 1", Some("server.workers")),
            ("id = 1", "id = 2", Some("chain[0].id")),
            ("id = 1", "id = 1\n[[chain]]\nid = 2", Some("chain")),
            ("[[chain]]\nid = 1\n", "", Some("chain")),
            ("service_name = \"N\"", "", None),
            ("anonymous = true", "anonymous = false", None),
            ("[server]", "# a comment\n[server]", None),
            ("[limits]", "[sandbox]\n[limits]", Some("sandbox")),
        ] {
            assert_eq!(difference(from, to).as_deref(), key, "{from} -> {to}");
        }
    }

    /// A system in which every file has these contents.
    struct FileContents(&'static str);

    impl Sources for FileContents {
        fn variable(&self, name: &str) -> Option<Zeroizing<String>> {
            NoSources.variable(name)
        }

        fn text(&self, path: &Path) -> io::Result<String> {
            NoSources.text(path)
        }

        fn file(&self, _: &Path, _: usize, _: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
            Ok(Zeroizing::new(self.0.as_bytes().to_vec()))
        }

        fn memory_bytes(&self) -> Option<u64> {
            None
        }

        fn max_connections(&self) -> Option<u64> {
            None
        }
    }

    #[test]
    fn changed_contents_of_files_that_are_read_at_start_only_are_named() {
        let text = "[server]\ntls_key_file = \"k\"\n[store]\npassword_file = \"p\"\nledger_file = \"l\"\n\
                    [[chain]]\nrpc_ca_file = \"c\"\n[auth]\ncredentials_file = \"a\"\n";
        let fixed = |contents| RestartRequired::new(&toml::parse("f", text).unwrap(), &FileContents(contents));
        let changed = |from, to| fixed(from).changed_files(&fixed(to)).collect::<Vec<_>>();
        assert_eq!(changed("old", "new"), ["chain[0].rpc_ca_file", "store.password_file"]);
        assert_eq!(changed("old", "old"), [""; 0]);
        assert_eq!(fixed("old").difference(&fixed("new")), None);
    }
}
