//! Captures all logs of the process at the finest level, of `log` and of `tracing`, and records those with a key.

use std::{
    io,
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tracing_subscriber::filter::LevelFilter;

use crate::chain::secrets::KEY;

static START: Once = Once::new();
static HAS_REQUESTS: AtomicBool = AtomicBool::new(false);
static LEAKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Starts to capture the logs of all threads.
pub(crate) fn start() {
    START.call_once(|| {
        log::set_logger(&LogCapture).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
        let subscriber =
            tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(|| TraceCapture).finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

/// Returns whether requests to nodes were logged, which shows that logs are captured.
pub(crate) fn has_requests() -> bool {
    HAS_REQUESTS.load(Ordering::SeqCst)
}

/// Returns the logs that contain the key.
pub(crate) fn leaks() -> Vec<String> {
    LEAKS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn record_leak(text: String) {
    LEAKS.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// The writer of `tracing`.
struct TraceCapture;

impl io::Write for TraceCapture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        if text.contains("eth_chainId") {
            HAS_REQUESTS.store(true, Ordering::SeqCst);
        }
        if text.contains(KEY) {
            record_leak(text.into_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The logger of libraries that use `log`. The fake node logs its replies there as well, so only addresses with the key
/// are recorded.
struct LogCapture;

impl log::Log for LogCapture {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let text = record.args().to_string();
        if [format!("/v3/{KEY}"), format!("key={KEY}")].iter().any(|part| text.contains(part)) {
            record_leak(text);
        }
    }

    fn flush(&self) {}
}
