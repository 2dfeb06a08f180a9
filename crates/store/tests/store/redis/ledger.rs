//! The ledger: each signature once, before it leaves, as long as configured.

use firmquote_domain::{SignedQuote, SwapOutcome, Timestamp};
use firmquote_store::{
    EventStream, PrepareOutcome, Store, conformance,
    redis::{ArchiveStatus, LedgerCursor, RedisConfig, RedisStore},
};
use firmquote_test_servers::redis::{Cluster, Options, Server};
use serde_json::{Value, json};

use crate::calls::Calls as _;
use crate::redis::setup::{PREFIX, claim, cluster_config, connect, key, now, quote, quote_at, server_config, signed};

async fn entries(store: &RedisStore) -> Vec<Value> {
    let (lines, _) = store.ledger_end(1_000).await.expect("answered");
    lines.iter().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[tokio::test]
async fn every_signature_is_written_once_with_all_details() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let quote = quote(1);
    store.insert(&quote, now()).await.expect("inserted");
    claim(&store, &quote, 7).await.expect("answered");
    assert_eq!(entries(&store).await, Vec::<Value>::new(), "nothing is signed yet");
    let first = signed(&quote, 7);
    for later in 0..3 {
        let again = SignedQuote { signed_at: first.signed_at.plus_seconds(later), ..first.clone() };
        store.record(again, now()).await.expect("recorded");
        claim(&store, &quote, 7).await.expect("answered");
    }
    let leg = |token: &str, decimals, amount, price, reserve| json!({"token": token, "decimals": decimals, "amount": amount, "price_usd": price, "reserve": reserve});
    let expected = json!({
        "event": "signed",
        "quote_id": quote.id.to_string(),
        "client": null,
        "chain_id": 1,
        "pool": "0x0909090909090909090909090909090909090909",
        "input": leg("0x0101010101010101010101010101010101010101", 18, "10000000000000000000", "2080.527", "476877882758190421102"),
        "output": leg("0x0202020202020202020202020202020202020202", 6, "20661947917", "1", "417751254142"),
        "fixed": "input",
        "fee_in_basis_points": "8.63",
        "time_in_seconds": 60,
        "block": 7,
        "state_id": "01".repeat(16),
        "created_at_us": quote.created_at.as_micros(),
        "must_accept_by_us": quote.must_accept_by.as_micros(),
        "expires_at": quote.good_until.expires_at().get(),
        "good_until": quote.good_until.expires_at().get().to_string(),
        "destination": "0x0707070707070707070707070707070707070707",
        "sender": "0x0707070707070707070707070707070707070707",
        "aux_data": format!("0x{}", "0".repeat(64)),
        "native": "neither",
        "transmit": false,
        "requires_guarantee": false,
        "execution": "best_effort",
        "signature": {"v": 27, "r": format!("0x{}", "07".repeat(32)), "s": format!("0x{}", "01".repeat(32))},
        "signed_at_us": first.signed_at.as_micros(),
    });
    assert_eq!(entries(&store).await, [expected]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_settlement_change_is_written_once() {
    let (server, cluster) = (Server::start(Options::default()), Cluster::start(0, Options::default()));
    for config in [server_config(&server), cluster_config(&cluster)] {
        let replicas = [connect(&config).await, connect(&config).await];
        let [store, _] = &replicas;
        let signed = signed(&quote(1), 7);
        store.insert_signed(signed.clone(), now()).await.expect("recorded");
        let (swap, settled) =
            (conformance::sample_swap(&signed), Some(SwapOutcome::Settled(conformance::sample_settlement(&signed))));
        for outcome in [None, settled, settled, None, Some(SwapOutcome::Lapsed)] {
            for replica in &replicas {
                replica.set_outcome(&swap, outcome, now()).await.expect("stored");
            }
        }
        let entries = entries(store).await;
        let events: Vec<_> = entries.iter().map(|entry| entry["event"].as_str().expect("an event")).collect();
        assert_eq!(events, ["signed", "settled", "reorged", "lapsed"]);
        let expected = json!({
            "event": "settled",
            "quote_id": signed.quote.id.to_string(),
            "client": null,
            "chain_id": 1,
            "pool": "0x0909090909090909090909090909090909090909",
            "transaction_hash": format!("0x{}", "07".repeat(32)),
            "log_index": 3,
            "block_number": 21_000_000,
            "block_timestamp": signed.signed_at.seconds().get(),
            "input_amount": "10000000000000000000",
            "output_amount": firmquote_domain::U256::MAX.to_string(),
            "recorded_at_us": entries[1]["recorded_at_us"],
        });
        assert_eq!(entries[1], expected);
        assert!(entries.iter().all(|entry| entry["quote_id"] == expected["quote_id"]));
    }
}

#[tokio::test]
async fn entries_are_read_in_order_by_page_and_from_the_end() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let mut written = Vec::new();
    for number in 0..25 {
        let quote = quote(number);
        store.insert_signed(signed(&quote, 1), now()).await.expect("recorded");
        written.push(quote.id.to_string());
    }
    let id = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["quote_id"].as_str().map(str::to_owned);
    let mut read = Vec::new();
    let mut cursor = LedgerCursor::new(&(Timestamp::from_micros(0)..Timestamp::from_micros(u64::MAX)));
    loop {
        let page = store.page(EventStream::Ledger, &mut cursor, 10).await.expect("answered");
        if page.is_empty() {
            break;
        }
        read.extend(page.iter().filter_map(|line| id(line)));
    }
    assert_eq!(read, written);
    let (end, _) = store.ledger_end(3).await.expect("answered");
    assert_eq!(end.iter().filter_map(|line| id(line)).collect::<Vec<_>>(), written[22..]);
    let (none, mut later) = store.ledger_end(0).await.expect("answered");
    assert_eq!(
        (none, store.page(EventStream::Ledger, &mut later, 10).await.expect("answered")),
        (Vec::new(), Vec::new())
    );
    let added = quote(25);
    store.insert_signed(signed(&added, 1), now()).await.expect("recorded");
    let page = store.page(EventStream::Ledger, &mut later, 10).await.expect("answered");
    assert_eq!(page.iter().filter_map(|line| id(line)).collect::<Vec<_>>(), [added.id.to_string()]);
}

#[tokio::test]
async fn entries_past_retention_are_trimmed_by_new_ones() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { ledger_max_age_seconds: 60, ..server_config(&server) }).await;
    let line = r#"{"quote_id":"old"}"#;
    for age_seconds in (1..=300).rev() {
        let id = (now().as_micros() / 1_000 - age_seconds * 1_000).to_string();
        server.command(&["XADD", &format!("{PREFIX}:signed"), &id, "entry", line]);
    }
    store.insert_signed(signed(&quote(1), 1), now()).await.expect("recorded");
    let left = entries(&store).await.len();
    // Redis drops whole nodes of the stream: a hundred entries of this size at most.
    assert!((50..=161).contains(&left), "{left}");
}

#[tokio::test]
async fn a_replica_whose_clock_is_days_ahead_trims_nothing() {
    let server = Server::start(Options::default());
    let store = connect(&RedisConfig { ledger_max_age_seconds: 60, ..server_config(&server) }).await;
    for number in 0..300 {
        store.insert_signed(signed(&quote(number), 1), now()).await.expect("recorded");
    }
    let ahead = now().plus_seconds(2 * 86_400);
    store.insert_signed(signed(&quote_at(9_999, ahead), 1), ahead).await.expect("recorded");
    assert_eq!(entries(&store).await.len(), 301);
}

#[tokio::test]
async fn a_key_of_another_type_prevents_signing() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    server.command(&["SET", &format!("{PREFIX}:signed"), "somebody else's"]);
    let quote = quote(1);
    store.insert(&quote, now()).await.expect("inserted");
    claim(&store, &quote, 1).await.expect_err("no signature is requested that the ledger would not take");
    store.record(signed(&quote, 1), now()).await.expect_err("the ledger does not take it");
    assert_eq!(server.command(&["EXISTS", &key(&quote, "record")]), "0");
    server.command(&["DEL", &format!("{PREFIX}:signed")]);
    let granted = claim(&store, &quote, 2).await.expect("answered");
    assert_eq!(granted, PrepareOutcome::Prepared, "nothing happened");
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_requests_write_nothing_while_waiting_for_replicas() {
    let cluster = Cluster::start(1, Options::default());
    let store = connect(&RedisConfig { wait_replicas: 1, ..cluster_config(&cluster) }).await;
    let quote = quote(1);
    store.insert_signed(signed(&quote, 1), now()).await.expect("recorded");
    for _ in 0..20 {
        assert_eq!(
            claim(&store, &quote, 1).await.expect("answered"),
            PrepareOutcome::AlreadySigned(signed(&quote, 1).into())
        );
    }
    assert_eq!(entries(&store).await.len(), 1);
}

#[tokio::test]
async fn reading_resumes_after_a_position() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let append = |number: u32| {
        let id = format!("{number}-0");
        server.command(&["XADD", &format!("{PREFIX}:signed"), &id, "entry", &number.to_string()]);
    };
    let (none, start) = store.ledger_end(10).await.expect("answered");
    assert!(none.is_empty());
    (1..=3).for_each(append);
    let mut cursor: LedgerCursor = start.last_read().parse().expect("a position");
    assert_eq!(store.page(EventStream::Ledger, &mut cursor, 2).await.expect("answered"), ["1", "2"]);
    (4..=4).for_each(append);
    let mut cursor: LedgerCursor = cursor.last_read().parse().expect("a position");
    assert_eq!(store.page(EventStream::Ledger, &mut cursor, 10).await.expect("answered"), ["3", "4"]);
    for invalid in ["", "1", "1-", "+", "(1-0", "1-0 2"] {
        invalid.parse::<LedgerCursor>().expect_err("no position");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sections_and_the_status_of_the_archive_are_read() {
    let (server, cluster) = (Server::start(Options::default()), Cluster::start(0, Options::default()));
    for config in [server_config(&server), cluster_config(&cluster)] {
        let store = connect(&config).await;
        assert_eq!(store.archive_status().await.expect("answered"), None, "no archiver");
        let empty = store.section(EventStream::Ledger, None, 10).await.expect("answered");
        assert_eq!((empty.first, empty.last, empty.entries.len(), empty.generation.len()), (None, None, 0, 32));
        for number in 0..5 {
            store.insert_signed(signed(&quote(number), 1), now()).await.expect("recorded");
        }
        let section = store.section(EventStream::Ledger, None, 3).await.expect("answered");
        let ids: Vec<_> = section.entries.iter().map(|(id, _)| *id).collect();
        assert_eq!((section.first, ids.len(), &section.generation), (Some(ids[0]), 3, &empty.generation));
        assert!(section.read_at_ms >= section.last.expect("an id").ms && ids.is_sorted());
        let rest = store.section(EventStream::Ledger, Some(ids[2]), 3).await.expect("answered");
        assert_eq!((rest.entries.len(), rest.entries.last().map(|(id, _)| *id)), (2, section.last));
        for (archived, first_unarchived) in [
            ("0-0".parse().expect("an id"), section.first),
            (ids[0], Some(ids[1])),
            (section.last.expect("an id"), None),
        ] {
            store.report_archived(archived, now()).await.expect("stored");
            let status = store.archive_status().await.expect("answered");
            assert_eq!(status, Some(ArchiveStatus { first_unarchived }));
        }
    }
}
