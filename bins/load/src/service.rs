//! The real service, run as in production: the release binary with a configuration file and the request log written to
//! a file.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

/// The API key in the configuration.
pub(crate) const API_KEY: &str = "3cf06def0d423bfee29d361a9a77db79822f8c3b95e2066afb25ba30ed699ee5";
/// SHA-256 of [`API_KEY`].
pub(crate) const API_KEY_HASH: &str = "16cd59b8799b999493de11aed5190ae6238036d39180a7c838af2bdcbc67843f";
/// A signing key used by this harness only.
pub(crate) const SIGNER_KEY: &str = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";

/// Maximum startup time of a process.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(20);

/// A process that serves HTTP on its own address. Killed on drop.
pub(crate) struct ServerProcess {
    child: Child,
    pub(crate) address: String,
    directory: TempDir,
}

impl ServerProcess {
    /// Starts the service with one worker, this `[store]` section and these processors.
    pub(crate) fn service(binary: &Path, store: &str, processors: &str) -> anyhow::Result<Self> {
        Self::configured(binary, &configuration(store), processors)
    }

    /// Starts the service with this configuration and these processors.
    pub(crate) fn configured(binary: &Path, configuration: &str, processors: &str) -> anyhow::Result<Self> {
        let directory = TempDir::new()?;
        let file = directory.path().join("firmquote.toml");
        fs::write(&file, configuration)?;
        let mut command = pinned(processors, binary);
        command.arg("serve").arg("--config").arg(file).env("FIRMQUOTE_SIGNER_KEY", SIGNER_KEY);
        Self::start(command, directory, r#""public":""#)
    }

    /// Starts `command`, which must write its address after `mark` to standard error.
    pub(crate) fn start(mut command: Command, directory: TempDir, mark: &str) -> anyhow::Result<Self> {
        let log = directory.path().join("log");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&log)?);
        let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let mut server = Self { child, address: String::new(), directory };
        let deadline = Instant::now() + STARTUP_TIMEOUT;
        loop {
            let log_text = fs::read_to_string(&log)?;
            if let Some((address, _)) = log_text.split_once(mark).and_then(|(_, rest)| rest.split_once('"')) {
                server.address = address.to_owned();
                return Ok(server);
            }
            ensure!(
                Instant::now() < deadline && server.child.try_wait()?.is_none(),
                "{command:?} did not start in time: {log_text}"
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns the address that the process wrote after `mark`.
    pub(crate) fn address_after(&self, mark: &str) -> anyhow::Result<String> {
        let log_text = fs::read_to_string(self.directory.path().join("log"))?;
        let address = log_text.split_once(mark).and_then(|(_, rest)| rest.split_once('"')).map(|(address, _)| address);
        address.map(str::to_owned).with_context(|| format!("no {mark} in {log_text}"))
    }

    /// Returns the process ID.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The process may have exited already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns a command that runs `program` on these processors only, with an empty environment.
pub(crate) fn pinned(processors: &str, program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", processors]).arg(program).env_clear();
    command
}

/// Returns the path of the `firmquote` binary in the directory of this one.
pub(crate) fn firmquote_binary() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe()?.with_file_name("firmquote");
    ensure!(path.exists(), "{} does not exist: build it with cargo build --release -p firmquote", path.display());
    Ok(path)
}

fn configuration(store: &str) -> String {
    include_str!("firmquote.toml").replace("{store}", store).replace("{api_key_sha256}", API_KEY_HASH)
}
