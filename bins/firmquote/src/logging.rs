//! Where the lines of the log go: to standard error, each on one line.

use std::io::{IsTerminal as _, stderr};

use tracing::Level;
use tracing_subscriber::{
    filter::Targets,
    fmt::{self, writer::BoxMakeWriter},
    layer::{Layer, SubscriberExt as _},
    registry,
    util::SubscriberInitExt as _,
};

use crate::config::{LogConfig, LogFormat};

/// Starts the log. Other people's code is heard from `warn` on, unless the level is `trace`.
///
/// # Errors
/// When a log was started already.
pub(crate) fn start(config: LogConfig) -> anyhow::Result<()> {
    let others = if config.level == Level::TRACE { Level::TRACE } else { config.level.min(Level::WARN) };
    let targets = Targets::new().with_default(others).with_target("firmquote", config.level);
    // Nobody reads a complaint about standard error on standard error, and writing it there could panic.
    let lines = fmt::layer().with_writer(BoxMakeWriter::new(stderr)).log_internal_errors(false);
    let lines = match config.format {
        LogFormat::Pretty => lines.with_ansi(stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed(),
    };
    Ok(registry().with(lines.with_filter(targets)).try_init()?)
}
