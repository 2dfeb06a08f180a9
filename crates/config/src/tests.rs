//! Compares `docs/configuration.md` with the tables.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use serde::de::DeserializeOwned;

use crate::{
    EmptyEnvironment, Environment,
    document::{
        deserializer::keys_of,
        error::{KeyError, Problem},
        field::Field,
        tree::{Node, Origin, Value},
    },
};

/// The rows of one or more sections, by key.
pub(crate) struct Documented {
    sections: String,
    rows: BTreeMap<String, String>,
}

impl Documented {
    /// Returns the rows below the headings that end with these texts.
    pub(crate) fn in_sections(headings: &[&str]) -> Self {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
        let page = fs::read_to_string(page).unwrap();
        let mut rows = BTreeMap::new();
        for heading in headings {
            let section = page.lines().skip_while(|line| !(line.starts_with('#') && line.ends_with(heading))).skip(1);
            let section = section.take_while(|line| !line.starts_with("##"));
            let keys = section.filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
            rows.extend(keys.map(|(key, row)| (key.to_owned(), row.to_owned())));
        }
        Self { sections: headings.join(", "), rows }
    }

    /// Checks that the keys of `T` are described, integers with their maximum. Arrays of tables have sections of their
    /// own, and so have the tables in a table.
    pub(crate) fn has<T: DeserializeOwned>(self) -> Self {
        let environment: Arc<dyn Environment> = Arc::new(EmptyEnvironment);
        for key in keys_of::<T>() {
            let table = |entries| Node { value: Value::Table(entries), origin: Origin::Document };
            let node = table([((*key).to_owned(), table([].into()))].into());
            let read = Field::root(&node, &environment).read::<T>();
            let Err(KeyError { problem: Problem::NotAllowed { allowed, .. }, .. }) = read else { continue };
            if allowed.starts_with("an array of tables") {
                continue;
            }
            let row = self.rows.get(*key).unwrap_or_else(|| panic!("{} does not describe {key}", self.sections));
            let range: Vec<&str> = allowed.split([' ', ',']).collect();
            if let [min, "to", max] | [min, "to", max, _] = range[..]
                && min.parse::<u64>().is_ok()
                && max.parse().is_ok_and(|max: u64| max < u64::MAX)
            {
                assert!(row.contains(max), "{key}: {allowed}, but {row}");
            }
        }
        self
    }

    /// Checks that no other keys than those of `T` are described.
    pub(crate) fn has_only<T: DeserializeOwned>(self) -> Self {
        let unknown = self.rows.keys().find(|row| !keys_of::<T>().contains(&row.as_str()));
        assert_eq!(unknown, None, "{}", self.sections);
        self.has::<T>()
    }
}
