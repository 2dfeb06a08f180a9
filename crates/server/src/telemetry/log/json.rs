//! A line of the log as JSON: time, level, message and fields in the order they are given, target.

use std::{cell::Cell, fmt};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use crate::system_time;

/// Room for the line of a request without growing.
const USUAL_SIZE: usize = 512;

/// Writes each event as one JSON object on one line. Spans are not shown: the log has none.
pub(crate) struct JsonLines;

impl<S, F> FormatEvent<S, F> for JsonLines
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    F: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, F>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut text = String::with_capacity(USUAL_SIZE);
        text.push_str(r#"{"timestamp":""#);
        push_time(&mut text, system_time().as_micros());
        text.push_str(r#"","level":""#);
        text.push_str(event.metadata().level().as_str());
        text.push('"');
        event.record(&mut Members(&mut text));
        // Targets are paths and fields are names of Rust: nothing in them is escaped.
        text.push_str(r#","target":""#);
        text.push_str(event.metadata().target());
        text.push_str("\"}\n");
        line.write_str(&text)
    }
}

thread_local! {
    /// The second that this thread wrote last, and how.
    static SECOND: Cell<(u64, [u8; 20])> = const { Cell::new((0, *b"1970-01-01T00:00:00.")) };
}

/// Writes an instant, in microseconds of Unix time, as RFC 3339 has it: `2026-11-21T13:14:15.161718Z`.
fn push_time(line: &mut String, micros: u64) {
    let (mut second, mut text) = SECOND.get();
    if second != micros / 1_000_000 {
        second = micros / 1_000_000;
        let shown = i64::try_from(second).ok().and_then(|second| jiff::Timestamp::from_second(second).ok());
        let shown = shown.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S.").to_string();
        text = <[u8; 20]>::try_from(shown.as_bytes()).unwrap_or(text);
        SECOND.set((second, text));
    }
    line.push_str(str::from_utf8(&text).unwrap_or_default());
    push(line, format_args!("{:06}Z", micros % 1_000_000));
}

/// Writes the fields of an event as members.
struct Members<'l>(&'l mut String);

impl Members<'_> {
    /// Writes the name of a member, and returns where its value goes.
    fn value_of(&mut self, field: &Field) -> &mut String {
        let Self(line) = self;
        line.push_str(",\"");
        line.push_str(field.name());
        line.push_str("\":");
        line
    }
}

impl Visit for Members<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let line = self.value_of(field);
        line.push('"');
        push_escaped(line, value);
        line.push('"');
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        push(self.value_of(field), format_args!("{value}"));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        push(self.value_of(field), format_args!("{value}"));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.value_of(field).push_str(if value { "true" } else { "false" });
    }

    /// What JSON has no number for is `null`.
    fn record_f64(&mut self, field: &Field, value: f64) {
        let line = self.value_of(field);
        if value.is_finite() { push(line, format_args!("{value}")) } else { line.push_str("null") }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let line = self.value_of(field);
        line.push('"');
        push(&mut Escaped(line), format_args!("{value:?}"));
        line.push('"');
    }
}

/// Writes what a value says of itself, as far as it does: a value that fails to is no reason to lose the line.
fn push(line: &mut impl fmt::Write, value: fmt::Arguments<'_>) {
    let _ = line.write_fmt(value);
}

/// Writes text as it stands inside a JSON string (RFC 8259, section 7).
struct Escaped<'l>(&'l mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        push_escaped(self.0, text);
        Ok(())
    }
}

fn push_escaped(line: &mut String, text: &str) {
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    // Nearly all text is plain, and that is seen many bytes at a time.
    if text.bytes().fold(true, |is_all, byte| is_all & is_plain(byte)) {
        return line.push_str(text);
    }
    for character in text.chars() {
        match character {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\0'..' ' => push(line, format_args!("\\u{:04x}", u32::from(character))),
            plain => line.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

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
            push_time(&mut line, micros);
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
