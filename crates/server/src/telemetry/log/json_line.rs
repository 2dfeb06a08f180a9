//! The JSON form of log lines.

use std::fmt;

use serde::{Serializer as _, ser::SerializeMap as _};
use tracing::{Event, Subscriber};
use tracing_serde::SerdeMapVisitor;
use tracing_subscriber::{
    fmt::{self as log, FmtContext, FormatEvent, FormatFields, format::Writer, time::FormatTime as _},
    registry::LookupSpan,
};

/// The usual length of a line, in bytes.
const LINE_CAPACITY: usize = 512;

/// Formats each event as one JSON object: time, level, message and fields in the order they are given, target. Spans are not
/// included: they go to the collector. The line is written in one piece; the formatter of `tracing-subscriber` checks and
/// copies every token of it, which takes twice as long.
pub(super) struct JsonLine;

impl<S, N> FormatEvent<S, N> for JsonLine
where
    S: Subscriber + for<'l> LookupSpan<'l>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut time = String::new();
        log::time().format_time(&mut Writer::new(&mut time))?;
        let line = line(&time, event).map_err(|_| fmt::Error)?;
        writer.write_str(str::from_utf8(&line).map_err(|_| fmt::Error)?)
    }
}

fn line(time: &str, event: &Event<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let metadata = event.metadata();
    let mut line = Vec::with_capacity(LINE_CAPACITY);
    let mut serializer = serde_json::Serializer::new(&mut line);
    let mut members = serializer.serialize_map(None)?;
    members.serialize_entry("timestamp", time)?;
    members.serialize_entry("level", metadata.level().as_str())?;
    let mut fields = SerdeMapVisitor::new(members);
    event.record(&mut fields);
    let mut members = fields.take_serializer()?;
    members.serialize_entry("target", metadata.target())?;
    members.end()?;
    line.push(b'\n');
    Ok(line)
}
