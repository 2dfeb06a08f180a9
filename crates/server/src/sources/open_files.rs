//! Room for connections: each is an open file, and a process may have only so many.

use firmquote_http::ConnectionSettings;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that are open whoever is connected: listeners, the store, nodes, sources of prices, what is read and written.
const RESERVED_FILES: u64 = 256;

/// The most connections that the system lets the process open, however high it raises its own limit; `None` without a limit.
pub(crate) fn max_connections() -> Option<u64> {
    getrlimit(Resource::Nofile).maximum.map(|maximum| maximum.saturating_sub(RESERVED_FILES))
}

/// Raises this process's limit of open files as far as the system lets it. Returns, for a person to read, that it is less
/// than the connections of `settings` on so many `listeners` would take.
pub fn raise_open_file_limit(settings: &ConnectionSettings, listeners: u64) -> Option<String> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let room = if raised.is_ok() { maximum } else { current }?;
    let connections =
        [settings.workers, settings.connections_per_worker].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
    let of_workers = connections.into_iter().fold(listeners, u64::saturating_mul);
    let admitted = u64::try_from(settings.max_connections).unwrap_or(u64::MAX);
    let most = of_workers.min(admitted).saturating_add(RESERVED_FILES);
    (room < most).then(|| {
        format!(
            "the process may open {room} files, and as many connections as are allowed would take {most}: \
             raise the limit (LimitNOFILE), or lower server.max_connections"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_connections_than_files_are_told_and_fewer_are_not() {
        let few = ConnectionSettings { workers: 1, connections_per_worker: 1, ..ConnectionSettings::default() };
        assert_eq!(raise_open_file_limit(&few, 1), None);
        let many = ConnectionSettings { connections_per_worker: usize::MAX, max_connections: usize::MAX, ..few };
        let warning = raise_open_file_limit(&many, 1);
        assert!(warning.is_none_or(|warning| warning.contains("18446744073709551615")), "unless there is no limit");
    }
}
