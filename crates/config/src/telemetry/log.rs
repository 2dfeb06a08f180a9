//! `[log]`: level, format and sampling of the log on standard error.

use serde::Deserialize;
use tracing::Level;

use crate::document::values::{
    decimal::{Decimal, Ratio},
    setting::OptionalSetting as _,
    text::{FromText, Text, word},
};

/// The log on standard error.
#[derive(Clone, Copy, Debug)]
pub struct LogConfig {
    /// The format of its lines.
    pub format: LogFormat,
    /// The minimum level that is written.
    pub level: Level,
    /// The fraction of the successful quotes and pool reads that are logged at `info`, 0 to 1; the others are logged at
    /// `debug`.
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

impl FromText for LogFormat {
    fn from_text(text: &str) -> Result<Self, String> {
        word(&[("pretty", Self::Pretty), ("json", Self::Json)], text)
    }
}

impl FromText for Level {
    fn from_text(text: &str) -> Result<Self, String> {
        let levels = [
            ("error", Self::ERROR),
            ("warn", Self::WARN),
            ("info", Self::INFO),
            ("debug", Self::DEBUG),
            ("trace", Self::TRACE),
        ];
        word(&levels, text)
    }
}

/// `[log]`.
#[derive(Deserialize)]
pub(crate) struct LogTable {
    format: Option<Text<LogFormat>>,
    level: Option<Text<Level>>,
    sample_ratio: Option<Decimal<Ratio>>,
}

impl From<LogTable> for LogConfig {
    fn from(table: LogTable) -> Self {
        Self {
            format: table.format.value_or(LogFormat::Pretty),
            level: table.level.value_or(Level::INFO),
            sample_ratio: table.sample_ratio.value_or(Ratio(0.0)).0,
        }
    }
}
