//! The real server: the binary of this workspace with a generated configuration, on ports chosen by the system.
#![expect(clippy::expect_used, clippy::panic, reason = "a server that does not start is a failed test")]

use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Stdio},
    sync::LazyLock,
};

use firmquote_test_servers::Process;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    endpoint::{Endpoint, Response},
    exchange::KEY,
};

/// The server binary: the one in `FIRMQUOTE_BINARY`, which `scripts/test` sets to what it has just built, or one that
/// is built now.
static BINARY: LazyLock<PathBuf> = LazyLock::new(|| env::var_os("FIRMQUOTE_BINARY").map_or_else(build, PathBuf::from));

/// A running server. Killed on drop.
pub struct Service {
    public: Endpoint,
    admin: Endpoint,
    process: Process,
    directory: TempDir,
}

impl Service {
    /// Starts the server with this configuration. The signing key [`KEY`] is in `FIRMQUOTE_SIGNER_KEY`.
    pub fn start(config: &str) -> Self {
        let (directory, command) = command("serve", config);
        Self::run(directory, command)
    }

    /// Kills the server, and starts it again with its configuration and its files, on other ports.
    pub fn restart(self) -> Self {
        let Self { mut process, directory, .. } = self;
        process.kill();
        let command = command_in(&directory, "serve");
        Self::run(directory, command)
    }

    fn run(directory: TempDir, command: Command) -> Self {
        let mut process = Process::start(command);
        let line = process.wait_for(" public=");
        let endpoint = |name| {
            let address = line.split(name).nth(1).and_then(|rest| rest.split_whitespace().next());
            Endpoint::at(address.expect("the address after its name"))
        };
        Self { public: endpoint(" public="), admin: endpoint(" admin="), process, directory }
    }

    /// Waits for a log line that contains `text`, and returns it.
    ///
    /// # Panics
    /// If there is none in time.
    pub fn wait_for(&mut self, text: &str) -> String {
        self.process.wait_for(text)
    }

    /// Returns the public endpoint.
    pub const fn public(&self) -> &Endpoint {
        &self.public
    }

    /// Returns the admin endpoint.
    pub const fn admin(&self) -> &Endpoint {
        &self.admin
    }

    /// Sends a GET with the API key. `query` must be encoded.
    ///
    /// # Panics
    /// If there is no response.
    pub async fn get(&self, path: &str, query: &str) -> Response {
        self.public.get(&format!("{path}?{query}")).await.expect("the server answers")
    }

    /// Sends a POST with the API key.
    ///
    /// # Panics
    /// If there is no response.
    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.public.post(path, body).await.expect("the server answers")
    }

    /// Returns the value of a metric, which is named with its labels.
    ///
    /// # Panics
    /// If `/metrics` does not show it.
    pub async fn metric(&self, series: &str) -> f64 {
        let scraped = self.admin.text("/metrics").await.expect("the server answers");
        let value = scraped.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("{series}\n{scraped}")).parse().expect("a number")
    }

    /// Edits the configuration file of the running server, and returns the log line that reports whether the edit has
    /// taken effect.
    ///
    /// # Panics
    /// If there is no such line in time.
    pub fn edit(&mut self, edit: impl FnOnce(&str) -> String) -> String {
        let file = self.directory.path().join("firmquote.toml");
        let (written, beside) = (fs::read_to_string(&file).expect("its file"), file.with_extension("new"));
        fs::write(&beside, edit(&written)).expect("a writable directory");
        fs::rename(beside, file).expect("a writable directory");
        self.process.wait_for_any(&["configuration reloaded", "configuration rejected"])
    }

    /// Returns the text of a file in the directory of the server.
    ///
    /// # Panics
    /// If there is none.
    pub fn read_file(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).expect("the file")
    }

    /// Kills the server (SIGKILL).
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Returns the resident memory of the server (`VmRSS`) in KiB.
    ///
    /// # Panics
    /// If the server is not running.
    pub fn resident_kib(&self) -> u64 {
        resident_kib(self.process.pid())
    }
}

/// Returns the resident memory of a process (`VmRSS`) in KiB.
///
/// # Panics
/// If the process is not running.
pub(crate) fn resident_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("a running process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no VmRSS in {status}"))
}

/// Runs `firmquote check`, or a `serve` that must fail to start, with this configuration and signing key. Returns
/// whether it succeeded, and its output.
pub fn run_with_config(subcommand: &str, config: &str, key: &str) -> (bool, String) {
    let (_directory, mut command) = command(subcommand, config);
    command.env("FIRMQUOTE_SIGNER_KEY", key);
    let output = command.output().expect("a program that ends");
    (
        output.status.success(),
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat(),
    )
}

/// A ledger file that exists in the directory of every server, with an entry that is older than any signature.
pub const LEDGER: &str = "ledger.jsonl";
const OLD_ENTRY: &str = "{\"event\":\"lapsed\",\"quote_id\":\"-\",\"recorded_at_us\":1}\n";

/// Returns a command that runs the server binary with this configuration in its own directory.
pub(crate) fn command(subcommand: &str, config: &str) -> (TempDir, Command) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("firmquote.toml");
    fs::write(&file, config).expect("a writable directory");
    // The old entry tells the service that the ledger is complete.
    fs::write(directory.path().join(LEDGER), OLD_ENTRY).expect("a writable directory");
    let command = command_in(&directory, subcommand);
    (directory, command)
}

/// Returns a command that runs the server binary with the configuration in this directory.
fn command_in(directory: &TempDir, subcommand: &str) -> Command {
    let mut command = Command::new(&*BINARY);
    command.args([subcommand, "--config", "firmquote.toml"]).current_dir(directory.path()).env_clear();
    command.env("FIRMQUOTE_SIGNER_KEY", KEY);
    command.env("FIRMQUOTE__SERVER__BIND", "127.0.0.1:0").env("FIRMQUOTE__SERVER__ADMIN_BIND", "127.0.0.1:0");
    command
}

/// Builds the binary, which is usually up to date, and returns its path.
fn build() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--package", "firmquote", "--bin", "firmquote", "--message-format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "the binary does not build");
    let messages = String::from_utf8(output.stdout).expect("cargo writes JSON");
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let executable = messages.find_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)));
    executable.unwrap_or_else(|| panic!("cargo names no executable"))
}
