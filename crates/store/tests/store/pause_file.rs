//! Pauses and estimates in files outlive the process, and what cannot be read counts as a pause.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path, sync::Arc, time::Duration};

use firmquote_domain::{Address, B256, ChainId, Hedge, PoolId, Symbol, Timestamp, U256};
use firmquote_store::{
    Breaker, BreakerStep, HedgeOutcome, MemoryStore, NamedTextsFile, OperatorEntry, OperatorEvent, PauseFile,
    PauseFileState, PoolSample, SampleFile, Store as _, Trip, TripKey, conformance, ledger::LedgerFile, read_hedges,
};
use firmquote_test_servers::patience::wait_until;

/// Longer than any disk takes.
const TIMEOUT: Duration = Duration::from_secs(60);
const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

fn pool(byte: u8) -> PoolId {
    PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(byte) }
}

/// Opens the file; a directory whose file was just dropped is free once its last write has ended.
fn open(directory: &Path) -> (PauseFile, PauseFileState) {
    let pools = [pool(1), pool(2)];
    wait_until("the directory is free", || {
        PauseFile::open(directory, &pools, TIMEOUT).map_err(|error| error.to_string())
    })
}

#[tokio::test]
async fn a_store_with_files_conforms() {
    let directory = tempfile::tempdir().unwrap();
    let estimates = NamedTextsFile::new(directory.path().join("estimates"), TIMEOUT);
    let operator = LedgerFile::open(&directory.path().join("operator.jsonl"), TIMEOUT).unwrap();
    let (samples, found) = SampleFile::open(directory.path(), TIMEOUT).unwrap();
    let store = MemoryStore::new(10_000).with_pauses(open(directory.path()).0).with_estimates(estimates);
    let store = store.with_operator_file(operator, []).with_samples(samples, found);
    assert!(store.retains_pauses());
    conformance::check(&[Arc::new(store)], Timestamp::from_seconds(1_700_000_000)).await;
}

#[tokio::test]
async fn unreadable_lines_of_estimates_are_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let open = || NamedTextsFile::new(directory.path().join("estimates"), TIMEOUT);
    let path = directory.path().join("estimates");
    fs::write(&path, "without-an-estimate\nname the estimate\n").unwrap();
    assert_eq!(open().read().await.unwrap(), [("name".to_owned(), "the estimate".to_owned())].into());
    fs::write(&path, [0xff]).unwrap();
    open().read().await.unwrap_err();
}

#[tokio::test]
async fn pauses_survive_a_restart_unless_lifted() {
    let directory = tempfile::tempdir().unwrap();
    let (pauses, found) = open(directory.path());
    assert_eq!(found, PauseFileState::Read);
    for (pool, is_paused) in [(pool(1), true), (pool(2), true), (pool(1), false)] {
        pauses.set_paused(pool, is_paused, NOW).await.unwrap();
    }
    drop(pauses);
    let (pauses, found) = open(directory.path());
    assert_eq!((pauses.paused().pools, found), ([pool(2)].into(), PauseFileState::Read));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmed_pause_is_not_undone_by_a_slower_resume() {
    let directory = tempfile::tempdir().unwrap();
    let pauses = Arc::new(open(directory.path()).0);
    for _ in 0..200 {
        pauses.set_paused(pool(1), true, NOW).await.unwrap();
        let (resumed, paused) =
            tokio::join!(pauses.set_paused(pool(1), false, NOW), pauses.set_paused(pool(1), true, NOW));
        resumed.and(paused).unwrap();
        let file = fs::read_to_string(directory.path().join("paused")).unwrap();
        let is_paused = pauses.paused().pools.contains(&pool(1));
        assert!(is_paused && file.contains(&pool(1).to_string()), "the pause was requested later: {file}");
    }
}

#[tokio::test]
async fn a_corrupt_file_pauses_every_pool() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("paused");
    drop(open(directory.path()));
    let whole = format!("{}\n{}\nend\n", pool(1), pool(2));
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (pauses, found) = open(directory.path());
        assert!(matches!(found, PauseFileState::Corrupt(_)), "{length}");
        assert_eq!(pauses.paused().pools, [pool(1), pool(2)].into(), "{length}");
        drop(pauses);
        let (_, again) = open(directory.path());
        assert_eq!(again, PauseFileState::Read, "what is known now was written");
    }
    fs::write(&path, "1:0x12\nend\n").unwrap();
    assert!(matches!(open(directory.path()).1, PauseFileState::Corrupt(_)));
}

#[test]
fn an_unreadable_file_stays_until_it_can_be_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let pools = [pool(1), pool(2)];
    fs::write(directory.path().join("paused"), "1:0x12").unwrap();
    // The new file cannot be written, as on a full disk.
    fs::create_dir(directory.path().join("paused.new")).unwrap();
    for _ in 0..2 {
        PauseFile::open(directory.path(), &pools, TIMEOUT).unwrap_err();
        assert_eq!(PauseFile::read(directory.path(), &pools).0.pools, pools.into(), "all are paused");
        assert!(!PauseFile::read(directory.path(), &pools).1, "they are not known");
    }
    fs::remove_dir(directory.path().join("paused.new")).unwrap();
    assert!(matches!(open(directory.path()).1, PauseFileState::Corrupt(_)));
    assert_eq!(fs::read_to_string(directory.path().join("paused.corrupt")).unwrap(), "1:0x12");
    assert_eq!(PauseFile::read(directory.path(), &[]).0.pools, pools.into());
}

#[tokio::test]
async fn a_pause_applies_even_if_the_disk_fails() {
    let directory = tempfile::tempdir().unwrap();
    let (pauses, _) = open(directory.path());
    pauses.set_paused(pool(2), true, NOW).await.unwrap();
    fs::remove_dir_all(directory.path()).unwrap();
    pauses.set_paused(pool(1), true, NOW).await.unwrap_err();
    pauses.set_paused(pool(2), false, NOW).await.unwrap_err();
    assert_eq!(pauses.paused().pools, [pool(1), pool(2)].into(), "and one that could not be lifted goes on");
}

#[test]
fn only_one_process_owns_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let _first = open(directory.path());
    let refused = PauseFile::open(directory.path(), &[], TIMEOUT).unwrap_err();
    assert_eq!(refused.to_string(), "another process holds it");
    assert!(PauseFile::open(&directory.path().join("nowhere"), &[], TIMEOUT).is_err());
}

#[test]
fn pauses_in_an_unusable_directory_are_known() {
    let directory = tempfile::tempdir().unwrap();
    let (pools, path) = ([pool(1), pool(2)], directory.path().join("paused"));
    let read = || PauseFile::read(directory.path(), &pools).0.pools;
    assert!(read().is_empty(), "nothing was ever paused");
    fs::write(&path, format!("{}\nend\n", pool(2))).unwrap();
    assert_eq!(read(), [pool(2)].into());
    fs::write(&path, "garbage").unwrap();
    assert_eq!(read(), pools.into());
    assert_eq!(PauseFile::read(&path, &pools).0.pools, pools.into(), "not a directory");
}

fn hedge() -> Hedge {
    let [eth, usdc] = ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap());
    Hedge {
        id: "binance-1".parse().unwrap(),
        venue: "binance".parse().unwrap(),
        sold: (eth, "1.5".parse().unwrap()),
        bought: (usdc, "3120.79".parse().unwrap()),
        price: None,
        fee: "0.31".parse().unwrap(),
        executed_at: NOW,
    }
}

#[tokio::test]
async fn trips_entries_and_samples_survive_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let open_store = || {
        let (samples, found) = SampleFile::open(directory.path(), TIMEOUT).unwrap();
        let store = MemoryStore::new(10).with_pauses(open(directory.path()).0).with_samples(samples, found);
        let path = directory.path().join("operator.jsonl");
        let hedges = read_hedges(&path).unwrap();
        let file =
            wait_until("the file is free", || LedgerFile::open(&path, TIMEOUT).map_err(|error| error.to_string()));
        store.with_operator_file(file, hedges)
    };
    let key = TripKey { pool: pool(1), breaker: Breaker::Outflow, token: Some(Address::repeat_byte(7)) };
    let trip = Trip { key, step: BreakerStep::Pause, figures: "{9 %\nend\n".to_owned(), at: NOW };
    let entry = |event| OperatorEntry { event, actor: None, recorded_at: NOW };
    let sample = |block_number: u64| PoolSample {
        block_number,
        block_hash: B256::repeat_byte(1),
        block_time: NOW.plus_seconds(u32::try_from(block_number * 10).unwrap()),
        balances: vec![U256::from(block_number)],
        pool_tokens: U256::ZERO,
    };
    let store = open_store();
    assert!(store.trip(&trip, Some(&entry(OperatorEvent::Tripped(trip.clone())))).await.unwrap());
    store.set_paused(pool(2), false, Some(&entry(OperatorEvent::Resumed(pool(2)))), NOW).await.unwrap();
    for (pool, block) in [(pool(1), 1), (pool(1), 2), (pool(2), 1)] {
        store.store_sample(pool, &sample(block)).await.unwrap();
    }
    let hedge = hedge();
    assert_eq!(store.store_hedge(&hedge, None, NOW).await.unwrap(), HedgeOutcome::Stored);
    drop(store);
    let store = open_store();
    let read = store.paused().await.unwrap();
    assert_eq!((read.trips.get(&key), read.resumed.get(&pool(2))), (Some(&trip), Some(&NOW)));
    assert!(read.pools.is_empty(), "a token alone pauses no pool");
    assert_eq!(store.samples(pool(1), NOW).await.unwrap(), [sample(1), sample(2)]);
    store.store_sample(pool(1), &sample(3)).await.unwrap();
    store.set_paused(pool(2), false, None, NOW).await.unwrap();
    drop(store);
    let store = open_store();
    assert_eq!(store.samples(pool(1), NOW).await.unwrap(), [sample(1), sample(2), sample(3)]);
    assert_eq!(store.samples(pool(2), NOW).await.unwrap(), [], "a resumed pool starts anew");
    let entries = fs::read_to_string(directory.path().join("operator.jsonl")).unwrap();
    let events: Vec<&str> = entries.lines().filter_map(|line| line.split('"').nth(3)).collect();
    assert_eq!(events, ["breaker", "resumed", "hedged"]);
    assert_eq!(store.store_hedge(&hedge, None, NOW.plus_seconds(9)).await.unwrap(), HedgeOutcome::Duplicate);
    let other = Hedge { fee: "0.32".parse().unwrap(), ..hedge.clone() };
    assert_eq!(store.store_hedge(&other, None, NOW).await.unwrap(), HedgeOutcome::Conflict);
    assert_eq!(read_hedges(&directory.path().join("operator.jsonl")).unwrap(), [(hedge, NOW)]);
    assert_eq!(read_hedges(&directory.path().join("nothing")).unwrap(), []);
}
