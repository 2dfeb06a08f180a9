//! A master with two replicas, and three sentinels that fail over when two of them consider the master down.
#![expect(clippy::expect_used, reason = "a topology that does not form is a failed test")]

use super::{
    client::Client,
    configuration::{Configuration, quoted},
    options::{Access, Options},
    server::{Launch, Server},
};
use crate::patience::wait_until;

/// The name of the master in the sentinel configuration.
const MASTER_NAME: &str = "main";

/// The log message of a sentinel that monitors the master.
const IS_WATCHING: &str = "+monitor master";

/// Sentinel periods in milliseconds, shorter than the defaults. With the defaults, a sentinel first queries a new
/// master when it already considers it down. Much shorter periods make it reject every replica: their state may be at
/// most five ping periods old but is refreshed once per second. Shorter periods also let a topology form within a
/// second, and keep TILT mode after a stalled machine from lasting half a minute.
const PERIODS: [&str; 10] =
    ["ping-period", "250", "info-period", "500", "publish-period", "200", "ask-period", "200", "tilt-period", "1000"];

/// Three servers, one of which is the master, and three sentinels. All are killed on drop.
pub struct Sentinels {
    servers: Vec<Server>,
    sentinels: Vec<Server>,
    /// The master as of the start or the last awaited failover.
    master: usize,
}

impl Sentinels {
    /// Starts all six processes, and waits until every sentinel knows the others and the replicas are in sync. The
    /// options apply to the three servers; the sentinels require no password.
    ///
    /// A master is considered down after 500 ms without a response, and a failed failover is retried after 4 s.
    ///
    /// # Panics
    /// If a process does not start, if the topology does not form, or if the options request TLS or a Unix socket.
    pub fn start(options: Options) -> Self {
        assert!(!options.has_tls && !options.has_unix_socket, "sentinels support plain TCP only");
        let master = Server::start(options.clone());
        let port = master.port();
        let replica = || {
            Server::start_on_free_port(&options, |configuration| {
                configuration.raw("replicaof", &format!("127.0.0.1 {port}"));
            })
        };
        let mut topology = Self { servers: vec![master, replica(), replica()], sentinels: Vec::new(), master: 0 };
        topology.wait_for_replicas();
        topology.sentinels = (0..3).map(|_| sentinel(port, &options.access)).collect();
        wait_until("the sentinels know all", || topology.sentinels.iter().try_for_each(knows_all));
        topology
    }

    /// Returns the URLs of the sentinels, which clients query for the master.
    pub fn urls(&self) -> Vec<String> {
        self.sentinels.iter().map(Server::url).collect()
    }

    /// Returns the master name that clients query.
    pub fn master_name(&self) -> &str {
        MASTER_NAME
    }

    /// Returns the master as of the start or the last awaited failover.
    pub fn master(&self) -> &Server {
        self.servers.get(self.master).expect("one of the servers")
    }

    /// Returns [`master`](Self::master) mutably, to kill, suspend or restart it.
    pub fn master_mut(&mut self) -> &mut Server {
        self.servers.get_mut(self.master).expect("one of the servers")
    }

    /// Returns all data servers in a fixed order, the initial master first.
    pub fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// Returns [`servers`](Self::servers) mutably, to kill, suspend or restart them.
    pub fn servers_mut(&mut self) -> &mut [Server] {
        &mut self.servers
    }

    /// Kills a sentinel (SIGKILL), index 0 to 2. The other two can still fail over.
    pub fn kill_sentinel(&mut self, index: usize) {
        self.sentinels.get_mut(index).expect("one of the sentinels").kill();
    }

    /// Restarts a sentinel with its persisted state.
    pub fn restart_sentinel(&mut self, index: usize) {
        let sentinel = self.sentinels.get_mut(index).expect("one of the sentinels");
        sentinel.restart();
        set_periods(sentinel);
    }

    /// Kills the master (SIGKILL).
    pub fn kill_master(&mut self) {
        self.master_mut().kill();
    }

    /// Waits until all running sentinels report the same new master and it has that role, and makes it
    /// [`master`](Self::master). Replicas may still be syncing, see [`wait_for_replicas`](Self::wait_for_replicas).
    pub fn wait_for_failover(&mut self) {
        self.master = wait_until("another server is the master", || self.named_master());
    }

    /// Waits until every other running server replicates the master.
    pub fn wait_for_replicas(&self) {
        let port = format!("master_port:{}", self.master().port());
        let replicas = self.servers.iter().enumerate().filter(|(index, _)| *index != self.master);
        for (_, replica) in replicas.filter(|(_, server)| server.is_running()) {
            wait_until("a replica has caught up", || {
                let info = replica.try_command(&["INFO", "replication"])?;
                let has = |field: &str| info.lines().any(|line| line.trim_end() == field);
                if has(&port) && has("master_link_status:up") { Ok(()) } else { Err(info) }
            });
        }
    }

    /// Returns the index of the new master if all running sentinels agree on it.
    fn named_master(&self) -> Result<usize, String> {
        let mut reported = None;
        for sentinel in self.sentinels.iter().filter(|sentinel| sentinel.is_running()) {
            let address = sentinel.try_command(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME])?;
            if reported.as_ref().is_some_and(|other| *other != address) {
                return Err(format!("the sentinels name {address} and {reported:?}"));
            }
            reported = Some(address);
        }
        let address = reported.ok_or("no sentinel runs")?;
        let is_named = |server: &Server| address.lines().nth(1) == Some(&server.port().to_string());
        let index = self.servers.iter().position(is_named).ok_or("it is none of the servers")?;
        let server = self.servers.get(index).filter(|_| index != self.master).ok_or("it is the same as before")?;
        let role = server.try_command(&["ROLE"])?;
        if role.starts_with("master") { Ok(index) } else { Err(format!("its role is {role}")) }
    }
}

/// Starts a sentinel that monitors the master on `port`.
fn sentinel(port: u16, access: &Access) -> Server {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let launch = Launch { arguments: &["--sentinel"], is_ready: IS_WATCHING, slow_fsync: None };
    let client = Client { port: 0, access: Access::Open, certificates: None };
    let server = Server::launch(launch, client, directory, |client, directory| {
        let mut configuration = Configuration::listening(client.port, directory, None);
        let mut about_master = |what: &str, value: &str| {
            configuration.raw("sentinel", &format!("{what} {MASTER_NAME} {value}"));
        };
        about_master("monitor", &format!("127.0.0.1 {port} 2"));
        about_master("down-after-milliseconds", "500");
        about_master("failover-timeout", "2000");
        about_master("parallel-syncs", "1");
        if let Some(user) = access.user() {
            about_master("auth-user", user);
        }
        if let Some(password) = access.password() {
            about_master("auth-pass", &quoted(password));
        }
        configuration
    });
    set_periods(&server);
    server
}

/// Sets [`PERIODS`], which a sentinel does not persist.
fn set_periods(sentinel: &Server) {
    sentinel.command(&[&["SENTINEL", "DEBUG"], &PERIODS[..]].concat());
}

/// Checks that a sentinel could perform a failover: it knows its peers, and two replicas connected to the master.
fn knows_all(sentinel: &Server) -> Result<(), String> {
    let master = sentinel.try_command(&["SENTINEL", "MASTER", MASTER_NAME])?;
    let replicas = sentinel.try_command(&["SENTINEL", "REPLICAS", MASTER_NAME])?;
    let is_good = all(&master, "flags", "master", 1)
        && all(&master, "num-slaves", "2", 1)
        && all(&master, "num-other-sentinels", "2", 1)
        && all(&replicas, "flags", "slave", 2)
        && all(&replicas, "master-link-status", "ok", 2);
    if is_good { Ok(()) } else { Err(format!("{master}\n{replicas}")) }
}

/// Whether a reply of alternating name and value lines has exactly `count` fields `name`, all equal to `value`.
fn all(answer: &str, name: &str, value: &str, count: usize) -> bool {
    let mut lines = answer.lines();
    let mut values = Vec::new();
    while let (Some(field), Some(value)) = (lines.next(), lines.next()) {
        if field == name {
            values.push(value);
        }
    }
    values == vec![value; count]
}
