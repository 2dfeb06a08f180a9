//! One Redis process: its port, its files, termination and restart.
#![expect(clippy::expect_used, clippy::panic, reason = "a server that does not start is a failed test")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use tempfile::TempDir;

use super::{
    certificates::Certificates,
    client::Client,
    configuration::Configuration,
    options::Options,
    program::{free_port, redis_server},
    slow_fsync::slow_down,
    url,
};
use crate::{patience::wait_until, process::Process};

/// The log message of a server that has loaded its data.
const IS_READY: &str = "Ready to accept connections";

/// The log message of a server whose port is taken.
const IS_TAKEN: &str = "Address already in use";

/// A running server. The process is killed and its files are removed on drop.
///
/// Calls block; a running server responds within milliseconds.
pub struct Server {
    process: Process,
    client: Client,
    launch: Launch,
    socket: Option<PathBuf>,
    directory: TempDir,
}

/// How to start a process and detect that it is ready.
#[derive(Clone, Copy)]
pub(crate) struct Launch {
    /// Arguments after the configuration file.
    pub(crate) arguments: &'static [&'static str],
    /// The log message of a process that accepts clients.
    pub(crate) is_ready: &'static str,
    /// Additional delay of each background fsync.
    pub(crate) slow_fsync: Option<Duration>,
}

impl Server {
    /// Starts a server and waits until it responds.
    ///
    /// # Panics
    /// With the command that installs `redis-server`, if it is missing; with its output, if it does not start.
    pub fn start(options: Options) -> Self {
        Self::start_on_free_port(&options, |_| ())
    }

    /// Starts a data server. `complete` extends the configuration for each port that is tried.
    pub(crate) fn start_on_free_port(options: &Options, complete: impl Fn(&mut Configuration)) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let certificates = options.has_tls.then(|| Certificates::create(directory.path()));
        let socket = options.has_unix_socket.then(|| directory.path().join("redis.sock"));
        let launch = Launch { arguments: &[], is_ready: IS_READY, slow_fsync: options.slow_fsync };
        let client = Client { port: 0, access: options.access.clone(), certificates };
        let configure = |client: &Client, directory: &Path| {
            let listening = Configuration::listening(client.port, directory, client.certificates.as_ref());
            let mut configuration = listening.serving(options, socket.as_deref());
            complete(&mut configuration);
            configuration.directives(&options.directives);
            configuration
        };
        let mut server = Self::launch(launch, client, directory, configure);
        server.socket = socket;
        server
    }

    /// Starts a process with the configuration returned by `configure`, retrying until a free port is not taken by
    /// another process first.
    pub(crate) fn launch(
        launch: Launch,
        mut client: Client,
        directory: TempDir,
        configure: impl Fn(&Client, &Path) -> Configuration,
    ) -> Self {
        let process = wait_until("a port is free", || {
            client.port = free_port();
            let configuration = configure(&client, directory.path());
            fs::write(file(&directory), configuration.text()).expect("a writable directory");
            ready_process(launch, &directory)
        });
        let server = Self { process, client, launch, socket: None, directory };
        assert_eq!(server.command(&["PING"]), "PONG");
        server
    }

    /// Returns the URL for clients, including credentials: `rediss:` for TLS, `redis+unix:` for a Unix socket.
    pub fn url(&self) -> String {
        url::render(&self.client, self.socket.as_deref())
    }

    /// Returns the port on 127.0.0.1, which restarts preserve.
    pub fn port(&self) -> u16 {
        self.client.port
    }

    /// Returns the process ID, which changes with every restart.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Returns the certificate files.
    ///
    /// # Panics
    /// If the server was started without TLS.
    pub fn certificates(&self) -> &Certificates {
        self.client.certificates.as_ref().expect("a server with TLS")
    }

    /// Runs a command and returns the reply as printed by `redis-cli`: one line per list element, empty for nil.
    ///
    /// # Panics
    /// If the server refuses the command or does not respond.
    pub fn command(&self, arguments: &[&str]) -> String {
        self.try_command(arguments).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a command like [`command`](Self::command), without panicking.
    ///
    /// # Errors
    /// With the reason, if the server refuses the command or does not respond within ten seconds.
    pub fn try_command(&self, arguments: &[&str]) -> Result<String, String> {
        self.client.call(arguments)
    }

    /// Kills the server (SIGKILL). Port and files are kept for [`restart`](Self::restart).
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Shuts the server down (SIGTERM) and waits until it has exited.
    pub fn shut_down(&mut self) {
        self.process.terminate();
    }

    /// Restarts the server on the same port with the same files; kills it first if it is running. Returns when it has
    /// loaded its data and accepts connections.
    pub fn restart(&mut self) {
        self.process.kill();
        self.process = wait_until("its port is free again", || ready_process(self.launch, &self.directory));
    }

    /// Restarts the server without waiting; kills it first if it is running. For a while, connections are refused or
    /// commands fail because data is loading.
    pub fn restart_without_waiting(&mut self) {
        self.process.kill();
        self.process = process(self.launch, &self.directory);
    }

    /// Waits until the server accepts connections after [`restart_without_waiting`](Self::restart_without_waiting).
    pub fn wait_until_ready(&mut self) {
        self.process.wait_for(self.launch.is_ready);
    }

    /// Suspends the server (SIGSTOP): connections stay open, but it does not respond.
    pub fn suspend(&mut self) {
        self.process.suspend();
    }

    /// Resumes the server after [`suspend`](Self::suspend).
    pub fn resume(&mut self) {
        self.process.resume();
    }

    /// Whether the server has neither exited nor been suspended.
    pub fn is_running(&self) -> bool {
        self.process.is_running()
    }
}

/// Starts a process that accepts connections, or returns `Err` if its port is taken.
fn ready_process(launch: Launch, directory: &TempDir) -> Result<Process, String> {
    let mut process = process(launch, directory);
    let line = process.wait_for_any(&[launch.is_ready, IS_TAKEN]);
    if line.contains(IS_TAKEN) { Err(line) } else { Ok(process) }
}

fn process(launch: Launch, directory: &TempDir) -> Process {
    let mut command = redis_server();
    command.arg(file(directory)).args(launch.arguments).current_dir(directory.path());
    if let Some(fsync) = launch.slow_fsync {
        slow_down(&mut command, fsync);
    }
    Process::start(command)
}

fn file(directory: &TempDir) -> PathBuf {
    directory.path().join("redis.conf")
}
