//! Columns of Arrow: a row states its columns once to be written, and once to be read.

use std::{str::FromStr, sync::Arc};

use arrow_array::{
    Array as _, ArrayRef, Float64Array, ListArray, RecordBatch, StringArray, StructArray, TimestampMicrosecondArray,
    UInt64Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, Field, Fields, Schema};
use firmquote_domain::Timestamp;

/// The columns of rows, to be written.
pub struct Columns<'r, R> {
    rows: &'r [R],
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl<'r, R> Columns<'r, R> {
    /// Creates no columns yet.
    pub(crate) const fn new(rows: &'r [R]) -> Self {
        Self { rows, fields: Vec::new(), arrays: Vec::new() }
    }

    /// Adds a column of times.
    pub(crate) fn time(self, name: &str, time: impl Fn(&R) -> Timestamp) -> Self {
        self.times(name, false, |row| Some(time(row)))
    }

    /// Adds a column of times, some of which are missing.
    pub(crate) fn optional_time(self, name: &str, time: impl Fn(&R) -> Option<Timestamp>) -> Self {
        self.times(name, true, time)
    }

    /// Adds a column of texts.
    pub(crate) fn text<T: ToString>(self, name: &str, text: impl Fn(&'r R) -> T) -> Self {
        let array = self.rows.iter().map(|row| Some(text(row).to_string())).collect::<StringArray>();
        self.push(name, false, Arc::new(array))
    }

    /// Adds a column of texts, some of which are missing.
    pub(crate) fn optional_text<T: ToString>(self, name: &str, text: impl Fn(&'r R) -> Option<T>) -> Self {
        let array = self.rows.iter().map(|row| text(row).map(|text| text.to_string())).collect::<StringArray>();
        self.push(name, true, Arc::new(array))
    }

    /// Adds a column of numbers.
    pub(crate) fn number(self, name: &str, number: impl Fn(&R) -> u64) -> Self {
        let array = self.rows.iter().map(|row| Some(number(row))).collect::<UInt64Array>();
        self.push(name, false, Arc::new(array))
    }

    /// Adds a column of numbers, some of which are missing.
    pub(crate) fn optional_number(self, name: &str, number: impl Fn(&R) -> Option<u64>) -> Self {
        let array = self.rows.iter().map(number).collect::<UInt64Array>();
        self.push(name, true, Arc::new(array))
    }

    /// Adds a column that has a decimal text as a double, for charts: beside the exact one.
    pub(crate) fn float(self, name: &str, text: impl Fn(&R) -> Option<String>) -> Self {
        let array = self.rows.iter().map(|row| text(row)?.parse().ok()).collect::<Float64Array>();
        self.push(name, true, Arc::new(array))
    }

    /// Adds a column of lists of texts.
    pub(crate) fn texts(self, name: &str, texts: impl Fn(&'r R) -> &'r [String]) -> Self {
        let values: StringArray = self.rows.iter().flat_map(&texts).map(Some).collect();
        let lengths: Vec<usize> = self.rows.iter().map(|row| texts(row).len()).collect();
        self.lists(name, lengths, Arc::new(values))
    }

    /// Adds a column of lists of rows.
    pub(crate) fn list<C: Row>(self, name: &str, children: impl Fn(&R) -> Vec<C>) -> Result<Self, ArrowError> {
        let children: Vec<Vec<C>> = self.rows.iter().map(children).collect();
        let lengths = children.iter().map(Vec::len).collect();
        let flat: Vec<C> = children.into_iter().flatten().collect();
        let values = StructArray::from(C::columns(&flat)?.into_batch()?);
        Ok(self.lists(name, lengths, Arc::new(values)))
    }

    /// Returns the columns.
    pub(crate) fn into_batch(self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(Arc::new(Schema::new(self.fields)), self.arrays)
    }

    fn times(self, name: &str, is_nullable: bool, time: impl Fn(&R) -> Option<Timestamp>) -> Self {
        let micros = self.rows.iter().map(|row| i64::try_from(time(row)?.as_micros()).ok());
        let array = micros.collect::<TimestampMicrosecondArray>().with_timezone("UTC");
        self.push(name, is_nullable, Arc::new(array))
    }

    fn lists(self, name: &str, lengths: Vec<usize>, values: ArrayRef) -> Self {
        let item = Arc::new(Field::new("item", values.data_type().clone(), false));
        let list = ListArray::new(item, OffsetBuffer::from_lengths(lengths), values, None);
        self.push(name, false, Arc::new(list))
    }

    fn push(mut self, name: &str, is_nullable: bool, array: ArrayRef) -> Self {
        self.fields.push(Field::new(name, array.data_type().clone(), is_nullable));
        self.arrays.push(array);
        self
    }
}

/// A row of a table, or of a list in one. Columns are only added, at the end, and may be missing then: a reader reads the
/// files of every earlier version.
pub trait Row: Sized {
    /// Returns the columns of rows.
    ///
    /// # Errors
    /// None.
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError>;

    /// Reads the rows of a batch.
    ///
    /// # Errors
    /// [`ArrowError`] for missing columns and for values that are not those of such a row.
    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError>;
}

/// Returns the schema of rows.
pub(crate) fn schema<R: Row>() -> Result<Schema, ArrowError> {
    Ok(Schema::new(Fields::from(R::columns(&[])?.fields)))
}

/// A batch, to be read.
pub struct Batch<'b>(pub(crate) &'b RecordBatch);

impl<'b> Batch<'b> {
    /// Reads each row by its index.
    pub(crate) fn rows<R>(&self, row: impl Fn(usize) -> Result<R, ArrowError>) -> Result<Vec<R>, ArrowError> {
        (0..self.0.num_rows()).map(row).collect()
    }

    /// Returns a column of times.
    pub(crate) fn times(&self, name: &'static str) -> Result<Column<'b, TimestampMicrosecondArray>, ArrowError> {
        self.column(name)
    }

    /// Returns a column of texts.
    pub(crate) fn texts(&self, name: &'static str) -> Result<Column<'b, StringArray>, ArrowError> {
        self.column(name)
    }

    /// Returns a column of numbers.
    pub(crate) fn numbers(&self, name: &'static str) -> Result<Column<'b, UInt64Array>, ArrowError> {
        self.column(name)
    }

    /// Reads a column of lists of texts.
    pub(crate) fn text_lists(&self, name: &'static str) -> Result<Vec<Vec<String>>, ArrowError> {
        self.lists(name, |values: &StringArray| Ok(values.iter().flatten().map(str::to_owned).collect()))
    }

    /// Reads a column of lists of rows.
    pub(crate) fn row_lists<C: Row>(&self, name: &'static str) -> Result<Vec<Vec<C>>, ArrowError> {
        self.lists(name, |values: &StructArray| C::read(&Batch(&RecordBatch::from(values))))
    }

    fn lists<A: 'static, T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&A) -> Result<Vec<T>, ArrowError>,
    ) -> Result<Vec<Vec<T>>, ArrowError> {
        let Column { array: Some(lists), .. } = self.column::<ListArray>(name)? else {
            return Ok((0..self.0.num_rows()).map(|_| Vec::new()).collect());
        };
        let values = lists.values().as_any().downcast_ref().ok_or_else(|| invalid(name))?;
        let mut values = read(values)?.into_iter();
        Ok(lists.offsets().lengths().map(|length| values.by_ref().take(length).collect()).collect())
    }

    fn column<A: 'static>(&self, name: &'static str) -> Result<Column<'b, A>, ArrowError> {
        let array = match self.0.column_by_name(name) {
            Some(column) => Some(column.as_any().downcast_ref().ok_or_else(|| invalid(name))?),
            None => None,
        };
        Ok(Column { name, array })
    }
}

/// A column of a batch; that of a later version is missing in an earlier one.
pub(crate) struct Column<'b, A> {
    name: &'static str,
    array: Option<&'b A>,
}

impl<A> Column<'_, A> {
    /// Returns a value that no row lacks.
    pub(crate) fn required<T>(&self, value: Option<T>) -> Result<T, ArrowError> {
        value.ok_or_else(|| invalid(self.name))
    }
}

impl Column<'_, TimestampMicrosecondArray> {
    pub(crate) fn get(&self, index: usize) -> Option<Timestamp> {
        let array = self.array.filter(|array| array.is_valid(index))?;
        u64::try_from(array.value(index)).ok().map(Timestamp::from_micros)
    }
}

impl Column<'_, UInt64Array> {
    pub(crate) fn get(&self, index: usize) -> Option<u64> {
        self.array.filter(|array| array.is_valid(index)).map(|array| array.value(index))
    }
}

impl<'b> Column<'b, StringArray> {
    pub(crate) fn get(&self, index: usize) -> Option<&'b str> {
        self.array.filter(|array| array.is_valid(index)).map(|array| array.value(index))
    }

    /// Parses the text, if there is one.
    pub(crate) fn parse<T: FromStr>(&self, index: usize) -> Result<Option<T>, ArrowError> {
        self.get(index).map(str::parse).transpose().map_err(|_| invalid(self.name))
    }
}

pub(crate) fn invalid(name: &str) -> ArrowError {
    ArrowError::SchemaError(format!("column {name} is not that of this table"))
}

#[cfg(test)]
mod tests {
    use arrow_schema::{DataType, TimeUnit};

    use super::*;

    struct Pair(u64, Vec<String>);

    impl Row for Pair {
        fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
            Ok(Columns::new(rows).number("number", |row| row.0).texts("texts", |row| &row.1))
        }

        fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
            let (number, mut texts) = (batch.numbers("number")?, batch.text_lists("texts")?.into_iter());
            (0..batch.0.num_rows())
                .map(|index| Ok(Self(number.required(number.get(index))?, texts.next().unwrap_or_default())))
                .collect()
        }
    }

    #[test]
    fn a_column_of_a_later_version_is_missing_and_one_of_another_type_is_refused() {
        let rows = [Pair(1, vec!["a".into(), "b".into()]), Pair(2, Vec::new())];
        let batch = Pair::columns(&rows).unwrap().into_batch().unwrap();
        let read = Pair::read(&Batch(&batch)).unwrap();
        assert_eq!(read.iter().map(|row| (row.0, row.1.len())).collect::<Vec<_>>(), [(1, 2), (2, 0)]);
        let earlier = batch.project(&[0]).unwrap();
        assert!(Pair::read(&Batch(&earlier)).unwrap().iter().all(|row| row.1.is_empty()));
        assert!(Pair::read(&Batch(&batch.project(&[1]).unwrap())).is_err());
        let schema = Schema::new(vec![Field::new("number", DataType::Timestamp(TimeUnit::Microsecond, None), true)]);
        let times: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![1]));
        let other = RecordBatch::try_new(Arc::new(schema), vec![times]).unwrap();
        assert!(Pair::read(&Batch(&other)).is_err());
    }
}
