//! Firm levels that were published, or that requests were priced at.

use arrow_schema::ArrowError;
use firmquote_domain::{Amount, FirmLevels, LevelsId, PoolId, StateId, Timestamp};

use super::table::{Table, TableRow};
use crate::{Row, columns::Batch, columns::Columns};

/// Firm levels. Levels that are renewed have a row for each end of their validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelsRow {
    /// When they were published, or when the first request of the segment was priced at them.
    pub time: Timestamp,
    /// The levels.
    pub levels: FirmLevels,
}

/// A knot of levels: cumulative amounts in base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RecordedKnot([Amount; 2]);

impl Row for RecordedKnot {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Ok(Columns::new(rows).text("input", |row| row.0[0]).text("output", |row| row.0[1]))
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (input, output) = (batch.texts("input")?, batch.texts("output")?);
        batch.rows(|index| Ok(Self([input.required(input.parse(index)?)?, output.required(output.parse(index)?)?])))
    }
}

impl Row for LevelsRow {
    fn columns(rows: &[Self]) -> Result<Columns<'_, Self>, ArrowError> {
        Columns::new(rows)
            .time("time", |row| row.time)
            .text("levels_id", |row| row.levels.id)
            .time("valid_until", |row| row.levels.valid_until)
            .text("pool", |row| row.levels.pool)
            .text("input_token", |row| row.levels.tokens[0])
            .text("output_token", |row| row.levels.tokens[1])
            .text("input_price", |row| row.levels.prices[0])
            .text("output_price", |row| row.levels.prices[1])
            .text("state_id", |row| row.levels.state_id)
            .text("fee_bps", |row| row.levels.fee)
            .number("time_in_seconds", |row| row.levels.time_in_seconds.into())
            .text("budget", |row| row.levels.budget)
            .list("knots", |row| row.levels.knots.iter().copied().map(RecordedKnot).collect())
    }

    fn read(batch: &Batch<'_>) -> Result<Vec<Self>, ArrowError> {
        let (time, valid_until) = (batch.times("time")?, batch.times("valid_until")?);
        let (id, pool, state_id) = (batch.texts("levels_id")?, batch.texts("pool")?, batch.texts("state_id")?);
        let (input_token, output_token) = (batch.texts("input_token")?, batch.texts("output_token")?);
        let (input_price, output_price) = (batch.texts("input_price")?, batch.texts("output_price")?);
        let (fee, seconds) = (batch.texts("fee_bps")?, batch.numbers("time_in_seconds")?);
        let (budget, knots) = (batch.texts("budget")?, batch.row_lists::<RecordedKnot>("knots")?);
        let mut rows = batch.rows(|index| {
            let levels = FirmLevels {
                id: id.required(id.parse::<LevelsId>(index)?)?,
                pool: pool.required(pool.parse::<PoolId>(index)?)?,
                tokens: [
                    input_token.required(input_token.parse(index)?)?,
                    output_token.required(output_token.parse(index)?)?,
                ],
                prices: [
                    input_price.required(input_price.parse(index)?)?,
                    output_price.required(output_price.parse(index)?)?,
                ],
                state_id: state_id.required(state_id.parse::<StateId>(index)?)?,
                fee: fee.required(fee.parse(index)?)?,
                time_in_seconds: seconds.required(seconds.get(index).and_then(|seconds| seconds.try_into().ok()))?,
                knots: Vec::new(),
                budget: budget.required(budget.parse(index)?)?,
                valid_until: valid_until.required(valid_until.get(index))?,
            };
            Ok(Self { time: time.required(time.get(index))?, levels })
        })?;
        for (row, knots) in rows.iter_mut().zip(knots) {
            row.levels.knots = knots.into_iter().map(|knot| knot.0).collect();
        }
        Ok(rows)
    }
}

impl TableRow for LevelsRow {
    const TABLE: Table = Table::Levels;
}
