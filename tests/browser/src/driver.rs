//! The process that drives the browser (chromedriver), with its child processes.
#![expect(clippy::expect_used, clippy::panic, reason = "a browser that does not start is a failed test")]

use std::{
    env,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use firmquote_test_servers::Process;
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

/// Program names of the browser, the distribution's first.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Program names of the driver.
const DRIVERS: [&str; 2] = ["chromedriver", "chromium.chromedriver"];

/// The log message that precedes the driver's port.
const STARTED: &str = "started successfully on port ";

/// The log message if the port is taken for IPv4. The driver chooses a port that is free for IPv6.
const PORT_TAKEN: &str = "IPv4 port not available";

/// The maximum number of attempts to start the driver on a free port.
const MAX_STARTS: usize = 5;

/// A running driver. Killed on drop, with the browsers it started.
pub(crate) struct Driver {
    process: Process,
    url: String,
    browser: PathBuf,
    /// Removed after the processes that write to it have been killed.
    _files: TempDir,
}

impl Driver {
    /// Starts a driver on a free port, in its own process group.
    pub(crate) fn start() -> Self {
        let browser = installed(&BROWSERS);
        let files = tempfile::tempdir().expect("a temporary directory");
        let driver = installed(&DRIVERS);
        for _ in 0..MAX_STARTS {
            let mut command = Command::new(&driver);
            command.arg("--port=0").env("TMPDIR", files.path()).process_group(0);
            let mut process = Process::start(command);
            let line = process.wait_for_any(&[STARTED, PORT_TAKEN]);
            if line.contains(STARTED) {
                let port = line.trim_end_matches('.').rsplit(' ').next().expect("the port at the end of the line");
                return Self { url: format!("http://127.0.0.1:{port}"), process, browser, _files: files };
            }
        }
        panic!("the driver found no free port in {MAX_STARTS} starts");
    }

    /// Returns the URL of the driver.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the path of the browser to start.
    pub(crate) fn browser(&self) -> &Path {
        &self.browser
    }

    /// Returns the process group ID.
    pub(crate) fn group(&self) -> u32 {
        self.process.pid()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.group()).ok().and_then(Pid::from_raw) {
            // The group may be gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Returns the path of the first of these programs that is installed.
fn installed(names: &[&str]) -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).collect();
    let candidates = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|file| file.is_file()).unwrap_or_else(|| {
        panic!(
            "none of {names:?} is installed: run scripts/install-tools on Debian, else install Chromium with its driver"
        )
    })
}
