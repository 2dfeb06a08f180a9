//! Process settings: private memory, small pages, logged panics, and the signals that stop the process.

use std::{io, panic};

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Protects the memory of this process, including its keys: disables core dumps and denies access to other programs of
/// the same user, debuggers included (`RLIMIT_CORE`, `PR_SET_DUMPABLE`). Returns a human-readable message for each
/// setting that the system refuses.
///
/// Child processes inherit the core dump limit. A user that may trace any process, such as root, can still read the
/// memory.
pub(crate) fn keep_memory_private() -> Vec<String> {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let limited = setrlimit(Resource::Core, none).map_err(|error| format!("cannot disable core dumps: {error}"));
    let closed = set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(|error| format!("cannot protect the memory from other programs: {error}"));
    [limited, closed].into_iter().filter_map(Result::err).collect()
}

/// Disables transparent huge pages for this process (`PR_SET_THP_DISABLE`, prctl(2)). The kernel clears a whole huge
/// page on first access, which stalls every request of that thread: with quotes in memory, 400 us once every 4,700
/// quotes.
///
/// # Errors
/// When the system refuses the setting. The service still works, with occasional latency spikes.
pub(crate) fn disable_huge_pages() -> rustix::io::Result<()> {
    rustix::thread::disable_transparent_huge_pages(true)
}

/// Logs each panic as one line with its message and location, from here on, instead of writing it to standard error.
pub(crate) fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let error = panic.payload_as_str().unwrap_or("a panic without a message");
        tracing::error!(error, location = panic.location().map(tracing::field::display), "a task panicked");
    }));
}

/// A listener for SIGTERM and SIGINT. From its creation on, the two signals no longer end the process.
pub(crate) struct ShutdownSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl ShutdownSignals {
    /// Starts catching both signals. Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// When a signal handler cannot be installed.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next signal and returns its name.
    pub(crate) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_dumps_are_disabled_and_the_process_is_not_dumpable() {
        use rustix::process::{dumpable_behavior, getrlimit};
        assert_eq!(keep_memory_private(), Vec::<String>::new());
        let Rlimit { current, maximum } = getrlimit(Resource::Core);
        assert_eq!((current, maximum), (Some(0), Some(0)));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }

    #[test]
    fn a_panic_is_one_line_with_its_message_and_place() {
        let (mut lines, written) = io::pipe().unwrap();
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(move || written.try_clone().unwrap()).finish();
        let hook = panic::take_hook();
        log_panics();
        let logging = tracing::subscriber::set_default(log);
        panic::catch_unwind(|| panic!("out of {}", "luck")).unwrap_err();
        drop(logging);
        panic::set_hook(hook);
        let text = io::read_to_string(&mut lines).unwrap();
        let expected = "a task panicked error=\"out of luck\" location=bins/firmquote/src/process.rs:";
        assert!(text.lines().count() == 1 && text.contains(expected), "{text}");
    }

    #[test]
    fn huge_pages_are_disabled() {
        disable_huge_pages().unwrap();
        assert!(rustix::thread::transparent_huge_pages_are_disabled().unwrap());
    }
}
