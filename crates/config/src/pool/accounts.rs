//! A file of accounts: one address per line; text after `#` is a comment.

use std::collections::BTreeSet;

use firmquote_domain::{Address, parse_address};

/// Why a file is not a list of accounts; displays the allowed contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidAccountList {
    /// It is not UTF-8.
    #[error("a file of text, one address a line")]
    NotUtf8,
    /// A line is not an address.
    #[error("a file of addresses, one per line, with comments after #; line {line} is not an address")]
    Line {
        /// The first invalid line, from 1.
        line: usize,
    },
    /// It contains no account.
    #[error("a file of one address or more, one per line")]
    Empty,
}

/// Parses the contents of a file of accounts.
///
/// # Errors
/// [`InvalidAccountList`] for the first problem.
pub(crate) fn read(contents: &[u8]) -> Result<BTreeSet<Address>, InvalidAccountList> {
    let text = str::from_utf8(contents).map_err(|_| InvalidAccountList::NotUtf8)?;
    let lines = (1..).zip(text.lines()).map(|(line, text)| (line, text.split('#').next().unwrap_or_default().trim()));
    let parse = |(line, entry): (usize, &str)| parse_address(entry).map_err(|_| InvalidAccountList::Line { line });
    let accounts: BTreeSet<Address> =
        lines.filter(|(_, entry)| !entry.is_empty()).map(parse).collect::<Result<_, _>>()?;
    // A file that is being replaced may be empty for a moment, and an empty deny list needs no file.
    if accounts.is_empty() { Err(InvalidAccountList::Empty) } else { Ok(accounts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
    const OTHER: &str = "0x0000000000000000000000000000000000000001";

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        for text in [
            format!("{ONE}\n{OTHER}"),
            format!("# both\r\n\r\n\t{OTHER} # one\r\n{ONE}#{ONE}\r\n  \n"),
            format!("{ONE}\n{}\n{OTHER}\n{ONE}\n", ONE.to_lowercase()),
        ] {
            let accounts = read(text.as_bytes()).unwrap();
            assert!(accounts.iter().map(ToString::to_string).eq([OTHER, ONE]), "{text}");
        }
        for nobody in ["", "# none\n"] {
            assert_eq!(read(nobody.as_bytes()), Err(InvalidAccountList::Empty));
        }
    }

    #[test]
    fn the_first_invalid_line_is_named() {
        for (text, line) in [
            (format!("{ONE}\n\n{OTHER} {OTHER}\nx"), 3),
            (format!("{ONE},{OTHER}"), 1),
            (format!("#\n{}", ONE.replace('C', "c")), 2),
            ("0x".to_owned(), 1),
        ] {
            assert_eq!(read(text.as_bytes()), Err(InvalidAccountList::Line { line }), "{text}");
        }
        assert_eq!(read(b"\xff"), Err(InvalidAccountList::NotUtf8));
    }
}
