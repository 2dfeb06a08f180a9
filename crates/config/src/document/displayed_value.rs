//! Values formatted for errors: short, on one line, with likely secrets redacted.

use std::fmt;

/// A value formatted for an error: short, with likely secrets redacted.
#[derive(Debug, PartialEq, Eq)]
pub struct DisplayedValue(String);

impl DisplayedValue {
    /// Formats text in quotation marks, unless it looks like a key or a hash.
    pub fn text(text: &str) -> Self {
        const MAX_LENGTH: usize = 80;
        if is_likely_secret(text) {
            return Self::secret();
        }
        match text.char_indices().nth(MAX_LENGTH) {
            Some((end, _)) => Self(format!("{:?}...", text.get(..end).unwrap_or_default())),
            None => Self(format!("{text:?}")),
        }
    }

    /// Formats a number, a keyword or a description, without quotation marks.
    pub fn plain(text: impl fmt::Display) -> Self {
        let Self(quoted) = Self::text(&text.to_string());
        let is_quoted = quoted.starts_with('"');
        Self(if is_quoted { quoted.replace('"', "") } else { quoted })
    }

    /// Returns the placeholder of a secret.
    pub fn secret() -> Self {
        Self("a hidden value".to_owned())
    }
}

impl fmt::Display for DisplayedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Formats the name of an environment variable for errors: unchanged if it is a plausible name, otherwise quoted or
/// hidden.
pub(crate) fn shown_variable(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.len() <= 128 && name.bytes().all(is_plain) {
        name.to_owned()
    } else {
        DisplayedValue::text(name).to_string()
    }
}

/// Whether `text` holds 48 hex digits in a row, as keys and hashes do and addresses do not, a PHC string, PEM, or a URL
/// with credentials.
fn is_likely_secret(text: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
    let longest = text.as_bytes().chunk_by(|one, other| is_digit(one) && is_digit(other)).map(<[u8]>::len).max();
    let has_credentials = text.split_once("://").is_some_and(|(_, rest)| rest.contains('@'));
    longest.unwrap_or(0) >= 48 || text.starts_with('$') || text.contains("-----BEGIN") || has_credentials
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_resemble_secrets_are_redacted() {
        for text in [
            &"a1".repeat(32),
            &format!("key 0x{}", "0".repeat(64)),
            "$argon2id$v=19$m=1",
            "-----BEGIN PRIVATE KEY-----",
            "https://user:hunter2@host",
        ] {
            assert_eq!(DisplayedValue::text(text), DisplayedValue::secret(), "{text}");
        }
        let address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
        assert_eq!(DisplayedValue::text(address).to_string(), format!("{address:?}"));
    }

    #[test]
    fn unusual_variable_names_are_quoted_and_truncated() {
        assert_eq!(shown_variable("FIRMQUOTE__SERVER__BIND"), "FIRMQUOTE__SERVER__BIND");
        assert_eq!(shown_variable("FIRMQUOTE__A\nB"), r#""FIRMQUOTE__A\nB""#);
        assert!(shown_variable(&"A".repeat(10_000)).len() < 100);
    }

    #[test]
    fn values_are_truncated_and_shown_on_one_line() {
        assert_eq!(DisplayedValue::text("a\nb").to_string(), r#""a\nb""#);
        assert_eq!(DisplayedValue::text(&"ü".repeat(90)).to_string(), format!("\"{}\"...", "ü".repeat(80)));
        assert_eq!(DisplayedValue::plain(0.5).to_string(), "0.5");
    }
}
