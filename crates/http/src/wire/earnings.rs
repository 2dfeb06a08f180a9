//! Requests for what swaps earned.

use firmquote_domain::Timestamp;

use crate::{
    error::ApiError,
    input::{DAY, Field, Fields, Reader},
};

/// The fields of a request for earnings.
pub(crate) const EARNINGS: &[&Field] = &[&DAY.field];

/// Decodes the day of a request for earnings; `None` for the last 24 hours.
///
/// # Errors
/// [`ApiError::InvalidInput`] for anything but a date.
pub(crate) fn earnings_day(fields: &Fields<'_>) -> Result<Option<Timestamp>, ApiError> {
    let mut reader = Reader::new(fields);
    let day = reader.optional(&DAY);
    reader.finish(|| Some(day))
}
