//! Sends commands to one server through `redis-cli`.
#![expect(clippy::expect_used, reason = "a program that does not run is a failed test")]

use std::process::Command;

use super::{certificates::Certificates, options::Access, program::redis_cli};

/// Connection parameters of a server: always over TCP, as its only user, with its own client certificate.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) port: u16,
    pub(crate) access: Access,
    pub(crate) certificates: Option<Certificates>,
}

impl Client {
    /// Runs a command and returns the reply, one line per list element.
    ///
    /// # Errors
    /// With the output of `redis-cli`, if the server refuses the command or does not respond.
    pub(crate) fn call(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.command().args(arguments).output().expect("redis-cli runs");
        let text = |bytes| String::from_utf8_lossy(bytes).trim_end().to_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        Err(format!("{arguments:?} on port {}: {} {}", self.port, text(&output.stdout), text(&output.stderr)))
    }

    /// Returns `redis-cli` with the connection options that precede a command.
    pub(crate) fn command(&self) -> Command {
        let mut command = redis_cli();
        command.args(["-e", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        if let Some(user) = self.access.user() {
            command.args(["--user", user]);
        }
        if let Some(password) = self.access.password() {
            command.env("REDISCLI_AUTH", password);
        }
        if let Some(certificates) = &self.certificates {
            command.arg("--tls").arg("--cacert").arg(&certificates.authority);
            command.arg("--cert").arg(&certificates.client).arg("--key").arg(&certificates.client_key);
        }
        command
    }
}
