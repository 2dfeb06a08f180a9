//! The text of outputs: tables with columns as wide as their widest cell, instants in UTC, and JSON in one line.

use std::fmt;

use firmquote_domain::UnixSeconds;
use jiff::Timestamp;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// For names.
    Left,
    /// For numbers.
    Right,
}

/// Rows of cells. Widths are counted in characters, since all pool data and all derived cells are ASCII.
#[derive(Debug)]
pub(crate) struct TextTable {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Creates a table without rows.
    pub(crate) fn new(columns: impl Into<Vec<Align>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Appends a row with a cell for each column.
    pub(crate) fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
}

impl fmt::Display for TextTable {
    /// Writes one line per row, with two spaces between columns and no trailing spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = vec![0; self.columns.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns).zip(&widths).map(|((cell, align), width)| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// Formats a second like `2026-11-21 01:04:33 UTC`.
pub(crate) fn utc(second: UnixSeconds) -> String {
    let instant = Timestamp::from_second(second.get().into());
    instant.map_or_else(|_| second.get().to_string(), |instant| instant.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

/// Removes the whitespace between the tokens of a valid JSON text. A parser would round numbers that have more digits
/// than a float.
pub(crate) fn compact(text: &str) -> String {
    let (mut is_in_string, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        let is_token = is_in_string || !character.is_ascii_whitespace();
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => is_in_string = !is_in_string,
            _ => {}
        }
        is_token
    };
    text.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit_their_widest_cell() {
        let mut table = TextTable::new([Align::Left, Align::Right, Align::Left]);
        table.row(["asset", "reserve", ""]);
        table.row(["ETH", "1.5", "x"]);
        table.row(["USDC.e", "1000000.25", ""]);
        assert_eq!(table.to_string(), "asset      reserve\nETH            1.5  x\nUSDC.e  1000000.25\n");
    }

    #[test]
    fn seconds_are_shown_in_utc() {
        assert_eq!(utc(UnixSeconds::new(1_697_235_920)), "2023-10-13 22:25:20 UTC");
        assert_eq!(utc(UnixSeconds::new(u32::MAX)), "2106-02-07 06:28:15 UTC");
    }

    #[test]
    fn only_whitespace_between_tokens_is_removed() {
        for (text, expected) in [
            (
                "{\r\n  \"k\": 0.060000000000000000123,\n\t\"list\": [1, -2.50e+7]\n}\n",
                "{\"k\":0.060000000000000000123,\"list\":[1,-2.50e+7]}",
            ),
            (r#"{ "a b" : "c \" d \\" , "e" : " \n " }"#, r#"{"a b":"c \" d \\","e":" \n "}"#),
            (" null ", "null"),
        ] {
            assert_eq!(compact(text), expected);
        }
    }
}
