//! The path of a key, such as `pool[0].asset[1].price_usd`.

use std::fmt;

use super::displayed_value::DisplayedValue;

/// One segment of a path into a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathSegment {
    /// Into the entry of an array, counted from 0.
    Index(usize),
    /// Into a key of a table.
    Key(String),
}

/// The path of a key from the root; empty for the whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyPath(Vec<PathSegment>);

impl KeyPath {
    /// The segments from the outside inward.
    pub fn segments(&self) -> &[PathSegment] {
        &self.0
    }

    /// The path extended by one segment.
    pub fn join(&self, segment: PathSegment) -> Self {
        Self(self.0.iter().cloned().chain([segment]).collect())
    }

    /// The path of `key` in this table.
    pub fn key(&self, key: &str) -> Self {
        self.join(PathSegment::Key(key.to_owned()))
    }

    /// The path of an entry of this array.
    pub fn index(&self, index: usize) -> Self {
        self.join(PathSegment::Index(index))
    }
}

impl FromIterator<PathSegment> for KeyPath {
    fn from_iter<T: IntoIterator<Item = PathSegment>>(segments: T) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl fmt::Display for KeyPath {
    /// Writes keys separated by dots, and indexes in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                PathSegment::Key(key) if position == 0 => f.write_str(&display_key(key))?,
                PathSegment::Key(key) => write!(f, ".{}", display_key(key))?,
                PathSegment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Formats a key for errors: unchanged if it is a plausible key, otherwise quoted or hidden.
fn display_key(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let is_plain = (1..=40).contains(&key.len()) && key.bytes().all(is_bare);
    if is_plain { key.to_owned() } else { DisplayedValue::text(key).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_with_dots_and_brackets() {
        let path = KeyPath::default().key("pool").index(0).key("asset").index(1).key("price_usd");
        assert_eq!(path.to_string(), "pool[0].asset[1].price_usd");
    }

    #[test]
    fn unusual_keys_are_quoted_and_secret_keys_are_redacted() {
        assert_eq!(KeyPath::default().key("a\nb").key("").to_string(), r##""a\nb"."""##);
        let secret = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
        assert!(!KeyPath::default().key("signer").key(secret).to_string().contains(secret));
    }
}
