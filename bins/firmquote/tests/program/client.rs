//! Runs client commands against a service started by the test.

use std::{fs, net::SocketAddr, path::PathBuf, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{CONFIG, Ended, Serving, configured, directory, firmquote, run};

/// The API key whose hash is in the configuration.
pub(crate) const API_KEY: &str = "test";
/// An arbitrary account.
pub(crate) const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A service and a directory for the files of its client.
pub(crate) struct Service {
    serving: Serving,
    directory: TempDir,
}

impl Service {
    /// Starts a service with the test configuration.
    pub(crate) fn start() -> Self {
        Self::with(CONFIG)
    }

    /// Starts a service with another configuration.
    pub(crate) fn with(config: &str) -> Self {
        let directory = directory();
        let serving = Serving::start(configured(&directory, &["serve"], config));
        Self { serving, directory }
    }

    /// Returns the base URL of the service.
    pub(crate) const fn public(&self) -> SocketAddr {
        self.serving.public
    }

    /// Returns a command with the URL of the service and without an API key.
    pub(crate) fn anonymous(&self, arguments: &[&str]) -> Command {
        let mut command = firmquote(arguments);
        command.current_dir(self.directory.path()).env("FIRMQUOTE_URL", format!("http://{}", self.serving.public));
        command
    }

    /// Runs a command with the API key.
    pub(crate) fn ended(&self, arguments: &[&str]) -> Ended {
        let mut command = self.anonymous(arguments);
        command.env("FIRMQUOTE_API_KEY", API_KEY);
        run(command)
    }

    /// Runs a command with the API key, which must succeed, and returns its output.
    pub(crate) fn printed(&self, arguments: &[&str]) -> String {
        let ended = self.ended(arguments);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    }

    /// Runs a command with the API key, which must succeed, and returns its JSON output.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.printed(&[arguments, &["--json"]].concat());
        assert_eq!(printed.lines().count(), 1);
        serde_json::from_str(&printed).unwrap()
    }

    /// Returns the path of a file of the client.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// Splits each line into its columns at blanks.
pub(crate) fn rows(printed: &str) -> Vec<String> {
    printed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Returns the member names of an object in alphabetical order.
pub(crate) fn members(object: &Value) -> Vec<&str> {
    let mut names: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}
