//! Swaps through three replicas while Redis and then a replica are killed: every quote is signed exactly once.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    process::{Child, Stdio},
    sync::mpsc::{Sender, channel},
    thread,
};

use firmquote_e2e::{
    configuration,
    endpoint::API_KEY,
    replicas::{SharedStore, endpoints},
    service::Service,
};
use firmquote_test_servers::{
    patience::PATIENCE,
    redis::{Options, Server},
};
use serde_json::Value;

use super::{ALL, Binding};

/// Number of swaps of each client.
const SWAPS: usize = 300;

/// Starts a program, and sends every line of its output to a channel.
fn start(binding: Binding, urls: &str, lines: Sender<(usize, Value)>, position: usize) -> Child {
    let mut program = binding.program("replicas");
    program.env("FIRMQUOTE_URLS", urls).env("FIRMQUOTE_API_KEY", API_KEY);
    program.env("FIRMQUOTE_DEADLINE", "400").env("FIRMQUOTE_DEADLINE_SECONDS", "400");
    let mut child = program.arg(SWAPS.to_string()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            // The receiver is gone once the test has ended.
            if lines.send((position, serde_json::from_str(&line).unwrap())).is_err() {
                return;
            }
        }
    });
    child
}

#[test]
fn no_swap_is_lost_or_signed_twice_while_redis_and_a_replica_are_killed() {
    let mut redis = Server::start(Options { append_only: true, ..Options::default() });
    let store = SharedStore::from_server(&redis);
    let config = configuration::over_redis(&store).replace("= 600", "= 30");
    let mut replicas: Vec<Service> = (0..3).map(|_| Service::start(&config)).collect();
    let urls: Vec<_> = endpoints(&replicas).iter().map(|endpoint| endpoint.base().to_owned()).collect();
    let (sender, lines) = channel();
    let start = |(position, binding): (usize, Binding)| start(binding, &urls.join(","), sender.clone(), position);
    let mut children: Vec<Child> = ALL.into_iter().enumerate().map(start).collect();
    let mut signatures = BTreeMap::new();
    let (mut done, mut finished) = (0, [0; ALL.len()]);
    while done < ALL.len() {
        let (position, line) = lines.recv_timeout(10 * PATIENCE).unwrap();
        if let Some(count) = line["done"].as_u64() {
            assert_eq!((usize::try_from(count).unwrap(), finished[position]), (SWAPS, SWAPS), "{:?}", ALL[position]);
            done += 1;
            continue;
        }
        finished[position] += 1;
        let quote = line["quote_id"].as_str().unwrap().to_owned();
        assert_eq!(signatures.insert(quote, line["signature"].clone()), None, "twice: {line}");
        match signatures.len() {
            count if count == SWAPS / 2 => {
                redis.kill();
                redis.restart();
            }
            count if count == SWAPS => replicas[0].kill(),
            _ => {}
        }
    }
    for (child, binding) in children.iter_mut().zip(ALL) {
        assert!(child.wait().unwrap().success(), "{binding:?}");
    }
    assert_eq!(signatures.len(), ALL.len() * SWAPS);
}
