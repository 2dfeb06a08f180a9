//! What swaps earned, as the operator's page shows it.

use firmquote_api::UtcTime;
use firmquote_domain::Timestamp;
use serde::Serialize;

use crate::{
    error::ApiError,
    input::{DAY, Field, Fields, Reader},
    service::{Earnings, EarningsReport, PoolEarnings},
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

/// The response about what swaps earned.
#[derive(Debug, Serialize)]
pub(crate) struct EarningsResponse<'r> {
    from: UtcTime,
    to: UtcTime,
    notes: &'r [String],
    rows: Vec<EarningsRow<'r>>,
    total: &'r Earnings,
    informed: &'r [String],
    pools: Vec<PoolRecord<'r>>,
}

#[derive(Debug, Serialize)]
struct PoolRecord<'r> {
    pool: String,
    from: UtcTime,
    to: UtcTime,
    blocks: u64,
    start_usd: &'r str,
    price_moves_usd: &'r str,
    trading_usd: &'r str,
    deposits_usd: &'r str,
    unexplained_usd: &'r str,
    unobserved_usd: &'r str,
    end_usd: &'r str,
    /// Unix seconds with the result against holding since the beginning.
    trading: Vec<(u32, &'r str)>,
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
            informed: &report.informed,
            pools: report.pools.iter().map(PoolRecord::new).collect(),
        }
    }
}

impl<'r> PoolRecord<'r> {
    fn new(pool: &'r PoolEarnings) -> Self {
        Self {
            pool: pool.pool.to_string(),
            from: UtcTime::from(pool.from),
            to: UtcTime::from(pool.to),
            blocks: pool.blocks,
            start_usd: &pool.start_usd,
            price_moves_usd: &pool.price_moves_usd,
            trading_usd: &pool.trading_usd,
            deposits_usd: &pool.deposits_usd,
            unexplained_usd: &pool.unexplained_usd,
            unobserved_usd: &pool.unobserved_usd,
            end_usd: &pool.end_usd,
            trading: pool.trading.iter().map(|(time, usd)| (time.seconds().get(), usd.as_str())).collect(),
        }
    }
}
