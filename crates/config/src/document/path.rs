//! The path of a key, such as `pool[0].asset[1].price_usd`.

use std::fmt;

use super::displayed_value::DisplayedValue;

/// One step into a configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into the entry of an array, counted from 0.
    Index(usize),
    /// Into a key of a table.
    Key(String),
}

/// The path of a key from the root; empty for the whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyPath(Vec<Step>);

impl KeyPath {
    /// The steps from the outside inward.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The path one step further in.
    pub fn then(&self, step: Step) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }

    /// The path of `key` in this table.
    pub fn key(&self, key: &str) -> Self {
        self.then(Step::Key(key.to_owned()))
    }

    /// The path of an entry of this array.
    pub fn index(&self, index: usize) -> Self {
        self.then(Step::Index(index))
    }
}

impl FromIterator<Step> for KeyPath {
    fn from_iter<T: IntoIterator<Item = Step>>(steps: T) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl fmt::Display for KeyPath {
    /// Writes keys separated by dots, and indexes in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if position == 0 => f.write_str(&shown(key))?,
                Step::Key(key) => write!(f, ".{}", shown(key))?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Formats a key for errors: unchanged if it is a plausible key, otherwise quoted or hidden.
fn shown(key: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let is_plain = (1..=40).contains(&key.len()) && key.bytes().all(is_bare);
    if is_plain { key.to_owned() } else { DisplayedValue::text(key).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_with_points_and_brackets() {
        let path = KeyPath::default().key("pool").index(0).key("asset").index(1).key("price_usd");
        assert_eq!(path.to_string(), "pool[0].asset[1].price_usd");
    }

    #[test]
    fn odd_keys_are_quoted_and_secret_ones_are_not_shown() {
        assert_eq!(KeyPath::default().key("a\nb").key("").to_string(), r##""a\nb"."""##);
        let secret = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
        assert!(!KeyPath::default().key("signer").key(secret).to_string().contains(secret));
    }
}
