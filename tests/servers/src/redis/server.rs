//! One Redis process: its port, its files, its end and its return.
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

/// What a server says when it has loaded its data.
const IS_READY: &str = "Ready to accept connections";

/// What a server says when somebody else has its port.
const IS_TAKEN: &str = "Address already in use";

/// A running server. Its process and its files end with this value.
///
/// Calls block; answers come within milliseconds as long as the server runs.
pub struct Server {
    process: Process,
    client: Client,
    launch: Launch,
    socket: Option<PathBuf>,
    directory: TempDir,
}

/// How a process is started and recognised as started.
#[derive(Clone, Copy)]
pub(crate) struct Launch {
    /// What stands after the configuration file on the command line.
    pub(crate) arguments: &'static [&'static str],
    /// What it says once clients may come.
    pub(crate) is_ready: &'static str,
    /// How much longer it waits for the disk in the background.
    pub(crate) slow_fsync: Option<Duration>,
}

impl Server {
    /// Starts a server and waits until it answers.
    ///
    /// # Panics
    /// With the command that installs `redis-server`, if it is not there; with what it said, if it does not start.
    pub fn start(options: Options) -> Self {
        Self::start_on_free_port(&options, |_| ())
    }

    /// Starts a server that holds data, with what `complete` adds to its configuration for each port that is tried.
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

    /// Starts a process with the configuration that `configure` gives it, on the first port that nobody takes before.
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

    /// Where clients connect, with the credentials they need: `rediss:` for TLS, `redis+unix:` for a Unix socket.
    pub fn url(&self) -> String {
        url::of(&self.client, self.socket.as_deref())
    }

    /// Its port of 127.0.0.1, the same after every restart.
    pub fn port(&self) -> u16 {
        self.client.port
    }

    /// Its process number, another after every restart.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// The files for TLS.
    ///
    /// # Panics
    /// If it was started without.
    pub fn certificates(&self) -> &Certificates {
        self.client.certificates.as_ref().expect("a server with TLS")
    }

    /// What it answers to a command, as `redis-cli` prints it: a line per element of a list, nothing for nil.
    ///
    /// # Panics
    /// If it refuses the command or does not answer.
    pub fn command(&self, arguments: &[&str]) -> String {
        self.try_command(arguments).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What it answers to a command, as [`command`](Self::command) does.
    ///
    /// # Errors
    /// With the reason, if it refuses the command or does not answer within ten seconds.
    pub fn try_command(&self, arguments: &[&str]) -> Result<String, String> {
        self.client.call(arguments)
    }

    /// Ends it as `kill -9` does. Port and files stay reserved for [`restart`](Self::restart).
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks it to end (SIGTERM), as an operator does, and waits until it has.
    pub fn shut_down(&mut self) {
        self.process.terminate();
    }

    /// Starts it again, after killing it if it runs: same port, same files. Returns when it has loaded its data and
    /// accepts connections.
    pub fn restart(&mut self) {
        self.process.kill();
        self.process = wait_until("its port is free again", || ready_process(self.launch, &self.directory));
    }

    /// Starts it again, after killing it if it runs, and returns at once: for a while clients are refused or told that
    /// it is loading.
    pub fn restart_without_waiting(&mut self) {
        self.process.kill();
        self.process = process(self.launch, &self.directory);
    }

    /// Waits until a server that was restarted without waiting accepts connections.
    pub fn wait_until_ready(&mut self) {
        self.process.wait_for(self.launch.is_ready);
    }

    /// Stops it where it is (SIGSTOP): connections stay open and nothing answers.
    pub fn suspend(&mut self) {
        self.process.suspend();
    }

    /// Lets it go on after [`suspend`](Self::suspend).
    pub fn resume(&mut self) {
        self.process.resume();
    }

    /// Whether it is neither killed nor suspended.
    pub fn is_running(&self) -> bool {
        self.process.is_running()
    }
}

/// A process that accepts connections, or `Err` if somebody else has its port.
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
