//! Limits of this process: memory, bounded by the machine and by control groups, and open files, which bound
//! connections.

use std::{
    fs,
    path::{Path, PathBuf},
};

use firmquote_http::ConnectionSettings;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Where control groups are mounted.
const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

/// Returns the memory in bytes that this process may use; `None` where the system does not report it.
pub(crate) fn memory_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| machine_memory(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = limit_files(&groups).into_iter().filter_map(|file| limit(&fs::read_to_string(file).ok()?));
    machine.into_iter().chain(limits).min()
}

/// Parses `MemTotal` of `/proc/meminfo`.
fn machine_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1_024)
}

/// Returns the limit files of the groups in `/proc/self/cgroup`, of both cgroup versions, up to the root: a container
/// may see its own group there.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(group)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => (Path::new(CONTROL_GROUPS).to_owned(), "memory.max"),
            controllers if controllers.split(',').any(|one| one == "memory") => {
                (Path::new(CONTROL_GROUPS).join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = Path::new(group.trim_start_matches('/'));
        files.extend(group.ancestors().map(|ancestor| root.join(ancestor).join(file)));
    }
    files
}

/// Parses a limit file; `None` for a group without a limit.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// Open files besides client connections: listeners, the store, nodes, price sources, and files that are read or
/// written.
const RESERVED_FILES: u64 = 256;

/// Returns the maximum number of connections within the hard limit of open files; `None` without a limit.
pub(crate) fn max_connections() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum.map(|maximum| maximum.saturating_sub(RESERVED_FILES))
}

/// Raises this process's soft limit of open files to the hard limit. Returns a warning if that is less than what the
/// connections of `settings` on `listeners` listeners may need.
pub fn raise_open_file_limit(settings: &ConnectionSettings, listeners: u64) -> Option<String> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let file_limit = if raised.is_ok() { maximum } else { current }?;
    let connections =
        [settings.workers, settings.connections_per_worker].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
    let worker_connections = connections.into_iter().fold(listeners, u64::saturating_mul);
    let admitted = u64::try_from(settings.max_connections).unwrap_or(u64::MAX);
    let required = worker_connections.min(admitted).saturating_add(RESERVED_FILES);
    (file_limit < required).then(|| {
        format!(
            "the process may open {file_limit} files, but the configured maximum of connections needs {required}: \
             raise the limit (LimitNOFILE), or lower server.max_connections"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(machine_memory("MemTotal:       24616456 kB\nMemFree: 1 kB\n"), Some(24_616_456 * 1_024));
        assert_eq!(machine_memory("nothing"), None);
        assert!(memory_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn control_groups_of_both_versions_are_resolved_up_to_the_root() {
        let files = |groups| limit_files(groups).iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
        assert_eq!(
            files("0::/a/b\n"),
            ["/sys/fs/cgroup/a/b/memory.max", "/sys/fs/cgroup/a/memory.max", "/sys/fs/cgroup/memory.max"]
        );
        assert_eq!(
            files("7:cpu,cpuacct:/x\n5:memory:/docker/1\n"),
            [
                "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes"
            ]
        );
        assert_eq!((limit("max\n"), limit("536870912\n")), (None, Some(536_870_912)));
    }

    #[test]
    fn more_connections_than_file_descriptors_are_reported() {
        let few = ConnectionSettings { workers: 1, connections_per_worker: 1, ..ConnectionSettings::default() };
        assert_eq!(raise_open_file_limit(&few, 1), None);
        let many = ConnectionSettings { connections_per_worker: usize::MAX, max_connections: usize::MAX, ..few };
        let warning = raise_open_file_limit(&many, 1);
        assert!(warning.is_none_or(|warning| warning.contains("18446744073709551615")), "unless there is no limit");
    }
}
