//! `[log]`: what is written to standard error, and how.

use tracing::Level;

use crate::document::{
    error::KeyError,
    reader::{Keys, Table},
    values::ratio,
};

/// `[log]`.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// `format`: `pretty`, a line for a person, the default; or `json`, an object on a line for a machine.
    pub format: LogFormat,
    /// `level`: the least important lines that are written, `error`, `warn`, `info` (the default), `debug` or `trace`.
    pub level: Level,
    /// `sample_ratio`: share of the successful quotes and reads of pool data whose line is at `info`, 0 to 1, default 0; the
    /// others are at `debug`.
    pub sample_ratio: f64,
}

/// What a line of the log looks like.
#[derive(Clone, Copy, Debug)]
pub enum LogFormat {
    /// Text for a person.
    Pretty,
    /// A JSON object.
    Json,
}

pub(super) const KEYS: Keys = Keys::new(&["format", "level", "sample_ratio"]);

impl LogConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`KeyError`] for the first key that is wrong.
    pub(super) fn read(table: &Table<'_>) -> Result<Self, KeyError> {
        let formats = [("pretty", LogFormat::Pretty), ("json", LogFormat::Json)];
        let levels = [
            ("error", Level::ERROR),
            ("warn", Level::WARN),
            ("info", Level::INFO),
            ("debug", Level::DEBUG),
            ("trace", Level::TRACE),
        ];
        Ok(Self {
            format: table.field("format").or(LogFormat::Pretty, |field| field.word(&formats))?,
            level: table.field("level").or(Level::INFO, |field| field.word(&levels))?,
            sample_ratio: table.field("sample_ratio").or(0.0, |field| field.decimal(ratio))?,
        })
    }
}
