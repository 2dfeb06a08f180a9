//! Runs the program and reads its output. Waits for lines and exits, never for time to pass.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read},
    net::SocketAddr,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A timeout that only a failing test reaches.
pub(crate) const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A signing key and its account.
pub(crate) const KEY: &str = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
pub(crate) const ACCOUNT: &str = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";

/// A configuration with one credential of each kind; the signing key is in `FIRMQUOTE_SIGNER_KEY`.
macro_rules! plain_config {
    () => {
        include_str!("firmquote.toml")
    };
}
pub(crate) const PLAIN_CONFIG: &str = plain_config!();

/// The same, for tests that sign: one ETH is signed without credentials too.
pub(crate) const CONFIG: &str = concat!(plain_config!(), "\n[pool.signing]\nmax_outstanding_bps_anonymous = 1000\n");

/// One ETH in base units.
pub(crate) const ONE_ETH: &str = "1000000000000000000";

/// Returns the body of a request for a quote of ETH for USDC.
pub(crate) fn quote_request(input_amount: &str) -> Value {
    json!({
        "chain_id": 1,
        "input_asset_symbol": "ETH",
        "output_asset_symbol": "USDC",
        "input_amount": input_amount,
    })
}

/// Returns a command with these arguments, an empty environment, and free ports.
pub(crate) fn firmquote(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_firmquote"));
    command.args(arguments).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("FIRMQUOTE__SERVER__BIND", "127.0.0.1:0").env("FIRMQUOTE__SERVER__ADMIN_BIND", "127.0.0.1:0");
    command
}

/// Returns a command that runs in `directory` with `config` in `firmquote.toml`, and the signing key in its variable.
pub(crate) fn configured(directory: &TempDir, arguments: &[&str], config: &str) -> Command {
    let path = directory.path().join("firmquote.toml");
    fs::write(&path, config).unwrap();
    set_mode(&path, 0o600);
    let mut command = firmquote(arguments);
    command.current_dir(directory.path()).args(["--config", "firmquote.toml"]).env("FIRMQUOTE_SIGNER_KEY", KEY);
    command
}

pub(crate) fn directory() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The output and the exit status of a program.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs a command until it exits.
pub(crate) fn run(mut command: Command) -> Ended {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status, stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A program that keeps writing lines to standard output. Killed when dropped.
pub(crate) struct Lines {
    child: Child,
    lines: Receiver<String>,
}

impl Lines {
    /// Starts a command.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// Returns the next line.
    pub(crate) fn next(&mut self) -> String {
        self.lines.recv_timeout(TEST_TIMEOUT).unwrap()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A program that serves. Killed when dropped.
pub(crate) struct Serving {
    child: Child,
    lines: Receiver<String>,
    seen: Vec<String>,
    stdout: Receiver<String>,
    /// The address of version 1, and of version 2 unless it has its own.
    pub(crate) public: SocketAddr,
    /// The address of health, readiness and metrics.
    pub(crate) admin: SocketAddr,
}

impl Serving {
    /// Starts a command and waits for the log line with its addresses.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (lines, stdout) = (lines_of(child.stderr.take().unwrap()), lines_of(child.stdout.take().unwrap()));
        let unknown = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut serving = Self { child, lines, seen: Vec::new(), stdout, public: unknown, admin: unknown };
        let line = serving.wait_for(": serving ");
        (serving.public, serving.admin) = (field(&line, "public"), field(&line, "admin"));
        serving
    }

    /// Returns the next line on standard error that contains `text`.
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(TEST_TIMEOUT);
            let line = line.map_err(|_| format!("no line with {text:?}: {:#?}", self.seen)).unwrap();
            self.seen.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Returns the next line on standard output that contains `text`.
    pub(crate) fn wait_for_output(&self, text: &str) -> String {
        loop {
            let line = self.stdout.recv_timeout(TEST_TIMEOUT).unwrap();
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let command = format!("kill -s {name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }

    /// Waits for the exit.
    pub(crate) fn ended(mut self) -> Ended {
        let status = self.child.wait().unwrap();
        let joined = |lines: Vec<String>| lines.join("\n");
        let seen: Vec<_> = self.seen.drain(..).collect();
        let stderr = joined(seen.into_iter().chain(self.lines.iter()).collect());
        Ended { status, stdout: joined(self.stdout.iter().collect()), stderr }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have exited already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    receiver
}

/// Returns the address in the field `name` of a log line.
pub(crate) fn field(line: &str, name: &str) -> SocketAddr {
    let start = line.split(&format!(" {name}=")).nth(1).unwrap();
    start.split_whitespace().next().unwrap().parse().unwrap()
}
