//! Parts of a configuration as written, for comparison with another one: the parts that cannot be changed while the
//! service runs (its listeners, its store, its log, the trace collector, and the nodes), the locations of signing keys,
//! and the price sources.

use std::collections::{BTreeMap, BTreeSet};

use firmquote_store::ChangedKey;

use super::{
    displayed_value::DisplayedValue,
    path::KeyPath,
    secret_keys::is_secret,
    tree::{Node, Value},
};

/// The tables that cannot be changed.
const TABLES: [&str; 6] = ["store", "log", "otlp", "tape", "chain", "sandbox"];

/// The keys of `[server]` that can be changed.
const RELOADABLE_KEYS: [&str; 5] =
    ["admin_token_sha256", "service_name", "public_url", "trusted_proxies", "cors_origins"];

/// A part of a configuration as written, for comparison with another one. Without `Debug`: its texts may contain
/// secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ConfigText(BTreeMap<KeyPath, String>);

/// A `[[price_source]]` as written.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Its table without its assets.
    pub settings: ConfigText,
    /// The table of each of its assets.
    pub assets: Vec<ConfigText>,
}

impl ConfigText {
    /// Collects everything.
    pub fn whole(root: &Node) -> Self {
        let mut written = BTreeMap::new();
        flatten(Some(root), &KeyPath::default(), &mut written);
        Self(written)
    }

    /// Collects the parts that cannot be changed while the service runs.
    pub fn restart_required(root: &Node) -> Self {
        let mut fixed = BTreeMap::new();
        if let Value::Table(entries) = &root.value {
            // Even an empty table has a meaning.
            if entries.contains_key("sandbox") {
                fixed.insert(KeyPath::default().key("sandbox"), "present".to_owned());
            }
            for table in TABLES {
                flatten(entries.get(table), &KeyPath::default().key(table), &mut fixed);
            }
            if let Some(Value::Table(server)) = entries.get("server").map(|node| &node.value) {
                let kept = |key: &&String| !RELOADABLE_KEYS.contains(&key.as_str());
                for key in server.keys().filter(kept) {
                    flatten(server.get(key), &KeyPath::default().key("server").key(key), &mut fixed);
                }
            }
        }
        Self(fixed)
    }

    /// Collects the `[[signer]]` tables by their names: the locations of keys, not the keys.
    pub fn signers_of(root: &Node) -> BTreeMap<String, Self> {
        let named = tables(root.entry("signer")).iter().filter_map(|table| {
            let (Value::Text(name) | Value::Untyped(name)) = &table.entry("name")?.value else { return None };
            let mut written = BTreeMap::new();
            flatten(Some(table), &KeyPath::default(), &mut written);
            Some((name.clone(), Self(written)))
        });
        named.collect()
    }

    /// Collects the `[[price_source]]` tables.
    pub fn price_sources_of(root: &Node) -> Vec<SourceText> {
        let source = |table: &Node| {
            let mut settings = Self::whole(table);
            let assets = KeyPath::default().key("asset");
            settings.0.retain(|path, _| !path.segments().starts_with(assets.segments()));
            let assets = tables(table.entry("asset")).iter().map(Self::whole).collect();
            SourceText { settings, assets }
        };
        tables(root.entry("price_source")).iter().map(source).collect()
    }

    /// Returns the keys whose values differ in `newer`, in order, each with both values unless they may be secrets.
    pub fn changes(&self, newer: &Self) -> Vec<ChangedKey> {
        let is_changed = |key: &&KeyPath| self.0.get(*key) != newer.0.get(*key);
        let keys: BTreeSet<_> = self.0.keys().chain(newer.0.keys()).filter(is_changed).collect();
        let change = |key: &KeyPath| {
            let shown = |text: &Self| {
                let value = text.0.get(key).filter(|_| !is_secret(key))?;
                Some(DisplayedValue::plain(value).to_string())
            };
            ChangedKey { key: key.to_string(), old: shown(self), new: shown(newer) }
        };
        keys.into_iter().map(change).collect()
    }

    /// Returns the keys that differ from `other`, in order.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let is_other = |key: &&KeyPath| self.0.get(*key) != other.0.get(*key);
        let keys: BTreeSet<_> = self.0.keys().chain(other.0.keys()).filter(is_other).collect();
        keys.into_iter().map(ToString::to_string).collect()
    }
}

/// Returns the tables of a list, or none if there is no such list.
fn tables(list: Option<&Node>) -> &[Node] {
    match list.map(|node| &node.value) {
        Some(Value::List(tables)) => tables,
        _ => &[],
    }
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
    use super::{
        super::{env_overrides, toml},
        *,
    };
    use crate::Override;

    #[test]
    fn a_signer_that_is_named_by_a_variable_is_compared_as_well() {
        let signers = |file: &str| {
            let mut root = toml::parse("f", &format!("[[signer]]\nkey_file = {file:?}\n")).unwrap();
            let name = Override { name: "FIRMQUOTE__SIGNER__0__NAME".to_owned(), text: "hot".to_owned() };
            env_overrides::apply(&mut root, &[name]).unwrap();
            ConfigText::signers_of(&root)
        };
        assert!(signers("a").contains_key("hot"));
        assert!(signers("a") == signers("a"));
        assert!(signers("a") != signers("b"));
    }

    #[test]
    fn changes_have_both_values_unless_they_may_be_secrets() {
        let whole = |text: &str| ConfigText::whole(&toml::parse("f", text).unwrap());
        let old = "[server]\nservice_name = \"N\"\nadmin_token_sha256 = \"ab\"\n[limits]\nanonymous = true\n";
        let new = "[server]\nservice_name = \"M\"\nadmin_token_sha256 = \"cd\"\n[log]\nlevel = \"debug\"\n";
        let changes = whole(old).changes(&whole(new));
        let shown = changes.iter().map(|ChangedKey { key, old, new }| (key.as_str(), old.as_deref(), new.as_deref()));
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                ("limits.anonymous", Some("true"), None),
                ("log.level", None, Some("debug")),
                ("server.admin_token_sha256", None, None),
                ("server.service_name", Some("N"), Some("M")),
            ]
        );
    }

    #[test]
    fn the_first_differing_key_is_named() {
        let base = "[server]\nbind = \"a\"\nservice_name = \"N\"\n[[chain]]\nid = 1\n[limits]\nanonymous = true\n";
        let fixed = |text: &str| ConfigText::restart_required(&toml::parse("f", text).unwrap());
        let difference = |from: &str, to: &str| fixed(base).differences(&fixed(&base.replace(from, to)));
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
            assert_eq!(difference(from, to).first().map(String::as_str), key, "{from} -> {to}");
        }
    }
}
