//! What swaps earned, as the operator's page shows it.

use firmquote_api::UtcTime;
use firmquote_domain::Timestamp;
use serde::Serialize;

use crate::{
    error::ApiError,
    input::{Field, Fields, Reader, day},
    service::{Earnings, EarningsReport},
};

/// The fields of a request for earnings.
pub(crate) const EARNINGS: &[Field] = &[Field::Day];

/// Decodes the day of a request for earnings; `None` for the last 24 hours.
///
/// # Errors
/// [`ApiError::InvalidInput`] for anything but a date.
pub(crate) fn earnings_day(fields: &Fields<'_>) -> Result<Option<Timestamp>, ApiError> {
    let mut reader = Reader::new(fields);
    let day = reader.optional(Field::Day, day);
    reader.finish(|| Some(day))
}

/// The response about what swaps earned.
#[derive(Debug, Serialize)]
pub(crate) struct EarningsResponse<'r> {
    from: UtcTime,
    to: UtcTime,
    notes: &'r [String],
    rows: Vec<EarningsRow<'r>>,
    total: &'r Earnings,
}

#[derive(Debug, Serialize)]
struct EarningsRow<'r> {
    client: Option<&'r str>,
    pair: &'r str,
    #[serde(flatten)]
    earnings: &'r Earnings,
}

impl<'r> EarningsResponse<'r> {
    pub(crate) fn new(report: &'r EarningsReport) -> Self {
        let rows = report.rows.iter().map(|(client, pair, earnings)| {
            let client = Some(client.as_str()).filter(|client| !client.is_empty());
            EarningsRow { client, pair, earnings }
        });
        Self {
            from: UtcTime::from(report.from),
            to: UtcTime::from(report.to),
            notes: &report.notes,
            rows: rows.collect(),
            total: &report.total,
        }
    }
}
