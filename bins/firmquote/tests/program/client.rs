//! Commands of clients, run against a service of the test's own.

use std::{fs, net::SocketAddr, path::PathBuf, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{CONFIG, Ended, Serving, configured, directory, firmquote, run};

/// The API key whose hash is in the configuration.
pub(crate) const API_KEY: &str = "test";
/// Somebody's account.
pub(crate) const DESTINATION: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A service, and a directory for the files of its client.
pub(crate) struct Service {
    serving: Serving,
    directory: TempDir,
}

impl Service {
    /// Starts a service with the configuration of the tests.
    pub(crate) fn start() -> Self {
        Self::with(CONFIG)
    }

    /// Starts a service with another configuration.
    pub(crate) fn with(config: &str) -> Self {
        let directory = directory();
        let serving = Serving::start(configured(&directory, &["serve"], config));
        Self { serving, directory }
    }

    /// Where the service is.
    pub(crate) const fn public(&self) -> SocketAddr {
        self.serving.public
    }

    /// A command that knows where the service is, and no API key.
    pub(crate) fn anonymous(&self, arguments: &[&str]) -> Command {
        let mut command = firmquote(arguments);
        command.current_dir(self.directory.path()).env("FIRMQUOTE_URL", format!("http://{}", self.serving.public));
        command
    }

    /// What a command with the API key says.
    pub(crate) fn ended(&self, arguments: &[&str]) -> Ended {
        let mut command = self.anonymous(arguments);
        command.env("FIRMQUOTE_API_KEY", API_KEY);
        run(command)
    }

    /// What a command with the API key prints when it succeeds.
    pub(crate) fn printed(&self, arguments: &[&str]) -> String {
        let ended = self.ended(arguments);
        assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    }

    /// The JSON that a command with the API key prints when it succeeds.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.printed(&[arguments, &["--json"]].concat());
        assert_eq!(printed.lines().count(), 1);
        serde_json::from_str(&printed).unwrap()
    }

    /// A file of the client.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

/// The columns of each line, which blanks separate.
pub(crate) fn rows(printed: &str) -> Vec<String> {
    printed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// The names of an object's members, in the order of the alphabet.
pub(crate) fn members(object: &Value) -> Vec<&str> {
    let mut names: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}
