//! The real server: the binary of this workspace with a generated configuration, on ports the system chooses.
#![expect(clippy::expect_used, clippy::panic, reason = "a server that does not start is a failed test")]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    sync::LazyLock,
};

use firmquote_test_servers::Process;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;
use tempfile::TempDir;

use crate::exchange::KEY;

/// The API key that generated configurations know.
pub const API_KEY: &str = "e2e-partner-key";

/// SHA-256 of [`API_KEY`].
pub const API_KEY_SHA256: &str = "bf4650891e8e0d35a82954aba09851898626829b917b059b11ff6520f2685e70";

/// Built once for all tests of a program.
static BINARY: LazyLock<PathBuf> = LazyLock::new(build);

/// A running server. Its process ends with this value.
pub struct Service {
    client: Client,
    base: String,
    _process: Process,
    _directory: TempDir,
}

/// What the server answered.
#[derive(Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// The body of a 200.
    ///
    /// # Panics
    /// For any other status.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }
}

impl Service {
    /// Starts the server with this configuration. The signing key [`KEY`] is in `FIRMQUOTE_SIGNER_KEY`.
    pub fn start(config: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("firmquote.toml");
        fs::write(&file, config).expect("a writable directory");
        let mut command = Command::new(&*BINARY);
        command.args(["serve", "--config"]).arg(file).current_dir(directory.path()).env_clear();
        command.env("FIRMQUOTE_SIGNER_KEY", KEY);
        command.env("FIRMQUOTE__SERVER__BIND", "127.0.0.1:0").env("FIRMQUOTE__SERVER__ADMIN_BIND", "127.0.0.1:0");
        let mut process = Process::start(command);
        let line = process.wait_for(" public=");
        let address = line.split(" public=").nth(1).and_then(|rest| rest.split_whitespace().next());
        let base = format!("http://{}", address.expect("the address after its name"));
        let client = Client::builder().no_proxy().build().expect("a client without TLS");
        Self { client, base, _process: process, _directory: directory }
    }

    /// GET with the API key; `query` is encoded already.
    pub async fn get(&self, path: &str, query: &str) -> Answer {
        answer(self.client.get(format!("{}{path}?{query}", self.base))).await
    }

    /// POST with the API key.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        answer(self.client.post(format!("{}{path}", self.base)).json(body)).await
    }
}

async fn answer(request: RequestBuilder) -> Answer {
    let response = request.header("x-api-key", API_KEY).send().await.expect("the server answers");
    let status = response.status().as_u16();
    Answer { status, body: response.json().await.expect("the server answers in JSON") }
}

/// Builds the binary, which cargo has mostly done already, and returns where cargo put it.
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
