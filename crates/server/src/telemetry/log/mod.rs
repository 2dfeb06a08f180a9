//! The log: filtering by target, the format of lines, and their way to standard error.

mod json_line;
mod writer;

use std::io::{self, IsTerminal as _, stderr};

use firmquote_config::{LogConfig, LogFormat};
use firmquote_http::SPAN_TARGET;
use tracing::{Dispatch, Level};
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    fmt,
    layer::{Layer, SubscriberExt as _},
    registry,
    registry::Registry,
};

use self::json_line::JsonLine;
pub use self::writer::LogWriter;

/// Targets of the HTTP server and of the node client. The former logs malformed requests as errors, which any client
/// can cause; the latter logs every closed connection, which is already reported once where it matters.
const VERBOSE_TARGETS: [&str; 2] = ["actix_http", "alloy"];

/// A layer of the subscriber.
pub(super) type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Returns a subscriber that logs to standard error. Other crates are logged at `warn` and above, unless the level is
/// `trace`; the [`VERBOSE_TARGETS`] ones only if the level is `debug` or `trace`. Spans of requests are recorded by
/// `spans`; without it there are none. Lines are written for as long as the returned [`LogWriter`] lives.
///
/// # Errors
/// [`io::Error`] when the writer thread cannot be started.
pub(super) fn dispatch(config: LogConfig, spans: Option<BoxedLayer>) -> io::Result<(Dispatch, LogWriter)> {
    let targets = targets(config.level);
    let (lines, writing) = writer::write_to(stderr(), |lines| {
        tracing::warn!(lines, "log lines were dropped: standard error was not read in time");
    })?;
    // An internal error would itself be written to standard error, which could panic.
    let lines = fmt::layer().with_writer(lines).log_internal_errors(false);
    let lines = match config.format {
        LogFormat::Pretty => lines.with_ansi(stderr().is_terminal()).boxed(),
        LogFormat::Json => lines.event_format(JsonLine).boxed(),
    };
    let mut layers = vec![lines.with_filter(targets).boxed()];
    layers.extend(spans);
    Ok((Dispatch::new(registry().with(layers)), writing))
}

/// Returns the minimum level of each target when the configured level is `level`.
fn targets(level: Level) -> Targets {
    let others = if level == Level::TRACE { Level::TRACE } else { level.min(Level::WARN) };
    let talkative = if level >= Level::DEBUG { LevelFilter::from_level(others) } else { LevelFilter::OFF };
    let targets = Targets::new().with_default(others).with_target("firmquote", level);
    // Spans go to the collector; the log has lines.
    let targets = targets.with_target(SPAN_TARGET, LevelFilter::OFF);
    targets.with_targets(VERBOSE_TARGETS.map(|target| (target, talkative)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::*;

    #[test]
    fn client_errors_are_not_logged_as_service_errors() {
        const PARSER: &str = "actix_http::h1::dispatcher";
        for (level, is_heard) in [(Level::ERROR, false), (Level::INFO, false), (Level::DEBUG, true)] {
            let targets = targets(level);
            for target in [PARSER, "alloy_pubsub::service"] {
                assert_eq!(targets.would_enable(target, &Level::ERROR), is_heard, "{level} {target}");
            }
            assert!(
                targets.would_enable("actix_server", &Level::ERROR) && targets.would_enable("firmquote_http", &level)
            );
            assert!(!targets.would_enable("actix_server", &Level::INFO) && !targets.would_enable(PARSER, &Level::INFO));
        }
        assert!(targets(Level::TRACE).would_enable(PARSER, &Level::TRACE));
    }

    #[test]
    fn without_a_collector_there_are_no_spans_at_any_level() {
        for level in [Level::ERROR, Level::INFO, Level::TRACE] {
            // A subscriber in the same process would share its cache of enabled spans with those of other tests.
            assert!(!targets(level).would_enable(SPAN_TARGET, &Level::ERROR), "{level}");
        }
    }

    /// Returns the log of running `act`.
    fn logged(act: impl FnOnce()) -> String {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let writer = Arc::clone(&lines);
        let log = fmt::layer().event_format(JsonLine).with_writer(move || Sink(Arc::clone(&writer)));
        tracing::subscriber::with_default(registry().with(log), act);
        let lines = lines.lock().clone();
        String::from_utf8(lines).unwrap()
    }

    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_record_is_one_json_object_on_one_line() {
        let text = "a \"quoted\" \\ text\nin \u{1b}[1m lines \u{1F600}";
        let lines = logged(|| {
            let nothing: Option<&str> = None;
            let error: &dyn std::error::Error = &std::fmt::Error;
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
            ("error", std::fmt::Error.to_string().into()),
            ("target", module_path!().into()),
        ] {
            assert_eq!(line[name], value, "{name} in {lines}");
        }
        assert_eq!(line.get("nothing"), None);
        let timestamp = line["timestamp"].as_str().unwrap();
        assert_eq!(timestamp.len(), "2026-11-21T13:14:15.161718Z".len(), "{timestamp}");
        assert!(timestamp.ends_with('Z'));
    }

    #[test]
    fn members_have_a_fixed_order_and_spans_are_omitted() {
        let line = logged(|| {
            let _entered = tracing::info_span!("request", route = "/rfq/quote").entered();
            tracing::info!(target: "firmquote_http::boundary", status = 200_u16, client = "acme", "answered");
        });
        let (_, behind_time) = line.split_once("Z\",").unwrap();
        let expected = concat!(
            r#""level":"INFO","message":"answered","status":200,"client":"acme","#,
            r#""target":"firmquote_http::boundary"}"#,
            "\n"
        );
        assert_eq!(behind_time, expected);
    }
}
