//! Environment variable overrides: `FIRMQUOTE__POOL__0__K` is `pool[0].k`. The whole text of a variable is one value,
//! in the form that the key requires.

use super::{
    error::{ConfigError, KeyError, Problem},
    path::{KeyPath, Step},
    tree::{Entries, Node, Origin, Value},
};

/// Prefix of all variables of this program.
pub(super) const FAMILY: &str = "FIRMQUOTE_";

/// Whether a variable of this name looks like an override but is not one.
pub fn is_misspelled(name: &str) -> bool {
    name.strip_prefix(FAMILY).is_some_and(|rest| !name.starts_with(PREFIX) && rest.contains("__"))
}

/// Prefix of all variables that override keys.
pub const PREFIX: &str = "FIRMQUOTE__";

/// An environment variable that overrides a key, or a misspelled one without its text.
#[derive(Clone)]
pub struct Override {
    /// Its full name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Applies all `overrides` to `root`, except misspelled ones. Array entries may be replaced or appended.
///
/// # Errors
/// [`ConfigError::Variable`] for a malformed name, [`ConfigError::Key`] for a path that does not fit the document.
pub(crate) fn apply(root: &mut Node, overrides: &[Override]) -> Result<(), ConfigError> {
    let spelled = overrides.iter().filter(|one| !is_misspelled(&one.name));
    let paths = spelled.map(|one| Ok((path(&one.name)?, one)));
    let mut paths = paths.collect::<Result<Vec<_>, ConfigError>>()?;
    // Sorted by index, so that an array can be written entry by entry.
    paths.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (path, one) in paths {
        put(root, &KeyPath::default(), path.steps(), one).map_err(|mistake| {
            let place = Origin::Variable(one.name.clone());
            ConfigError::Key { place: place.in_file(""), mistake }
        })?;
    }
    Ok(())
}

/// Returns the key that a variable of this name overrides.
fn path(name: &str) -> Result<KeyPath, ConfigError> {
    const SHAPE: &str = "names no key, allowed: FIRMQUOTE__SECTION__KEY in capitals, with numbers for indexes";
    /// More steps than any key has.
    const DEEPEST: usize = 8;
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let step = |segment: &str| match segment.parse() {
        Ok(index) => Some(Step::Index(index)),
        Err(_) if segment.is_empty() => None,
        Err(_) => Some(Step::Key(segment.to_ascii_lowercase())),
    };
    let rest = name.strip_prefix(PREFIX).filter(|rest| rest.bytes().all(is_plain));
    let path: Option<KeyPath> = rest.and_then(|rest| rest.split("__").map(step).collect());
    let path = path.filter(|path| path.steps().len() <= DEEPEST);
    path.ok_or_else(|| ConfigError::Variable { name: name.to_owned(), reason: SHAPE.into() })
}

/// Stores the variable's text `steps` below `node`, which is at `here`; creates missing tables and arrays on the way.
fn put(node: &mut Node, here: &KeyPath, steps: &[Step], one: &Override) -> Result<(), KeyError> {
    let Some((step, rest)) = steps.split_first() else {
        *node = new_node(steps, one);
        return Ok(());
    };
    let next = here.then(step.clone());
    match entry(node, step, || new_node(rest, one)) {
        Ok(inner) => put(inner, &next, rest, one),
        Err(Problem::NothingBelow) => Err(KeyError { key: here.clone(), problem: Problem::NothingBelow }),
        Err(problem) => Err(KeyError { key: next, problem }),
    }
}

/// Returns the node one step below `node`; creates it with `new` if it is missing.
fn entry<'n>(node: &'n mut Node, step: &Step, new: impl FnOnce() -> Node) -> Result<&'n mut Node, Problem> {
    match (&mut node.value, step) {
        (Value::Table(entries), Step::Key(key)) => Ok(entries.entry(key.clone()).or_insert_with(new)),
        (Value::List(entries), Step::Index(index)) => {
            let most = entries.len();
            if *index == most {
                entries.push(new());
            }
            entries.get_mut(*index).ok_or(Problem::Gap { most })
        }
        (Value::Table(_), Step::Index(_)) => Err(Problem::NotAName),
        (Value::List(_), Step::Key(_)) => Err(Problem::NotAnIndex),
        _ => Err(Problem::NothingBelow),
    }
}

/// Creates a node with `rest` of the path still to go: the variable's text, or an empty container for the next step.
fn new_node(rest: &[Step], one: &Override) -> Node {
    let value = match rest.first() {
        None => Value::Loose(one.text.clone()),
        Some(Step::Index(_)) => Value::List(Vec::new()),
        Some(Step::Key(_)) => Value::Table(Entries::new()),
    };
    Node { value, origin: Origin::Variable(one.name.clone()) }
}

#[cfg(test)]
mod tests {
    use super::{super::toml, *};

    fn laid(text: &str, overrides: &[(&str, &str)]) -> Result<Node, String> {
        let own = |(name, text): &(&str, &str)| Override { name: (*name).to_owned(), text: (*text).to_owned() };
        let overrides: Vec<_> = overrides.iter().map(own).collect();
        let mut root = toml::parse("f", text).unwrap();
        apply(&mut root, &overrides).map(|()| root).map_err(|error| error.to_string())
    }

    #[test]
    fn variables_replace_add_and_append() {
        let root = laid(
            "[[pool]]\nk = 0.06\n",
            &[
                ("FIRMQUOTE__POOL__10__K", "0"),
                ("FIRMQUOTE__POOL__0__K", "0.07"),
                ("FIRMQUOTE__POOL__2__K", "0"),
                ("FIRMQUOTE__POOL__1__ASSET__0__RESERVE", "5"),
                ("FIRMQUOTE__SERVER__BIND", "x"),
            ],
        );
        assert!(root.unwrap_err().ends_with("pool[10] leaves a gap, allowed: an index of at most 3"));
        let root = laid("[[pool]]\nk = 0.06\n", &[("FIRMQUOTE__POOL__0__K", "0.07")]).unwrap();
        let k: KeyPath = [Step::Key("pool".into()), Step::Index(0), Step::Key("k".into())].into_iter().collect();
        assert_eq!(root.origin_of(&k), &Origin::Variable("FIRMQUOTE__POOL__0__K".into()));
    }

    #[test]
    fn names_that_name_no_key_are_refused() {
        for name in ["FIRMQUOTE__", "FIRMQUOTE__SERVER____BIND", "FIRMQUOTE__server__bind", "FIRMQUOTE__SERVER__"] {
            assert!(laid("", &[(name, "x")]).unwrap_err().contains("names no key"), "{name}");
        }
        let deep = format!("FIRMQUOTE{}", "__A".repeat(10_000));
        assert!(laid("", &[(&deep, "x")]).unwrap_err().contains("names no key"));
    }

    #[test]
    fn variables_that_lead_nowhere_are_refused() {
        let text = "[server]\nbind = \"x\"\n[[pool]]\nk = 0\n";
        for (name, error) in [
            ("FIRMQUOTE__SERVER__BIND__PORT", "server.bind is one value, allowed: no key and no index below it"),
            ("FIRMQUOTE__POOL__K", "pool.k is not an entry, allowed: an index, counted from 0"),
            ("FIRMQUOTE__SERVER__0", "server[0] is not a key, allowed: the name of a key"),
        ] {
            let found = laid(text, &[(name, "x")]).unwrap_err();
            assert_eq!(found, format!("environment variable {name}: {error}"));
        }
    }
}
