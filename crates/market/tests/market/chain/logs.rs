//! Everything that any test has logged at the finest level, by either way of logging, as far as it holds a text.

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
static HAS_QUESTIONS: AtomicBool = AtomicBool::new(false);
static BETRAYALS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Logs from here on, for all threads.
pub(crate) fn start() {
    START.call_once(|| {
        log::set_logger(&Library).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
        let subscriber = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(|| Own).finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

/// Whether the questions to nodes were logged, so that there is a log at all.
pub(crate) fn has_questions() -> bool {
    HAS_QUESTIONS.load(Ordering::SeqCst)
}

/// What was logged that holds the key.
pub(crate) fn betrayals() -> Vec<String> {
    BETRAYALS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn keep(text: String) {
    BETRAYALS.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// What is traced.
struct Own;

impl io::Write for Own {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        if text.contains("eth_chainId") {
            HAS_QUESTIONS.store(true, Ordering::SeqCst);
        }
        if text.contains(KEY) {
            keep(text.into_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What libraries log that do not trace. The node of the tests logs what it sends by this way as well, so only addresses
/// with the key are looked for.
struct Library;

impl log::Log for Library {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let text = record.args().to_string();
        if [format!("/v3/{KEY}"), format!("key={KEY}")].iter().any(|part| text.contains(part)) {
            keep(text);
        }
    }

    fn flush(&self) {}
}
