//! A file with a password, an API key or a token: its first line without the line ending, as geth reads passwords.

/// Maximum length of such a file in bytes, more than any secret.
pub const MAX_FILE_BYTES: usize = 4 << 10;

/// Returns the first line, without the line feed or the carriage return and line feed at its end; `None` if it is
/// empty. Whitespace is part of the secret.
pub fn first_line(contents: &[u8]) -> Option<&[u8]> {
    let line = contents.split(|byte| *byte == b'\n').next()?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_the_first_line_without_its_line_ending() {
        for (contents, password) in [
            ("secret", Some("secret")),
            ("secret\n", Some("secret")),
            ("secret\r\n", Some("secret")),
            (" secret \n\n", Some(" secret ")),
            ("secret\nanother\n", Some("secret")),
            ("se\rcret", Some("se\rcret")),
            ("", None),
            ("\n", None),
            ("\r\nsecret", None),
        ] {
            assert_eq!(first_line(contents.as_bytes()), password.map(str::as_bytes), "{contents:?}");
        }
    }
}
