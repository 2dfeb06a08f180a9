//! A line of the log as JSON: time, level, message and fields in the order they are given, target.

use std::{
    cell::Cell,
    fmt::{self, Write as _},
    time::SystemTime,
};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

/// Writes each event as one JSON object on one line. Spans are not shown: the log has none.
pub(crate) struct JsonLines;

impl<S, F> FormatEvent<S, F> for JsonLines
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    F: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, F>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        line.write_str(r#"{"timestamp":""#)?;
        write_time(&mut line, SystemTime::now())?;
        line.write_str(r#"","level":""#)?;
        line.write_str(event.metadata().level().as_str())?;
        line.write_str("\"")?;
        let mut members = Members { line: &mut line, result: Ok(()) };
        event.record(&mut members);
        members.result?;
        // Targets are paths and fields are names of Rust: nothing in them is escaped.
        line.write_str(r#","target":""#)?;
        line.write_str(event.metadata().target())?;
        line.write_str("\"}\n")
    }
}

thread_local! {
    /// The second that this thread wrote last, and how.
    static SECOND: Cell<(u64, [u8; 20])> = const { Cell::new((0, *b"1970-01-01T00:00:00.")) };
}

/// Writes an instant as RFC 3339 has it, with microseconds: `2026-11-21T13:14:15.161718Z`.
fn write_time(line: &mut Writer<'_>, now: SystemTime) -> fmt::Result {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (mut second, mut text) = SECOND.get();
    if second != since.as_secs() {
        second = since.as_secs();
        let shown = i64::try_from(second).ok().and_then(|second| jiff::Timestamp::from_second(second).ok());
        let shown = shown.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S.").to_string();
        text = <[u8; 20]>::try_from(shown.as_bytes()).unwrap_or(text);
        SECOND.set((second, text));
    }
    line.write_str(str::from_utf8(&text).unwrap_or_default())?;
    write!(line, "{:06}Z", since.subsec_micros())
}

/// Writes the fields of an event as members.
struct Members<'l, 'w> {
    line: &'l mut Writer<'w>,
    result: fmt::Result,
}

impl Members<'_, '_> {
    fn member(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let mut written = || {
            self.line.write_str(",\"")?;
            self.line.write_str(field.name())?;
            self.line.write_str("\":")
        };
        let written = written().and_then(|()| value(self.line));
        self.result = self.result.and(written);
    }
}

impl Visit for Members<'_, '_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.member(field, |line| string(line, value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.member(field, |line| write!(line, "{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.member(field, |line| write!(line, "{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.member(field, |line| write!(line, "{value}"));
    }

    /// What JSON has no number for is `null`.
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.member(field, |line| if value.is_finite() { write!(line, "{value}") } else { line.write_str("null") });
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.member(field, |line| {
            line.write_str("\"")?;
            write!(Escaped(line), "{value:?}")?;
            line.write_str("\"")
        });
    }
}

fn string(line: &mut Writer<'_>, text: &str) -> fmt::Result {
    line.write_str("\"")?;
    Escaped(line).write_str(text)?;
    line.write_str("\"")
}

/// Writes text as it stands inside a JSON string (RFC 8259, section 7).
struct Escaped<'l, 'w>(&'l mut Writer<'w>);

impl fmt::Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
        let mut rest = text;
        while let Some(position) = rest.bytes().position(|byte| !is_plain(&byte)) {
            // What is escaped is ASCII, so both cuts are between characters.
            let (plain, escaped) = rest.split_at_checked(position).ok_or(fmt::Error)?;
            let (escaped, after) = escaped.split_at_checked(1).ok_or(fmt::Error)?;
            self.0.write_str(plain)?;
            match escaped {
                "\"" => self.0.write_str("\\\"")?,
                "\\" => self.0.write_str("\\\\")?,
                "\n" => self.0.write_str("\\n")?,
                control => write!(self.0, "\\u{:04x}", control.bytes().next().unwrap_or_default())?,
            }
            rest = after;
        }
        self.0.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };

    use tracing_subscriber::{fmt::layer, layer::SubscriberExt as _, registry};

    use super::*;

    /// What is logged while `act` runs.
    fn logged(act: impl FnOnce()) -> String {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let writer = Arc::clone(&lines);
        let log = layer().event_format(JsonLines).with_writer(move || Sink(Arc::clone(&writer)));
        tracing::subscriber::with_default(registry().with(log), act);
        let lines = lines.lock().unwrap().clone();
        String::from_utf8(lines).unwrap()
    }

    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn instants_are_written_to_the_microsecond() {
        for (micros, text) in [
            (1_795_266_855_161_718, "2026-11-21T13:14:15.161718Z"),
            (1_795_266_855_000_001, "2026-11-21T13:14:15.000001Z"),
            (1_795_266_856_000_000, "2026-11-21T13:14:16.000000Z"),
            (0, "1970-01-01T00:00:00.000000Z"),
        ] {
            let mut line = String::new();
            let now = SystemTime::UNIX_EPOCH + Duration::from_micros(micros);
            write_time(&mut Writer::new(&mut line), now).unwrap();
            assert_eq!(line, text);
        }
    }

    #[test]
    fn whatever_is_logged_is_one_object_on_one_line() {
        let text = "a \"quoted\" \\ text\nin \u{1b}[1m lines \u{1F600}";
        let lines = logged(|| {
            let nothing: Option<&str> = None;
            let error: &dyn std::error::Error = &fmt::Error;
            tracing::warn!(text, number = 7_u64, negative = -7, is = true, half = 0.5, not = f64::NAN, nothing, error, shown = %text, "{text}");
        });
        assert!(lines.ends_with("}\n") && lines.lines().count() == 1, "{lines}");
        let line: serde_json::Value = serde_json::from_str(&lines).unwrap();
        for (name, value) in [
            ("level", "WARN".into()),
            ("message", text.into()),
            ("text", text.into()),
            ("shown", text.into()),
            ("number", 7.into()),
            ("negative", (-7).into()),
            ("is", true.into()),
            ("half", 0.5.into()),
            ("not", serde_json::Value::Null),
            ("error", fmt::Error.to_string().into()),
            ("target", module_path!().into()),
        ] {
            assert_eq!(line[name], value, "{name} in {lines}");
        }
        assert_eq!(line.get("nothing"), None);
        assert!(line["timestamp"].as_str().unwrap().ends_with('Z'));
    }
}
