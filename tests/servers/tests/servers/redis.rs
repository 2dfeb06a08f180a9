//! Every topology starts, responds, fails on request, and is gone after drop.
#![expect(clippy::expect_used, reason = "a test may panic anywhere")]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    time::Duration,
};

use firmquote_test_servers::redis::{Access, Cluster, Options, Sentinels, Server};

/// Would be misread in a URL or a file without quoting.
const PASSWORD: &str = r#"p@ss: "w\o/r d?#%&+"#;

fn user() -> Access {
    Access::User { name: "partner".to_owned(), password: PASSWORD.to_owned() }
}

fn persistent() -> Options {
    Options { append_only: true, ..Options::default() }
}

/// Returns the reply to a client without TLS and without a password, if any.
fn reply_without_credentials(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("an open port");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a valid timeout");
    stream.write_all(b"PING\r\n").expect("an open connection");
    let mut answer = [0; 64];
    let length = stream.read(&mut answer).unwrap_or_default();
    String::from_utf8_lossy(answer.get(..length).unwrap_or_default()).into_owned()
}

fn exists(pid: u32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

#[test]
fn a_server_responds_at_its_url() {
    let server = Server::start(Options::default());
    assert_eq!(server.url(), format!("redis://127.0.0.1:{}", server.port()));
    assert_eq!(server.command(&["SET", "key", "two words"]), "OK");
    assert_eq!(server.command(&["GET", "key"]), "two words");
    assert_eq!(reply_without_credentials(server.port()), "+PONG\r\n");
    let error = server.try_command(&["HELLO?"]).expect_err("an unknown command");
    assert!(error.contains("unknown command"), "{error}");
}

#[test]
fn a_killed_server_returns_on_its_port_with_its_append_only_data() {
    for (append_only, value) in [(true, "value"), (false, "")] {
        let mut server = Server::start(Options { append_only, ..Options::default() });
        let (port, pid) = (server.port(), server.pid());
        server.command(&["SET", "key", "value"]);
        server.kill();
        assert!(!server.is_running() && !exists(pid));
        let error = server.try_command(&["GET", "key"]).expect_err("a dead server");
        assert!(error.contains("Connection refused"), "{error}");
        server.restart();
        assert!(server.is_running());
        assert_eq!((server.port(), server.command(&["GET", "key"]).as_str()), (port, value));
        server.shut_down();
        server.restart_without_waiting();
        server.wait_until_ready();
        assert_eq!(server.command(&["GET", "key"]), value);
    }
}

#[test]
fn a_suspended_server_keeps_connections_open_and_responds_later() {
    let mut server = Server::start(Options::default());
    server.suspend();
    assert!(!server.is_running());
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).expect("the system accepts");
    stream.write_all(b"PING\r\n").expect("an open connection");
    stream.set_read_timeout(Some(Duration::from_millis(50))).expect("a valid timeout");
    let mut answer = [0; 7];
    stream.read_exact(&mut answer).expect_err("silence");
    server.resume();
    assert!(server.is_running());
    stream.set_read_timeout(None).expect("a valid timeout");
    stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"+PONG\r\n");
}

#[test]
fn a_server_with_access_control_requires_the_password() {
    const ENCODED: &str = "p%40ss%3A%20%22w%5Co%2Fr%20d%3F%23%25%26%2B";
    for (access, user, me) in [(Access::Password(PASSWORD.into()), "", "default"), (user(), "partner", "partner")] {
        let server = Server::start(Options { access, ..Options::default() });
        assert_eq!(server.url(), format!("redis://{user}:{ENCODED}@127.0.0.1:{}", server.port()));
        assert_eq!(server.command(&["ACL", "WHOAMI"]), me);
        assert!(reply_without_credentials(server.port()).starts_with("-NOAUTH"));
    }
}

#[test]
fn a_tls_server_rejects_plain_clients_and_clients_without_certificate() {
    let server = Server::start(Options { has_tls: true, access: user(), ..Options::default() });
    assert!(server.url().starts_with("rediss://partner:"));
    assert_eq!(server.command(&["ACL", "WHOAMI"]), "partner");
    let answer = reply_without_credentials(server.port());
    assert!(!answer.contains("PONG") && !answer.contains("NOAUTH"), "{answer}");
    let certificates = server.certificates();
    let keys = [&certificates.server_key, &certificates.client_key];
    for file in [&certificates.authority, &certificates.server, &certificates.client].into_iter().chain(keys) {
        assert!(fs::read_to_string(file).expect("a file").starts_with("-----BEGIN "), "{}", file.display());
    }
    assert_eq!(server.command(&["CONFIG", "GET", "tls-auth-clients"]), "tls-auth-clients\nyes");
}

#[test]
fn a_server_listens_on_its_unix_socket() {
    let server = Server::start(Options { has_unix_socket: true, access: user(), ..Options::default() });
    let url = server.url();
    let path = url.strip_prefix("redis+unix://").and_then(|rest| rest.split_once("?user=partner&pass=p%40ss"));
    let (path, _) = path.unwrap_or_else(|| panic!("{url}"));
    let mut stream = std::os::unix::net::UnixStream::connect(path).expect("a socket");
    stream.write_all(b"PING\r\n").expect("an open connection");
    let mut answer = [0; 7];
    stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"-NOAUTH");
}

#[test]
fn directives_of_a_test_take_precedence() {
    let options = persistent().with("maxmemory-policy", "allkeys-lru").with("appendfsync", "no");
    let server = Server::start(options);
    assert_eq!(server.command(&["CONFIG", "GET", "maxmemory-policy"]), "maxmemory-policy\nallkeys-lru");
    assert_eq!(server.command(&["CONFIG", "GET", "appendfsync"]), "appendfsync\nno");
}

#[test]
fn sentinels_replace_a_killed_master_which_returns_as_a_replica() {
    let options = Options { access: user(), ..persistent() }.with("min-replicas-to-write", "1");
    let mut sentinels = Sentinels::start(options);
    assert_eq!((sentinels.urls().len(), sentinels.master_name()), (3, "main"));
    let first = sentinels.master().port();
    sentinels.master().command(&["SET", "key", "value"]);
    assert_eq!(sentinels.master().command(&["WAIT", "2", "0"]), "2");
    sentinels.kill_master();
    sentinels.wait_for_failover();
    sentinels.wait_for_replicas();
    assert_ne!(sentinels.master().port(), first);
    assert_eq!(sentinels.master().command(&["GET", "key"]), "value");
    assert_eq!(sentinels.master().command(&["SET", "key", "other"]), "OK");
    for server in sentinels.servers_mut().iter_mut().filter(|server| !server.is_running()) {
        server.restart();
    }
    sentinels.wait_for_replicas();
    assert!(sentinels.servers().iter().all(|server| server.command(&["GET", "key"]) == "other"));
}

#[test]
fn two_sentinels_replace_a_suspended_master() {
    let mut sentinels = Sentinels::start(Options::default());
    sentinels.kill_sentinel(0);
    sentinels.master_mut().suspend();
    sentinels.wait_for_failover();
    sentinels.restart_sentinel(0);
    for server in sentinels.servers_mut().iter_mut().filter(|server| !server.is_running()) {
        server.resume();
    }
    sentinels.wait_for_replicas();
    assert!(sentinels.master().command(&["ROLE"]).starts_with("master"));
}

#[test]
fn a_cluster_without_replicas_returns_with_its_nodes() {
    let mut cluster = Cluster::start(0, persistent());
    assert_eq!((cluster.urls().len(), cluster.masters()), (3, vec![0, 1, 2]));
    let owner = cluster.master_of_key("key");
    let command =
        |cluster: &Cluster, arguments: &[&str]| cluster.nodes().get(owner).expect("a node").try_command(arguments);
    assert_eq!(command(&cluster, &["SET", "key", "value"]).as_deref(), Ok("OK"));
    cluster.kill(owner);
    command(&cluster, &["GET", "key"]).expect_err("a dead node");
    cluster.restart(owner);
    cluster.wait_until_ok();
    assert_eq!(cluster.master_of_key("key"), owner);
    assert_eq!(command(&cluster, &["GET", "key"]).as_deref(), Ok("value"));
}

#[test]
fn a_cluster_with_replicas_replaces_a_killed_master() {
    let mut cluster = Cluster::start(1, Options { access: user(), ..persistent() });
    assert_eq!((cluster.nodes().len(), cluster.masters()), (6, vec![0, 1, 2]));
    let owner = cluster.master_of_key("key");
    let node = |cluster: &Cluster, index: usize, command: &[&str]| {
        cluster.nodes().get(index).expect("a node").command(command)
    };
    node(&cluster, owner, &["SET", "key", "value"]);
    assert_eq!(node(&cluster, owner, &["WAIT", "1", "0"]), "1");
    cluster.kill(owner);
    cluster.wait_until_ok();
    assert_eq!(cluster.master_of_key("key"), owner + 3);
    assert_eq!(node(&cluster, owner + 3, &["GET", "key"]), "value");
    cluster.restart(owner);
    cluster.wait_until_ok();
    assert_eq!(cluster.master_of_key("key"), owner + 3);
    cluster.suspend(owner + 3);
    cluster.wait_until_ok();
    assert_eq!(cluster.master_of_key("key"), owner);
    cluster.resume(owner + 3);
    cluster.wait_until_ok();
    assert_eq!(node(&cluster, owner, &["GET", "key"]), "value");
}

#[test]
fn dropping_servers_leaves_nothing_behind() {
    let mut server = Server::start(Options { has_tls: true, ..persistent() });
    let mut cluster = Cluster::start(0, Options::default());
    let mut pids: Vec<u32> = cluster.nodes().iter().map(Server::pid).collect();
    pids.push(server.pid());
    let file = server.certificates().authority.clone();
    server.suspend();
    cluster.suspend(1);
    assert!(file.exists() && pids.iter().all(|pid| exists(*pid)));
    drop((server, cluster));
    assert!(!file.exists() && !pids.iter().any(|pid| exists(*pid)));
}
