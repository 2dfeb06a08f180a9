//! Threads that serve on runtimes of their own have connections of their own.

use std::{
    sync::{Arc, mpsc::channel},
    thread,
    time::Duration,
};

use firmquote_store::{Store as _, redis::RedisStore};
use firmquote_test_servers::redis::{Options, Server};
use tokio::{
    runtime::{Builder, Runtime},
    sync::watch,
};

use crate::redis::setup::{connect, now, quote, server_config, until_available};

pub(crate) fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Connections to the server but for the one that asks.
fn connections(server: &Server) -> usize {
    server.command(&["CLIENT", "LIST", "TYPE", "normal"]).lines().filter(|line| !line.trim().is_empty()).count() - 1
}

async fn wait_for_connections(server: &Server, expected: usize) {
    for _ in 0..3_000 {
        if connections(server) == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not {expected} connections but {}", connections(server));
}

#[tokio::test(flavor = "multi_thread")]
async fn threads_use_their_own_connection_and_fall_back_to_the_shared_one() {
    let server = Server::start(Options::default());
    let store = Arc::new(connect(&server_config(&server)).await);
    store.ping(now()).await.expect("answered");
    assert_eq!(connections(&server), 1, "a runtime of several threads has none of its own");
    let ((say_asked, asked), (end, until_end)) = (channel(), watch::channel(false));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let (store, say_asked, mut until_end) = (Arc::clone(&store), say_asked.clone(), until_end.clone());
            thread::spawn(move || {
                runtime().block_on(async {
                    store.ping(now()).await.expect("answered over the shared connection");
                    say_asked.send(()).expect("the test waits");
                    until_end.wait_for(|is_over| *is_over).await.expect("the test ends it");
                    until_available(|| store.ping(now())).await;
                });
            })
        })
        .collect();
    for _ in &threads {
        asked.recv().expect("asked");
    }
    wait_for_connections(&server, 3).await;
    server.command(&["CLIENT", "KILL", "TYPE", "normal"]);
    wait_for_connections(&server, 3).await;
    end.send_replace(true);
    for thread in threads {
        thread.join().expect("both asked again");
    }
    wait_for_connections(&server, 1).await;
    until_available(|| store.ping(now())).await;
}

#[test]
fn a_connection_of_an_ended_runtime_is_not_used() {
    let server = Server::start(Options::default());
    let (keeping, numbers) = (Builder::new_multi_thread().enable_all().build().expect("a runtime"), 1..4);
    let store: RedisStore = keeping.block_on(connect(&server_config(&server)));
    for number in numbers {
        runtime().block_on(async {
            store.ping(now()).await.expect("answered");
            if number == 1 {
                wait_for_connections(&server, 2).await;
            }
            store.insert(&quote(number), now()).await.expect("inserted");
        });
    }
    drop(store);
}
