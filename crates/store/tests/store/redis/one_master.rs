//! All links of a store follow the same server.

use std::{
    sync::{Arc, Mutex, mpsc::channel},
    thread,
    time::{Duration, Instant},
};

use firmquote_store::{
    Store as _,
    redis::{RedisConfig, Servers},
};
use firmquote_test_servers::redis::{Options, Server};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

use crate::redis::{
    setup::{PATIENCE, address, config, connect},
    threads::runtime,
};

/// Leads every new connection to the server that it names then; those that are there stay where they are, as those to a
/// master that was cut off from everybody else do.
struct Signpost {
    url: String,
    server: Arc<Mutex<String>>,
}

impl Signpost {
    async fn to(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("redis://{}", listener.local_addr().expect("bound"));
        let server = Arc::new(Mutex::new(place(server)));
        let named = Arc::clone(&server);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let place = named.lock().expect("whole").clone();
                tokio::spawn(async move {
                    let mut server = TcpStream::connect(place).await.expect("the server listens");
                    // Either side may end it as it likes.
                    drop(copy_bidirectional(&mut client, &mut server).await);
                });
            }
        });
        Self { url, server }
    }

    fn turn_to(&self, server: &Server) {
        *self.server.lock().expect("whole") = place(server);
    }
}

/// Host and port.
fn place(server: &Server) -> String {
    server.url().trim_start_matches("redis://").split('/').next().unwrap_or_default().to_owned()
}

/// The connections that have shown that they take writes, the oldest first.
fn proven(server: &Server) -> Vec<u64> {
    let list = server.command(&["CLIENT", "LIST", "TYPE", "normal"]);
    let lines = list.lines().filter(|line| line.contains(" cmd=info "));
    let mut ids: Vec<u64> =
        lines.filter_map(|line| line.strip_prefix("id=")?.split(' ').next()?.parse().ok()).collect();
    ids.sort_unstable();
    ids
}

/// Waits until there are so many.
async fn wait_for_proven(server: &Server, expected: usize) -> Vec<u64> {
    let end = Instant::now() + PATIENCE;
    loop {
        let ids = proven(server);
        if ids.len() == expected {
            return ids;
        }
        assert!(Instant::now() < end, "not {expected} connections but {ids:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn thread_connections_follow_the_shared_one() {
    let [old, new] = [Server::start(Options::default()), Server::start(Options::default())];
    let signpost = Signpost::to(&old).await;
    let store = Arc::new(connect(&config(Servers::One(address(&signpost.url)))).await);
    let ((say_asked, asked), (end, mut until_end)) = (channel(), watch::channel(false));
    let serving = Arc::clone(&store);
    let serving = thread::spawn(move || {
        runtime().block_on(async {
            serving.ping(crate::redis::setup::now()).await.expect("answered");
            say_asked.send(()).expect("the test waits");
            until_end.wait_for(|is_over| *is_over).await.expect("the test ends it");
        });
    });
    asked.recv().expect("asked");
    let [shared, _] = wait_for_proven(&old, 2).await[..] else { panic!("one each") };
    signpost.turn_to(&new);
    old.command(&["CLIENT", "KILL", "ID", &shared.to_string()]);
    wait_for_proven(&new, 2).await;
    wait_for_proven(&old, 0).await;
    end.send_replace(true);
    serving.join().expect("it ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn durable_writes_go_to_the_server_of_the_shared_connection() {
    let [old, new] = [Server::start(Options::default()), Server::start(Options::default())];
    let signpost = Signpost::to(&old).await;
    let config = RedisConfig { wait_replicas: 1, ..config(Servers::One(address(&signpost.url))) };
    let _store = connect(&config).await;
    let [shared, _] = wait_for_proven(&old, 2).await[..] else { panic!("one each") };
    signpost.turn_to(&new);
    old.command(&["CLIENT", "KILL", "ID", &shared.to_string()]);
    wait_for_proven(&new, 2).await;
    wait_for_proven(&old, 0).await;
}
