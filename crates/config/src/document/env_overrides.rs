//! Environment variable overrides: `FIRMQUOTE__POOL__0__K` is `pool[0].k`. The whole text of a variable is one value,
//! in the form that the key requires.

use super::{
    error::{ConfigError, KeyError, Problem},
    path::{KeyPath, PathSegment},
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
        set_value(root, &KeyPath::default(), path.segments(), one).map_err(|error| {
            let location = Origin::Variable(one.name.clone());
            ConfigError::Key { location: location.in_file(""), error }
        })?;
    }
    Ok(())
}

/// Returns the key that a variable of this name overrides.
fn path(name: &str) -> Result<KeyPath, ConfigError> {
    const SHAPE: &str = "names no key, allowed: FIRMQUOTE__SECTION__KEY in capitals, with numbers for indexes";
    /// The maximum number of segments; no key has more.
    const MAX_DEPTH: usize = 8;
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let segment = |text: &str| match text.parse() {
        Ok(index) if usize::to_string(&index) == text => Some(PathSegment::Index(index)),
        Ok(_) => None,
        Err(_) if text.is_empty() => None,
        Err(_) => Some(PathSegment::Key(text.to_ascii_lowercase())),
    };
    let rest = name.strip_prefix(PREFIX).filter(|rest| rest.bytes().all(is_plain));
    let path: Option<KeyPath> = rest.and_then(|rest| rest.split("__").map(segment).collect());
    let path = path.filter(|path| path.segments().len() <= MAX_DEPTH);
    path.ok_or_else(|| ConfigError::Variable { name: name.to_owned(), reason: SHAPE.into() })
}

/// Stores the variable's text `segments` below `node`, which is at `here`; creates missing tables and arrays on the
/// way.
fn set_value(node: &mut Node, here: &KeyPath, segments: &[PathSegment], one: &Override) -> Result<(), KeyError> {
    let Some((segment, rest)) = segments.split_first() else {
        *node = new_node(segments, one);
        return Ok(());
    };
    let next = here.join(segment.clone());
    match entry(node, segment, || new_node(rest, one)) {
        Ok(inner) => set_value(inner, &next, rest, one),
        Err(Problem::NothingBelow) => Err(KeyError { key: here.clone(), problem: Problem::NothingBelow }),
        Err(problem) => Err(KeyError { key: next, problem }),
    }
}

/// Returns the child of `node` at `segment`; creates it with `new` if it is missing.
fn entry<'n>(node: &'n mut Node, segment: &PathSegment, new: impl FnOnce() -> Node) -> Result<&'n mut Node, Problem> {
    match (&mut node.value, segment) {
        (Value::Table(entries), PathSegment::Key(key)) => Ok(entries.entry(key.clone()).or_insert_with(new)),
        (Value::List(entries), PathSegment::Index(index)) => {
            let max = entries.len();
            if *index == max {
                entries.push(new());
            }
            entries.get_mut(*index).ok_or(Problem::Gap { max })
        }
        (Value::Table(_), PathSegment::Index(_)) => Err(Problem::NotAName),
        (Value::List(_), PathSegment::Key(_)) => Err(Problem::NotAnIndex),
        _ => Err(Problem::NothingBelow),
    }
}

/// Creates a node with the remaining path `rest`: the variable's text, or an empty container for the next segment.
fn new_node(rest: &[PathSegment], one: &Override) -> Node {
    let value = match rest.first() {
        None => Value::Untyped(one.text.clone()),
        Some(PathSegment::Index(_)) => Value::List(Vec::new()),
        Some(PathSegment::Key(_)) => Value::Table(Entries::new()),
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
    fn variables_replace_insert_and_append() {
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
        assert!(root.err().unwrap().ends_with("pool[10] skips an index, allowed: an index of at most 3"));
        let root = laid("[[pool]]\nk = 0.06\n", &[("FIRMQUOTE__POOL__0__K", "0.07")]).unwrap();
        let k: KeyPath = [PathSegment::Key("pool".into()), PathSegment::Index(0), PathSegment::Key("k".into())]
            .into_iter()
            .collect();
        assert_eq!(root.origin_of(&k), &Origin::Variable("FIRMQUOTE__POOL__0__K".into()));
    }

    #[test]
    fn an_index_has_one_form() {
        for name in ["FIRMQUOTE__POOL__00__K", "FIRMQUOTE__POOL__01__K"] {
            assert!(path(name).is_err(), "{name}");
        }
    }

    #[test]
    fn variables_without_a_matching_key_are_rejected() {
        for name in ["FIRMQUOTE__", "FIRMQUOTE__SERVER____BIND", "FIRMQUOTE__server__bind", "FIRMQUOTE__SERVER__"] {
            assert!(laid("", &[(name, "x")]).err().unwrap().contains("names no key"), "{name}");
        }
        let deep = format!("FIRMQUOTE{}", "__A".repeat(10_000));
        assert!(laid("", &[(&deep, "x")]).err().unwrap().contains("names no key"));
    }

    #[test]
    fn variables_with_an_invalid_path_are_rejected() {
        let text = "[server]\nbind = \"x\"\n[[pool]]\nk = 0\n";
        for (name, error) in [
            ("FIRMQUOTE__SERVER__BIND__PORT", "server.bind is a single value, without keys or indexes below it"),
            ("FIRMQUOTE__POOL__K", "pool.k is not an entry, allowed: an index, counted from 0"),
            ("FIRMQUOTE__SERVER__0", "server[0] is not a key, allowed: the name of a key"),
        ] {
            let found = laid(text, &[(name, "x")]).err().unwrap();
            assert_eq!(found, format!("environment variable {name}: {error}"));
        }
    }
}
