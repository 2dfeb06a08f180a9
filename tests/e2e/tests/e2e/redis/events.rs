//! The feed of events is the same on every replica, and continues on another one.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::collections::BTreeSet;

use firmquote_client::{Credential, EventsChange, QuoteEventKind, QuoteEvents, SwapAmount, SwapTerms};
use firmquote_e2e::{
    configuration,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256},
    events::EventReader,
    evm::{CHAIN_ID, chain_id},
    load::{destination, quote, sign},
    replicas::SharedStore,
    service::Service,
};
use firmquote_test_servers::{
    patience::PATIENCE,
    redis::{Options, Server},
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::client::setup::{api_key, client, request};

async fn open(replica: &Service, parameters: &str) -> EventReader {
    EventReader::open(replica.admin().base(), &format!("/events{parameters}"), ADMIN_TOKEN).await
}

#[tokio::test]
async fn events_of_all_replicas_are_told_by_each_and_continue_on_another() {
    let redis = Server::start(Options::default());
    let file = configuration::over_redis(&SharedStore::from_server(&redis));
    let file = file.replacen("[server]\n", &format!("[server]\nadmin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"), 1);
    let replicas = [Service::start(&file), Service::start(&file)];
    let mut streams = [open(&replicas[0], "").await, open(&replicas[1], "").await];
    let mut ids = Vec::new();
    for number in 0..20_u64 {
        let replica = replicas[usize::from(number % 2 == 1)].public();
        let id = quote(replica).await.unwrap().ok()["id"].as_str().unwrap().to_owned();
        sign(replica, &id, destination(number)).await.unwrap().ok();
        ids.push(id);
    }
    let path = |act: &str| format!("/pools/0x{}/{act}?chain_id={CHAIN_ID}&reason=drill", "ff".repeat(20));
    for act in ["pause", "resume"] {
        let answer = replicas[0].admin().post_with_token(&path(act), ADMIN_TOKEN, &json!({})).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let mut positions = Vec::new();
    for stream in &mut streams {
        let mut signed = Vec::new();
        for _ in 0..20 {
            let event = stream.next("signed").await;
            signed.push(event.data["quote_id"].as_str().unwrap().to_owned());
            positions.push((event.id.unwrap(), signed.len()));
        }
        assert_eq!(signed, ids);
        assert_eq!(stream.next("paused").await.data["reason"], "drill");
        assert_eq!(stream.next("resumed").await.data["operator"], "admin");
    }
    // From the fifth event of one replica on the other.
    let (id, _) = positions.iter().find(|(_, count)| *count == 5).unwrap();
    let mut continued = open(&replicas[1], &format!("?kinds=signed&after={id}")).await;
    for expected in &ids[5..] {
        assert_eq!(continued.next_of_any_kind().await.data["quote_id"], expected.as_str());
    }
    let distinct: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(distinct.len(), 20);
}

/// Returns the ids of the next signed quotes; nothing may be missing.
async fn signed(events: &mut QuoteEvents, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    while ids.len() < count {
        match events.next().await.unwrap() {
            EventsChange::Quote(event) => {
                assert_eq!(event.event, QuoteEventKind::Signed);
                ids.push(event.quote_id.to_string());
            }
            change => assert!(matches!(change, EventsChange::UpToDate), "{change:?}"),
        }
    }
    ids
}

#[tokio::test]
async fn a_client_continues_on_another_replica_and_learns_nothing_of_others() {
    let redis = Server::start(Options::default());
    let file = configuration::over_redis(&SharedStore::from_server(&redis));
    let mut replicas = [Service::start(&file), Service::start(&file)];
    let mut events = client(&replicas[0], api_key()).follow_events(chain_id(), None);
    assert!(matches!(events.next().await.unwrap(), EventsChange::UpToDate));
    let [partner, other] = [api_key(), Credential::Anonymous].map(|credential| client(&replicas[1], credential));
    let mut ids = Vec::new();
    for number in 0..18_u64 {
        if number == 9 {
            assert_eq!(signed(&mut events, 3).await, ids[..3]);
            replicas[0].kill();
        }
        let trader = if number % 3 == 0 { &partner } else { &other };
        let swap = request("USDC", "DAI", SwapAmount::ExactInput("200000".parse().unwrap()));
        let quote = trader.quote(&swap).await.unwrap();
        if number % 3 < 2 {
            trader.sign_quote(&quote, &SwapTerms::swap(destination(number))).await.unwrap();
        }
        if number % 3 == 0 {
            ids.push(quote.id.to_string());
        }
    }
    let last = events.last_event_id().map(str::to_owned);
    let mut continued = client(&replicas[1], api_key()).follow_events(chain_id(), last);
    assert_eq!(signed(&mut continued, 3).await, ids[3..]);
}

/// More entries than the streams of a replica share in memory.
const ENTRIES: usize = 1_500;
/// Subscribers that do not read.
const SLOW: usize = 1_000;
/// The most that one of them may cost, in KiB: the buffers of its connection.
const MAX_KIB: u64 = 100;

#[tokio::test]
async fn a_thousand_slow_subscribers_cost_little_each_and_miss_nothing() {
    let redis = Server::start(Options::default());
    let file = configuration::over_redis(&SharedStore::from_server(&redis));
    // No subscriber is disconnected before it begins to read, however slow the machine is.
    let server = format!("[server]\nwrite_timeout_seconds = 300\nadmin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n");
    let replica = Service::start(&file.replacen("[server]\n", &server, 1));
    let path = |act: &str| format!("/pools/0x{}/{act}?chain_id={CHAIN_ID}&reason=drill", "ff".repeat(20));
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    // As many as the system admits, where that is less.
    let files = maximum.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
    let slow = SLOW.min(files.saturating_sub(300));
    let address = replica.admin().base().strip_prefix("http://").unwrap().to_owned();
    let before = replica.resident_kib();
    let mut subscribers = Vec::new();
    for _ in 0..slow {
        let mut socket = TcpStream::connect(&address).await.unwrap();
        let head = format!("GET /events HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {ADMIN_TOKEN}\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        // The head of the response: from now on the stream has every entry.
        socket.readable().await.unwrap();
        subscribers.push(socket);
    }
    for number in 0..ENTRIES {
        let act = if number % 2 == 0 { "pause" } else { "resume" };
        let answer = replica.admin().post_with_token(&path(act), ADMIN_TOKEN, &json!({})).await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let growth = replica.resident_kib().saturating_sub(before);
    assert!(growth < slow as u64 * MAX_KIB, "{growth} KiB for {slow} subscribers");
    // One that begins to read now receives every entry once, in order.
    let mut text = String::new();
    let mut socket = subscribers.swap_remove(slow / 2);
    while text.matches("\nevent: paused\n").count() + text.matches("\nevent: resumed\n").count() < ENTRIES {
        let mut part = vec![0; 1 << 16];
        let length = timeout(PATIENCE, socket.read(&mut part)).await.expect("an event in time").unwrap();
        assert!(length > 0, "the stream has ended");
        text.push_str(str::from_utf8(&part[..length]).unwrap());
    }
    let acts: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let acts: Vec<&str> = acts.into_iter().filter(|kind| ["paused", "resumed"].contains(kind)).collect();
    assert_eq!(acts, ["paused", "resumed"].repeat(ENTRIES / 2));
}
