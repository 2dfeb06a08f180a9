//! `[log]`: level, format and sampling of the log on standard error.

use tracing::Level;

use crate::document::{
    error::KeyError,
    reader::{Keys, Table},
    values::ratio,
};

/// `[log]`.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// `format`: `pretty`, human-readable lines, the default; or `json`, one object per line.
    pub format: LogFormat,
    /// `level`: the minimum level that is written, `error`, `warn`, `info` (the default), `debug` or `trace`.
    pub level: Level,
    /// `sample_ratio`: fraction of the successful quotes and pool reads that are logged at `info`, 0 to 1, default 0;
    /// the others are logged at `debug`.
    pub sample_ratio: f64,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug)]
pub enum LogFormat {
    /// Human-readable text.
    Pretty,
    /// A JSON object.
    Json,
}

pub(crate) const KEYS: Keys = Keys::new(&["format", "level", "sample_ratio"]);

impl LogConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key.
    pub(crate) fn read(table: &Table<'_>) -> Result<Self, KeyError> {
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
