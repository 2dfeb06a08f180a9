//! Parses TOML into a tree of values. Numbers are never converted: their digits are kept as written.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    error::ConfigError,
    tree::{Entries, Node, Origin, Value},
};

/// Parses `text`, the contents of `file`.
///
/// # Errors
/// [`ConfigError::Syntax`] for the first syntax error.
pub(crate) fn parse(file: &str, text: &str) -> Result<Node, ConfigError> {
    let lines = LineIndex::new(text);
    let table = DeTable::parse(text).map_err(|error| {
        let (line, column) = lines.line_column(error.span().map_or(0, |span| span.start));
        // The parser's messages may have several lines.
        let mut message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        // The only parser message that does not state what was expected.
        if message == "duplicate key" {
            message.push_str(", expected each key once in its table");
        }
        ConfigError::Syntax { file: file.to_owned(), line, column, message }
    })?;
    Ok(Node { value: Value::Table(entries(table.into_inner(), &lines)), origin: Origin::Document })
}

fn entries(table: DeTable<'_>, lines: &LineIndex<'_>) -> Entries {
    table.into_iter().map(|(key, value)| (key.into_inner().into_owned(), node(value, lines))).collect()
}

fn node(spanned: Spanned<DeValue<'_>>, lines: &LineIndex<'_>) -> Node {
    let (line, _) = lines.line_column(spanned.span().start);
    let value = match spanned.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => Value::Number(integer.to_string()),
        DeValue::Float(float) => Value::Number(float.to_string()),
        DeValue::Boolean(boolean) => Value::Boolean(boolean),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(array) => Value::List(array.into_iter().map(|entry| node(entry, lines)).collect()),
        DeValue::Table(table) => Value::Table(entries(table, lines)),
    };
    Node { value, origin: Origin::Line(line) }
}

/// The text, and where its lines start.
struct LineIndex<'t> {
    text: &'t str,
    /// The byte offset of each line but the first, ascending.
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    fn new(text: &'t str) -> Self {
        let after = |(offset, _): (usize, &str)| offset + 1;
        Self { text, starts: text.match_indices('\n').map(after).collect() }
    }

    /// Returns the line and column of a byte offset, both from 1.
    fn line_column(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|before| self.starts.get(before)).copied().unwrap_or_default();
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        (line + 1, column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'n>(node: &'n Node, key: &str) -> &'n Node {
        match &node.value {
            Value::Table(entries) => &entries[key],
            _ => panic!("not a table"),
        }
    }

    #[test]
    fn numbers_keep_their_written_digits() {
        let text = "a = 0.10000000000000000001\nb = 476877882758190421102\nc = 1_000.50\nd = 6e-2\ne = 0x10\n";
        let root = parse("f", text).unwrap();
        for (key, digits, line) in [
            ("a", "0.10000000000000000001", 1),
            ("b", "476877882758190421102", 2),
            ("c", "1000.50", 3),
            ("d", "6e-2", 4),
            ("e", "0x10", 5),
        ] {
            let node = value(&root, key);
            assert!(matches!(&node.value, Value::Number(number) if number == digits), "{key}");
            assert_eq!(node.origin, Origin::Line(line));
        }
    }

    #[test]
    fn syntax_errors_give_line_and_column_but_not_the_line() {
        let error = parse("f", "a = 1\npassword_hash = \"secret\nb = 2\n").err().unwrap().to_string();
        assert!(error.starts_with("f:2:24: not TOML: "), "{error}");
        assert!(!error.contains("secret"));
    }
}
