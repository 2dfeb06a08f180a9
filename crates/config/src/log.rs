//! `[log]`: what is written to standard error, and how.

use tracing::Level;

use crate::document::{
    error::Mistake,
    reader::{Keys, Table},
};

/// `[log]`.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// `format`: `pretty`, a line for a person, the default; or `json`, an object on a line for a machine.
    pub format: LogFormat,
    /// `level`: the least important lines that are written, `error`, `warn`, `info` (the default), `debug` or `trace`.
    pub level: Level,
}

/// What a line of the log looks like.
#[derive(Clone, Copy, Debug)]
pub enum LogFormat {
    /// Text for a person.
    Pretty,
    /// A JSON object.
    Json,
}

pub(super) const KEYS: Keys = Keys::new(&["format", "level"]);

impl LogConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`Mistake`] for the first key that is wrong.
    pub(super) fn read(table: &Table<'_>) -> Result<Self, Mistake> {
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
        })
    }
}
