//! Configurations.

use arrow_schema::ArrowError;
use firmquote_domain::Timestamp;

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns};

/// What quotes depend on beside a state: pools and their policies. Never a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationRow {
    /// When the first request of the segment was made under it.
    pub time: Timestamp,
    /// The SHA-256 of `json`, in hexadecimal digits.
    pub hash: String,
    /// The configuration in JSON.
    pub json: String,
}

impl Row for ConfigurationRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows).time("time", |row| row.time).text("hash", |row| &row.hash).text("json", |row| &row.json))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, hash, json) = (batch.times("time")?, batch.texts("hash")?, batch.texts("json")?);
        batch.rows(|index| {
            Ok(Self {
                time: time.required(time.get(index))?,
                hash: hash.required(hash.get(index))?.to_owned(),
                json: json.required(json.get(index))?.to_owned(),
            })
        })
    }
}

impl TableRow for ConfigurationRow {
    const TABLE: Table = Table::Configurations;
}
