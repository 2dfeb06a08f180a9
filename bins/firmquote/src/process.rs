//! Settings of the process: private memory, small pages, and the signals that stop it.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Keeps the memory of this process, with the keys in it, to the process: no core dumps, and no reading by other programs of
/// the same user, debuggers among them. Returns, for a person to read, what the system does not allow.
///
/// Programs started from here would inherit the limit; a user that may trace any process, as root may, still reads all.
pub(crate) fn keep_memory_private() -> Vec<String> {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let limited =
        setrlimit(Resource::Core, none).map_err(|error| format!("core dumps cannot be switched off: {error}"));
    let closed = forbid_dumping().map_err(|error| format!("the memory cannot be closed to other programs: {error}"));
    [limited, closed].into_iter().filter_map(Result::err).collect()
}

/// `PR_SET_DUMPABLE` (prctl(2)).
#[cfg(target_os = "linux")]
fn forbid_dumping() -> rustix::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

/// Other systems have their own ways.
#[cfg(not(target_os = "linux"))]
fn forbid_dumping() -> rustix::io::Result<()> {
    Ok(())
}

/// Keeps the system from giving this process huge pages (`PR_SET_THP_DISABLE`, prctl(2)). A huge page is cleared as a whole
/// when it is first touched, while every request of that thread waits: for quotes in memory 400 us after each 4,700 of them.
///
/// # Errors
/// When the system does not take it: the service is as good, and now and then slower.
#[cfg(target_os = "linux")]
pub(crate) fn use_small_pages() -> rustix::io::Result<()> {
    rustix::thread::disable_transparent_huge_pages(true)
}

/// Other systems have their own ways.
#[cfg(not(target_os = "linux"))]
pub(crate) fn use_small_pages() -> rustix::io::Result<()> {
    Ok(())
}

/// SIGTERM and SIGINT, caught from the moment this exists.
pub(crate) struct ShutdownSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl ShutdownSignals {
    /// Catches both from now on. Has to be called inside a Tokio runtime.
    ///
    /// # Errors
    /// When the system does not let them be caught.
    pub(crate) fn catch() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next one and names it.
    pub(crate) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn there_are_no_core_dumps_and_the_process_is_not_dumpable() {
        use rustix::process::{DumpableBehavior, dumpable_behavior, getrlimit};
        assert_eq!(keep_memory_private(), Vec::<String>::new());
        let Rlimit { current, maximum } = getrlimit(Resource::Core);
        assert_eq!((current, maximum), (Some(0), Some(0)));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }

    #[test]
    fn there_are_no_huge_pages_from_then_on() {
        use_small_pages().unwrap();
        assert!(rustix::thread::transparent_huge_pages_are_disabled().unwrap());
    }
}
