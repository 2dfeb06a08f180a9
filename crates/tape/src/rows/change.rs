//! Changes of the service.

use arrow_schema::ArrowError;
use firmquote_domain::{PoolId, Timestamp};
use strum::{EnumString, IntoStaticStr};

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns};

/// A change of what the service does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeRow {
    /// When it was noticed.
    pub time: Timestamp,
    /// The change.
    pub change: Change,
    /// The pool that it concerns; `None` for all of them.
    pub pool: Option<PoolId>,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Change {
    /// The process started.
    Start,
    /// The process stops. One that was killed has no such row.
    Stop,
    /// Another configuration is in effect.
    Reload,
    /// The pool is paused.
    Pause,
    /// The pool is not paused any more.
    Resume,
}

impl Row for ChangeRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows)
            .time("time", |row| row.time)
            .text("change", |row| <&str>::from(row.change))
            .optional_text("pool", |row| row.pool))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, change, pool) = (batch.times("time")?, batch.texts("change")?, batch.texts("pool")?);
        batch.rows(|index| {
            Ok(Self {
                time: time.required(time.get(index))?,
                change: change.required(change.parse(index)?)?,
                pool: pool.parse(index)?,
            })
        })
    }
}

impl TableRow for ChangeRow {
    const TABLE: Table = Table::Changes;
}
