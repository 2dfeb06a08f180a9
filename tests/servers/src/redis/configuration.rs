//! Builds `redis.conf`.

use std::path::Path;

use super::{
    certificates::Certificates,
    options::{Access, Options},
};

/// A configuration file with one directive per line.
#[derive(Default)]
pub(crate) struct Configuration(String);

impl Configuration {
    /// Creates the common part of every configuration: listen on `port` of 127.0.0.1, with files in `directory`.
    pub(crate) fn listening(port: u16, directory: &Path, certificates: Option<&Certificates>) -> Self {
        let mut configuration = Self::default();
        configuration.raw("bind", "127.0.0.1").raw("protected-mode", "no").raw("daemonize", "no");
        configuration.raw("loglevel", "notice").path("dir", directory);
        let Some(certificates) = certificates else {
            configuration.raw("port", &port.to_string());
            return configuration;
        };
        configuration.raw("port", "0").raw("tls-port", &port.to_string());
        configuration.path("tls-ca-cert-file", &certificates.authority);
        configuration.path("tls-cert-file", &certificates.server).path("tls-key-file", &certificates.server_key);
        configuration
    }

    /// Adds the directives of a server that stores data.
    pub(crate) fn serving(mut self, options: &Options, socket: Option<&Path>) -> Self {
        // `everysec` could lose replies: during a background fsync, Redis replies before it writes.
        let when = if options.slow_fsync.is_some() { "everysec" } else { "always" };
        self.raw("save", "\"\"").raw("appendfsync", when);
        self.raw("appendonly", if options.append_only { "yes" } else { "no" });
        // Do not wait for more replicas before a full sync.
        self.raw("repl-diskless-sync-delay", "0");
        if let Some(socket) = socket {
            self.path("unixsocket", socket);
        }
        match &options.access {
            Access::Open => {}
            Access::Password(password) => {
                self.quoted("requirepass", password);
            }
            Access::User { name, password } => {
                self.raw("user", "default off");
                self.raw("user", &format!("{name} on {} ~* &* +@all", quoted(&format!(">{password}"))));
                self.raw("masteruser", name);
            }
        }
        if let Some(password) = options.access.password() {
            self.quoted("masterauth", password);
        }
        self
    }

    /// Adds a directive with arguments in file syntax.
    pub(crate) fn raw(&mut self, directive: &str, arguments: &str) -> &mut Self {
        self.0.push_str(&format!("{directive} {arguments}\n"));
        self
    }

    /// Adds directives with arguments in file syntax.
    pub(crate) fn directives(&mut self, directives: &[(String, String)]) {
        for (directive, arguments) in directives {
            self.raw(directive, arguments);
        }
    }

    /// Adds a directive with one argument, which is quoted.
    pub(crate) fn quoted(&mut self, directive: &str, argument: &str) -> &mut Self {
        self.raw(directive, &quoted(argument))
    }

    /// Returns the content of the file.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    fn path(&mut self, directive: &str, path: &Path) -> &mut Self {
        self.quoted(directive, &path.to_string_lossy())
    }
}

/// Quotes and escapes an argument.
pub(crate) fn quoted(argument: &str) -> String {
    format!("\"{}\"", argument.replace('\\', "\\\\").replace('"', "\\\""))
}
