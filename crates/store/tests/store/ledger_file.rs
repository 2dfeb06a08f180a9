//! The ledger in a file beside the memory store: on the disk before a signature leaves, and whole after a crash.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::Arc,
    time::Duration,
};

use firmquote_domain::{
    BookEntry, QuoteId, ReserveBounds, SignedQuote, SignedSwap, SwapOutcome, SwapState, Timestamp, U256,
};
use firmquote_store::{
    BookUpdate, MemoryStore, Store, StoreError,
    conformance::{self, SampleCommitment},
    ledger::{self, LedgerFile, RestoredLedger, restore},
};
use firmquote_test_servers::patience::wait_until;
use serde_json::Value;

use crate::calls::Calls as _;

/// Longer than any disk takes.
const TIMEOUT: Duration = Duration::from_secs(60);
const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

fn signed(number: u32) -> SignedQuote {
    let mut quote = conformance::sample_quote(1, NOW);
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    quote.id = QuoteId::from_bytes(id);
    conformance::sample_signed(&quote, conformance::sample_terms(7), 1)
}

/// Opens the file; that of a ledger that was just dropped is free once its thread has ended.
fn open(path: &Path) -> MemoryStore {
    let ledger = wait_until("the file is free", || LedgerFile::open(path, TIMEOUT).map_err(|error| error.to_string()));
    MemoryStore::new(10_000).with_ledger(ledger)
}

/// The quote ids of all lines.
fn ids(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a readable file");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.map(|entry| entry["quote_id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_contract_holds() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    conformance::check(&[Arc::new(open(&path))], NOW).await;
    assert!(!ids(&path).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_signature_is_logged_before_it_is_released() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    let store = Arc::new(open(&path));
    let tasks = (0..500_u32).map(|number| {
        let (store, path) = (Arc::clone(&store), path.clone());
        tokio::spawn(async move {
            let signed = signed(number);
            let id = signed.quote.id.to_string();
            store.insert_signed(signed, NOW).await.expect("recorded");
            assert!(fs::read_to_string(path).expect("a readable file").contains(&id));
            id
        })
    });
    let mut expected = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        expected.push(task.await.expect("no task panics"));
    }
    let mut written = ids(&path);
    written.sort();
    expected.sort();
    assert_eq!(written, expected, "each once, none of them mixed with another");
}

#[tokio::test]
async fn each_settlement_change_is_appended() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    let (store, signed) = (open(&path), signed(1));
    store.insert_signed(signed.clone(), NOW).await.expect("recorded");
    let swap = conformance::sample_swap(&signed);
    let settled = Some(SwapOutcome::Settled(conformance::sample_settlement(&signed)));
    for outcome in [None, settled, settled, None, Some(SwapOutcome::Lapsed)] {
        store.set_outcome(&swap, outcome, NOW).await.expect("stored");
    }
    let text = fs::read_to_string(&path).expect("a readable file");
    let event = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["event"].as_str().map(str::to_owned);
    let events: Vec<_> = text.lines().filter_map(event).collect();
    assert_eq!(events, ["signed", "settled", "reorged", "lapsed"]);
}

#[tokio::test]
async fn outstanding_swaps_are_restored_from_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    assert_eq!(restore(&path, 86_400, NOW).expect("no file is an empty one"), RestoredLedger::default());
    let ledger = LedgerFile::open(&path, TIMEOUT).expect("a ledger");
    let numbered: Vec<SignedQuote> = (0..6_000)
        .map(|number| {
            let age = if number < 3_000 { 100 } else { 0 };
            let signed_at = Timestamp::from_micros(NOW.as_micros() - age * 1_000_000 + u64::from(number));
            let bounds = ReserveBounds { max_input: U256::from(number), min_output: U256::ONE };
            SignedQuote { signed_at, guarantee: (number % 2 == 0).then(|| Box::new(bounds)), ..signed(number) }
        })
        .collect();
    for signed in &numbered {
        ledger.append(ledger::line(signed).expect("JSON")).await.expect("written");
    }
    let store = MemoryStore::new(10).with_ledger(ledger);
    let swaps: Vec<_> = numbered.iter().map(conformance::sample_swap).collect();
    let settled = Some(SwapOutcome::Settled(conformance::sample_settlement(&numbered[3_000])));
    for (number, outcome) in [(3_000, settled), (3_001, Some(SwapOutcome::Lapsed)), (3_002, settled), (3_002, None)] {
        store.set_outcome(&swaps[number], outcome, NOW).await.expect("stored");
    }
    let RestoredLedger { swaps: mut found, since, invalid_lines, .. } = restore(&path, 86_400, NOW).expect("readable");
    assert_eq!((since, invalid_lines), (Some(numbered[0].signed_at), 0));
    found.sort_by_key(|booked| booked.swap.signed_at);
    let state = |number| match number {
        // In the block of the last one that was signed, as far as the ledger tells.
        3_001 => SwapState::Lapsed(swaps[0].block),
        _ => SwapState::Outstanding,
    };
    let entry = |(number, swap): (usize, &SignedSwap)| BookEntry { swap: Arc::new(swap.clone()), state: state(number) };
    let expected: Vec<_> = swaps.iter().enumerate().map(entry).collect();
    assert_eq!(found.len(), expected.len());
    assert!(found == expected, "each as it was signed: whether its execution used it up is for the chain to tell");
    let later = NOW.plus_seconds(100_000);
    assert!(restore(&path, 86_400, later).expect("readable").swaps.is_empty(), "too late for all of them");
}

#[tokio::test]
async fn the_file_is_appended_to_and_private_to_its_owner() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    for number in 0..2 {
        open(&path).insert_signed(signed(number), NOW).await.expect("recorded");
    }
    // A crash leaves a line without its end: what comes after it is a line of its own.
    let mut file = OpenOptions::new().append(true).open(&path).expect("a writable file");
    file.write_all(b"{\"quote_id\":\"torn").expect("a writable file");
    open(&path).insert_signed(signed(2), NOW).await.expect("recorded");
    let text = fs::read_to_string(&path).expect("a readable file");
    let readable = text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count();
    assert_eq!((text.lines().count(), readable), (4, 3));
    let mode = fs::metadata(&path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test]
async fn nothing_is_released_when_the_file_cannot_be_written() {
    // A device that is always full.
    let store = open(Path::new("/dev/full"));
    let refused = store.insert_signed(signed(1), NOW).await;
    let Err(StoreError::Ledger(reason)) = refused else { panic!("{refused:?}") };
    assert_eq!(reason.to_string(), "the disk of the ledger is full");
    assert!(store.is_empty(), "nothing is on record");
    assert!(store.ping(NOW).await.is_err(), "nothing is signed, so it is not ready");
    assert!(LedgerFile::open(Path::new("/nowhere/signed.jsonl"), TIMEOUT).is_err());
}

#[tokio::test]
async fn a_ping_does_not_change_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    let store = open(&path);
    store.insert_signed(signed(1), NOW).await.expect("recorded");
    let before = fs::read(&path).expect("a readable file");
    store.ping(NOW).await.expect("it takes lines");
    assert_eq!(fs::read(&path).expect("a readable file"), before);
}

#[test]
fn only_one_process_appends() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    let first = LedgerFile::open(&path, TIMEOUT).expect("a writable file");
    let second = LedgerFile::open(&path, TIMEOUT).expect_err("it is taken");
    assert_eq!(second.to_string(), "another process appends to it");
    drop(first);
}

#[tokio::test(flavor = "multi_thread")]
async fn capacity_is_checked_before_the_ledger_is_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    let ledger = LedgerFile::open(&path, TIMEOUT).expect("a ledger");
    let store = MemoryStore::new(1).with_ledger(ledger);
    let first = signed(1);
    store.check_capacity(&first.quote.client, NOW).expect("room");
    store.check_capacity(&first.quote.client, NOW).expect("room still: it takes no place");
    store.insert_signed(first.clone(), NOW).await.expect("a place");
    assert!(matches!(
        store.check_capacity(&first.quote.client, NOW),
        Err(StoreError::Full { .. } | StoreError::ClientFull { .. })
    ));
    let second = SampleCommitment::at_once(signed(2));
    second.try_commit(&store, NOW).await.expect_err("no place");
    let book = store.changes_since(second.booking.swap.offer.pool, None, NOW).await.expect("answered");
    assert!(matches!(book, BookUpdate::Snapshot { swaps, .. } if swaps.is_empty()), "a refusal changes nothing");
    drop(store);
    assert_eq!(ids(&path).len(), 1);
}

#[tokio::test]
async fn damaged_entries_are_counted_and_those_of_other_versions_make_the_books_unknown() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("signed.jsonl");
    let line = ledger::line(&signed(1)).expect("JSON");
    let restored = |text: String| {
        fs::write(&path, text).expect("written");
        let RestoredLedger { swaps, since, invalid_lines, .. } = restore(&path, 86_400, NOW).expect("readable");
        (swaps.len(), since == Some(NOW), invalid_lines)
    };
    assert_eq!(restored(format!("{line}\n")).0, 1);
    let damaged = line.replace("quote_id", "quote\0id");
    assert_eq!(restored(format!("{line}\n{damaged}\n")).2, 1);
    let torn = line.split_at(line.len() / 2).0;
    assert_eq!((restored(format!("{torn}\n{line}\n")).0, restored(format!("{torn}\n{line}\n")).2), (1, 1));
    let other = line.replace("\"destination\"", "\"recipient\"");
    assert_eq!(restored(format!("{line}\n{other}\n")), (1, true, 1), "it may be outstanding");
    assert_eq!(restore(Path::new("/dev/full"), 86_400, NOW).expect("no file"), RestoredLedger::default());
}

#[tokio::test]
async fn events_continue_across_the_first_line_and_a_restart_and_not_in_another_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("ledger");
    let store = open(&path);
    let start = store.events(None, 9).await.expect("the store answers").cursor;
    let (first, second) = (signed(1), signed(2));
    for signed in [&first, &second] {
        store
            .set_outcome(&conformance::sample_swap(signed), Some(SwapOutcome::Lapsed), NOW)
            .await
            .expect("the store answers");
    }
    let page = store.events(Some(&start), 9).await.expect("the store answers");
    assert_eq!((page.entries.len(), page.is_reset), (2, false), "although the file was empty");
    drop(store);
    let store = open(&path);
    let after_first = &page.entries[0].cursor;
    assert_eq!(store.events(Some(after_first), 9).await.expect("the store answers").entries, page.entries[1..]);
    assert_eq!(store.events(Some(&page.cursor), 9).await.expect("the store answers").entries, []);
    drop(store);
    fs::rename(&path, directory.path().join("rotated")).expect("renamed");
    let store = open(&path);
    assert!(store.events(Some(after_first), 9).await.expect("the store answers").is_reset);
}
