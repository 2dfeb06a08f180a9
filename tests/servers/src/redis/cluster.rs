//! A Redis Cluster: three masters that share the hash slots, with replicas.
#![expect(clippy::expect_used, reason = "a cluster that does not form is a failed test")]

use super::{
    options::Options,
    program::free_port,
    server::Server,
    slots::{SLOTS, View},
};
use crate::patience::wait_until;

/// Number of masters, the minimum that can agree on a failover.
const MASTERS: usize = 3;

/// The nodes of one cluster. All are killed on drop.
pub struct Cluster {
    nodes: Vec<Server>,
}

impl Cluster {
    /// Starts three masters with `replicas_per_master` replicas each, and waits until all nodes agree and the replicas
    /// are in sync. Nodes 0, 1 and 2 start as masters of a third of the slots each, in this order; node 3 starts as a
    /// replica of node 0, node 4 of node 1, and so on.
    ///
    /// A node is considered failing after one second without a response.
    ///
    /// # Panics
    /// If a node does not start, if the cluster does not form, or if the options request TLS or a Unix socket.
    pub fn start(replicas_per_master: usize, options: Options) -> Self {
        assert!(!options.has_tls && !options.has_unix_socket, "clusters support plain TCP only");
        let node = |_| {
            Server::start_on_free_port(&options, |configuration| {
                configuration.raw("cluster-enabled", "yes").raw("cluster-config-file", "nodes.conf");
                configuration.raw("cluster-node-timeout", "1000").raw("cluster-announce-ip", "127.0.0.1");
                // The default, the port plus 10000, may be taken or out of range.
                configuration.raw("cluster-port", &free_port().to_string());
                configuration.raw("cluster-allow-replica-migration", "no");
            })
        };
        let cluster = Self { nodes: (0..MASTERS * (1 + replicas_per_master)).map(node).collect() };
        cluster.share_slots();
        cluster.meet();
        cluster.replicate();
        cluster.wait_until_ok();
        cluster
    }

    /// Returns the URLs of all nodes, masters and replicas, any of which clients can use as a seed.
    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(Server::url).collect()
    }

    /// Returns all nodes by index.
    pub fn nodes(&self) -> &[Server] {
        &self.nodes
    }

    /// Returns the indices of the nodes that own slots, in slot order, as seen by the first running node.
    pub fn masters(&self) -> Vec<usize> {
        let mut masters = Vec::new();
        for (_, _, port) in self.view().ranges {
            let index = self.index(port);
            if !masters.contains(&index) {
                masters.push(index);
            }
        }
        masters
    }

    /// Returns the index of the node that owns the slot of `key`, as seen by the first running node.
    pub fn master_of_key(&self, key: &str) -> usize {
        let slot = self.first_running().command(&["CLUSTER", "KEYSLOT", key]).parse().expect("a slot");
        self.index(self.view().owner(slot).expect("a slot with an owner"))
    }

    /// Kills a node (SIGKILL).
    pub fn kill(&mut self, index: usize) {
        self.node(index).kill();
    }

    /// Restarts a node, which may find that another node has taken over its slots. Returns when the node accepts
    /// connections, which is before it has rejoined the cluster: see [`wait_until_ok`](Self::wait_until_ok).
    pub fn restart(&mut self, index: usize) {
        self.node(index).restart();
    }

    /// Suspends a node: connections stay open, but it does not respond.
    pub fn suspend(&mut self, index: usize) {
        self.node(index).suspend();
    }

    /// Resumes a node after [`suspend`](Self::suspend).
    pub fn resume(&mut self, index: usize) {
        self.node(index).resume();
    }

    /// Waits until every slot is served: all running nodes report so, agree on the owners, which are running, and
    /// consider each other healthy; running replicas are in sync. After a kill, this waits for the failover.
    pub fn wait_until_ok(&self) {
        wait_until("the cluster serves every slot", || self.check());
    }

    fn check(&self) -> Result<(), String> {
        let running: Vec<&Server> = self.nodes.iter().filter(|node| node.is_running()).collect();
        let mut agreed = None;
        for node in &running {
            let info = node.try_command(&["CLUSTER", "INFO"])?;
            if !info.contains("cluster_state:ok") {
                return Err(info);
            }
            let view = view_of(node)?;
            let is_owned = view.ranges.iter().all(|(_, _, owner)| running.iter().any(|node| node.port() == *owner));
            if !is_owned || !view.is_complete() || !running.iter().all(|node| view.well.contains(&node.port())) {
                return Err(format!("{view:?}"));
            }
            if !view.ranges.iter().any(|(_, _, owner)| *owner == node.port()) {
                let replication = node.try_command(&["INFO", "replication"])?;
                if !replication.contains("master_link_status:up") {
                    return Err(replication);
                }
            }
            if *agreed.get_or_insert_with(|| view.ranges.clone()) != view.ranges {
                return Err(format!("{agreed:?} or {view:?}"));
            }
        }
        agreed.map(|_| ()).ok_or_else(|| "no node runs".to_owned())
    }

    /// Assigns each master its third of the slots and a unique epoch, which resolves conflicts about them.
    fn share_slots(&self) {
        let share = usize::from(SLOTS).div_ceil(MASTERS);
        for (index, master) in self.nodes.iter().take(MASTERS).enumerate() {
            let (first, after) = (index * share, usize::from(SLOTS).min((index + 1) * share));
            master.command(&["CLUSTER", "ADDSLOTSRANGE", &first.to_string(), &(after - 1).to_string()]);
            master.command(&["CLUSTER", "SET-CONFIG-EPOCH", &(index + 1).to_string()]);
        }
    }

    /// Introduces every node to the first, which informs the others. On a busy machine a node may answer later than the
    /// first waits for it, and is introduced again.
    fn meet(&self) {
        let (first, others) = self.nodes.split_first().expect("nodes");
        wait_until("the nodes know each other", || {
            let views: Vec<View> = self.nodes.iter().map(view_of).collect::<Result<_, _>>()?;
            let knows = |view: &View, node: &Server| view.well.contains(&node.port());
            if views.iter().all(|view| self.nodes.iter().all(|node| knows(view, node))) {
                return Ok(());
            }
            for node in others.iter().filter(|node| views.first().is_some_and(|view| !knows(view, node))) {
                let bus = node.command(&["CONFIG", "GET", "cluster-port"]);
                let bus = bus.lines().nth(1).expect("a value after the name");
                first.command(&["CLUSTER", "MEET", "127.0.0.1", &node.port().to_string(), bus]);
            }
            Err(format!("{views:?}"))
        });
    }

    fn replicate(&self) {
        for (index, replica) in self.nodes.iter().enumerate().skip(MASTERS) {
            let master = self.nodes.get(index % MASTERS).expect("a master");
            let identifier = master.command(&["CLUSTER", "MYID"]);
            replica.command(&["CLUSTER", "REPLICATE", &identifier]);
        }
    }

    fn view(&self) -> View {
        view_of(self.first_running()).expect("a node that answers")
    }

    fn first_running(&self) -> &Server {
        self.nodes.iter().find(|node| node.is_running()).expect("a running node")
    }

    fn node(&mut self, index: usize) -> &mut Server {
        self.nodes.get_mut(index).expect("the index of a node")
    }

    fn index(&self, port: u16) -> usize {
        self.nodes.iter().position(|node| node.port() == port).expect("a node of this cluster")
    }
}

fn view_of(node: &Server) -> Result<View, String> {
    let answer = node.try_command(&["CLUSTER", "NODES"])?;
    View::parse(&answer).ok_or(answer)
}
