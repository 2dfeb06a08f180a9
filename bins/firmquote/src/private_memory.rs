//! Keeps the memory of this process, with the keys in it, to the process: no core dumps, and no reading by other
//! programs of the same user, debuggers among them. Where the system does not allow it, that is told and no more.

use rustix::process::{Resource, Rlimit, setrlimit};

/// What could not be done, for a person to read.
///
/// Programs started from here would inherit the limit; whoever may trace any process, as root may, still reads all.
pub(crate) fn keep() -> Vec<String> {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let limited =
        setrlimit(Resource::Core, none).map_err(|error| format!("core dumps cannot be switched off: {error}"));
    let closed = close().map_err(|error| format!("the memory cannot be closed to other programs: {error}"));
    [limited, closed].into_iter().filter_map(Result::err).collect()
}

/// `PR_SET_DUMPABLE` (prctl(2)).
#[cfg(target_os = "linux")]
fn close() -> rustix::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

/// Other systems have their own ways.
#[cfg(not(target_os = "linux"))]
fn close() -> rustix::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn there_are_no_core_dumps_and_the_process_is_not_dumpable() {
        use rustix::process::{DumpableBehavior, dumpable_behavior, getrlimit};
        assert_eq!(keep(), Vec::<String>::new());
        let Rlimit { current, maximum } = getrlimit(Resource::Core);
        assert_eq!((current, maximum), (Some(0), Some(0)));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }
}
