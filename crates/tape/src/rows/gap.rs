//! Rows that were lost.

use arrow_schema::ArrowError;
use firmquote_domain::Timestamp;

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns};

/// Rows that could not be written: what is known about this time is incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapRow {
    /// When the first of them was lost.
    pub from: Timestamp,
    /// When the last of them was lost.
    pub to: Timestamp,
    /// The name of the table.
    pub table: String,
    /// Their number.
    pub rows: u64,
}

impl Row for GapRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows)
            .time("from", |row| row.from)
            .time("to", |row| row.to)
            .text("table", |row| &row.table)
            .number("rows", |row| row.rows))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (from, to, rows) = (batch.times("from")?, batch.times("to")?, batch.numbers("rows")?);
        let table = batch.texts("table")?;
        batch.rows(|index| {
            Ok(Self {
                from: from.required(from.get(index))?,
                to: to.required(to.get(index))?,
                table: table.required(table.get(index))?.to_owned(),
                rows: rows.required(rows.get(index))?,
            })
        })
    }
}

impl TableRow for GapRow {
    const TABLE: Table = Table::Gaps;
}
