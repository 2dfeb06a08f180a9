//! A master with two replicas, and three sentinels that replace it when two of them miss it.
#![expect(clippy::expect_used, reason = "a topology that does not form is a failed test")]

use super::{
    client::Client,
    configuration::{Configuration, quoted},
    options::{Access, Options},
    server::{Launch, Server},
};
use crate::patience::wait_until;

/// The name under which the sentinels know the master.
const MASTER_NAME: &str = "main";

/// What a sentinel says once it watches the master.
const IS_WATCHING: &str = "+monitor master";

/// Shorter than a sentinel's own periods, in milliseconds. With its own it first asks a new master when that counts as
/// down already; much shorter ones make it reject every replica, whose state may be five asking periods old but is
/// learned once a second. It looks around more often, so a topology forms in a second, and a machine that stood still
/// does not keep it from acting for half a minute.
const PERIODS: [&str; 10] =
    ["ping-period", "250", "info-period", "500", "publish-period", "200", "ask-period", "200", "tilt-period", "1000"];

/// Three servers, one of which is the master, and three sentinels. All end with this value.
pub struct Sentinels {
    servers: Vec<Server>,
    sentinels: Vec<Server>,
    /// The master as of the start or the last failover that was waited for.
    master: usize,
}

impl Sentinels {
    /// Starts all six and waits until every sentinel knows the others and the replicas have caught up. The options are
    /// those of the three servers; the sentinels ask for no password.
    ///
    /// A master counts as down after 500 ms without an answer, and a failover is tried again after 4 s.
    ///
    /// # Panics
    /// If a process does not start or the topology does not form; if the options want TLS or a Unix socket.
    pub fn start(options: Options) -> Self {
        assert!(!options.has_tls && !options.has_unix_socket, "sentinels speak plain TCP here");
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

    /// Where clients ask who the master is.
    pub fn urls(&self) -> Vec<String> {
        self.sentinels.iter().map(Server::url).collect()
    }

    /// The name that clients ask for.
    pub fn master_name(&self) -> &str {
        MASTER_NAME
    }

    /// The master as of the start or the last failover that was waited for.
    pub fn master(&self) -> &Server {
        self.servers.get(self.master).expect("one of the servers")
    }

    /// The same, to kill, suspend or restart it.
    pub fn master_mut(&mut self) -> &mut Server {
        self.servers.get_mut(self.master).expect("one of the servers")
    }

    /// All servers that hold data, in a fixed order: the one that was the master at the start first.
    pub fn servers(&self) -> &[Server] {
        &self.servers
    }

    /// The same, to kill, suspend or restart them.
    pub fn servers_mut(&mut self) -> &mut [Server] {
        &mut self.servers
    }

    /// Ends a sentinel, 0 to 2, as `kill -9` does. The two others can still replace the master.
    pub fn kill_sentinel(&mut self, index: usize) {
        self.sentinels.get_mut(index).expect("one of the sentinels").kill();
    }

    /// Starts a sentinel again, with what it knew of the others.
    pub fn restart_sentinel(&mut self, index: usize) {
        let sentinel = self.sentinels.get_mut(index).expect("one of the sentinels");
        sentinel.restart();
        set_periods(sentinel);
    }

    /// Ends the master as `kill -9` does.
    pub fn kill_master(&mut self) {
        self.master_mut().kill();
    }

    /// Waits until every running sentinel names another master than [`master`](Self::master), and it is one; that is
    /// the master from now on. Replicas may still be catching up, see [`wait_for_replicas`](Self::wait_for_replicas).
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
                let has = |wanted: &str| info.lines().any(|line| line.trim_end() == wanted);
                if has(&port) && has("master_link_status:up") { Ok(()) } else { Err(info) }
            });
        }
    }

    /// The new master if all agree about it.
    fn named_master(&self) -> Result<usize, String> {
        let mut named = None;
        for sentinel in self.sentinels.iter().filter(|sentinel| sentinel.is_running()) {
            let address = sentinel.try_command(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME])?;
            if named.as_ref().is_some_and(|other| *other != address) {
                return Err(format!("the sentinels name {address} and {named:?}"));
            }
            named = Some(address);
        }
        let address = named.ok_or("no sentinel runs")?;
        let is_named = |server: &Server| address.lines().nth(1) == Some(&server.port().to_string());
        let index = self.servers.iter().position(is_named).ok_or("it is none of the servers")?;
        let server = self.servers.get(index).filter(|_| index != self.master).ok_or("it is the same as before")?;
        let role = server.try_command(&["ROLE"])?;
        if role.starts_with("master") { Ok(index) } else { Err(format!("its role is {role}")) }
    }
}

/// A sentinel that watches the master on this port.
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

/// A sentinel forgets them when it ends.
fn set_periods(sentinel: &Server) {
    sentinel.command(&[&["SENTINEL", "DEBUG"], &PERIODS[..]].concat());
}

/// Whether a sentinel could replace the master: it knows its peers, and replicas that follow the master.
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

/// Whether this answer of names and values, a line each, has this many fields of a name, and all have this value.
fn all(answer: &str, name: &str, value: &str, count: usize) -> bool {
    let mut lines = answer.lines();
    let mut found = Vec::new();
    while let (Some(field), Some(value)) = (lines.next(), lines.next()) {
        if field == name {
            found.push(value);
        }
    }
    found == vec![value; count]
}
