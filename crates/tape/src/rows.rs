//! The rows of the tables, with their columns. Columns are only added, at the end, and may be null then: a reader reads
//! the files of every earlier version.

use std::sync::Arc;

use arrow_array::{
    Array as _, ArrayRef, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};
use firmquote_domain::{Price, Symbol, Timestamp};

/// A row of a table.
pub trait Row: Sized {
    /// The name of the table, with which the names of its files begin.
    const TABLE: &'static str;

    /// Returns the columns.
    fn schema() -> Schema;

    /// Returns the time of the row.
    fn time(&self) -> Timestamp;

    /// Converts rows into columns.
    ///
    /// # Errors
    /// None for the columns of [`Self::schema`].
    fn to_batch(rows: &[Self]) -> Result<RecordBatch, ArrowError>;

    /// Converts columns into rows.
    ///
    /// # Errors
    /// [`ArrowError`] for missing columns and for values that are not those of such a row.
    fn from_batch(batch: &RecordBatch) -> Result<Vec<Self>, ArrowError>;
}

/// A price of an asset in US dollars: once a second, and whenever the composite price has moved by a basis point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceRow {
    /// When it was recorded.
    pub time: Timestamp,
    /// The asset.
    pub symbol: Symbol,
    /// The source; `None` for the composite price, which quotes use.
    pub source: Option<String>,
    /// The price; `None` if there is none, or if the composite price is not trusted.
    pub price: Option<Price>,
    /// The time of the price, as its source states it; `None` for a price without time.
    pub observed_at: Option<Timestamp>,
    /// The rule that is broken, if the price is not trusted.
    pub rejection: Option<String>,
}

impl Row for PriceRow {
    const TABLE: &'static str = "prices";

    fn schema() -> Schema {
        Schema::new(vec![
            time_field("time", false),
            Field::new("symbol", DataType::Utf8, false),
            Field::new("source", DataType::Utf8, true),
            Field::new("price", DataType::Utf8, true),
            Field::new("price_float", DataType::Float64, true),
            time_field("observed_at", true),
            Field::new("rejection", DataType::Utf8, true),
        ])
    }

    fn time(&self) -> Timestamp {
        self.time
    }

    fn to_batch(rows: &[Self]) -> Result<RecordBatch, ArrowError> {
        let price = |row: &Self| row.price.map(|price| price.to_string());
        let columns: Vec<ArrayRef> = vec![
            times(rows.iter().map(|row| Some(row.time))),
            Arc::new(rows.iter().map(|row| Some(row.symbol.as_str())).collect::<StringArray>()),
            Arc::new(rows.iter().map(|row| row.source.as_deref()).collect::<StringArray>()),
            Arc::new(rows.iter().map(price).collect::<StringArray>()),
            // For charts: beside the exact one.
            Arc::new(rows.iter().map(|row| price(row)?.parse().ok()).collect::<Float64Array>()),
            times(rows.iter().map(|row| row.observed_at)),
            Arc::new(rows.iter().map(|row| row.rejection.as_deref()).collect::<StringArray>()),
        ];
        RecordBatch::try_new(Arc::new(Self::schema()), columns)
    }

    fn from_batch(batch: &RecordBatch) -> Result<Vec<Self>, ArrowError> {
        let (time, observed_at): (&TimestampMicrosecondArray, &TimestampMicrosecondArray) =
            (column(batch, "time")?, column(batch, "observed_at")?);
        let text = |name| column::<StringArray>(batch, name);
        let (symbol, source, price, rejection) = (text("symbol")?, text("source")?, text("price")?, text("rejection")?);
        let row = |index| {
            let text = |column: &StringArray| column.is_valid(index).then(|| column.value(index).to_owned());
            let price = text(price).map(|text| Price::from_decimal(&text)).transpose();
            Ok(Self {
                time: timestamp(time, index).ok_or_else(|| invalid("time"))?,
                symbol: Symbol::new(symbol.value(index)).map_err(|_| invalid("symbol"))?,
                source: text(source),
                price: price.map_err(|_| invalid("price"))?,
                observed_at: timestamp(observed_at, index),
                rejection: text(rejection),
            })
        };
        (0..batch.num_rows()).map(row).collect()
    }
}

/// Rows that could not be written: what is known about this time is incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapRow {
    /// When the first of them was lost.
    pub from: Timestamp,
    /// When the last of them was lost.
    pub to: Timestamp,
    /// The table.
    pub table: String,
    /// Their number.
    pub rows: u64,
}

impl Row for GapRow {
    const TABLE: &'static str = "gaps";

    fn schema() -> Schema {
        Schema::new(vec![
            time_field("from", false),
            time_field("to", false),
            Field::new("table", DataType::Utf8, false),
            Field::new("rows", DataType::UInt64, false),
        ])
    }

    fn time(&self) -> Timestamp {
        self.from
    }

    fn to_batch(rows: &[Self]) -> Result<RecordBatch, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            times(rows.iter().map(|row| Some(row.from))),
            times(rows.iter().map(|row| Some(row.to))),
            Arc::new(rows.iter().map(|row| Some(row.table.as_str())).collect::<StringArray>()),
            Arc::new(rows.iter().map(|row| Some(row.rows)).collect::<UInt64Array>()),
        ];
        RecordBatch::try_new(Arc::new(Self::schema()), columns)
    }

    fn from_batch(batch: &RecordBatch) -> Result<Vec<Self>, ArrowError> {
        let (from, to): (&TimestampMicrosecondArray, &TimestampMicrosecondArray) =
            (column(batch, "from")?, column(batch, "to")?);
        let (table, rows): (&StringArray, &UInt64Array) = (column(batch, "table")?, column(batch, "rows")?);
        let row = |index| {
            Ok(Self {
                from: timestamp(from, index).ok_or_else(|| invalid("from"))?,
                to: timestamp(to, index).ok_or_else(|| invalid("to"))?,
                table: table.value(index).to_owned(),
                rows: rows.value(index),
            })
        };
        (0..batch.num_rows()).map(row).collect()
    }
}

fn time_field(name: &str, is_nullable: bool) -> Field {
    Field::new(name, DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())), is_nullable)
}

fn times(times: impl Iterator<Item = Option<Timestamp>>) -> ArrayRef {
    let micros = times.map(|time| i64::try_from(time?.as_micros()).ok());
    Arc::new(micros.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
}

fn timestamp(column: &TimestampMicrosecondArray, index: usize) -> Option<Timestamp> {
    let micros = column.is_valid(index).then(|| column.value(index))?;
    u64::try_from(micros).ok().map(Timestamp::from_micros)
}

fn column<'b, A: 'static>(batch: &'b RecordBatch, name: &str) -> Result<&'b A, ArrowError> {
    let column = batch.column_by_name(name).and_then(|column| column.as_any().downcast_ref());
    column.ok_or_else(|| invalid(name))
}

fn invalid(name: &str) -> ArrowError {
    ArrowError::SchemaError(format!("column {name} is not that of this table"))
}
