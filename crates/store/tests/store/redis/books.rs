//! Books outlive what Redis does: what may be lost is put back before anything is signed beside it.

use std::{sync::Arc, time::Duration};

use firmquote_domain::{BookEntry, NativeSide, PoolId, SignedSwap, SwapState};
use firmquote_store::{
    BookChange, BookUpdate, BookVersion, Booking, BookingRefusal, Store, conformance, redis::RedisStore,
};
use firmquote_test_servers::redis::{Options, Server};

use crate::calls::Calls as _;
use crate::redis::setup::{connect, now, quote, server_config, until_available};

/// The longest wait for lost swaps: 72 s that one may be valid, and a minute by which clocks may lead.
const MAX_WAIT: u32 = 72 + 60;

pub(crate) fn booking(number: u32) -> Booking {
    let quote = quote(number);
    let entry = SignedSwap {
        quote_id: quote.id,
        client: quote.client.clone(),
        source_network: None,
        offer: quote.offer_to(conformance::sample_terms(7).destination),
        native: NativeSide::Neither,
        signed_at: now(),
        block: Some(1),
        guarantee: None,
    };
    conformance::sample_booking(entry)
}

fn pool() -> PoolId {
    quote(1).pool
}

async fn read(store: &RedisStore, version: Option<BookVersion>) -> BookUpdate {
    until_available(async || store.changes_since(pool(), version, now()).await).await
}

async fn enter(store: &RedisStore, number: u32) -> Result<Option<BookVersion>, BookingRefusal> {
    until_available(async || store.enter(&booking(number), now()).await).await
}

/// Runs `script` with the `part` of the only book as `key`.
fn on_key(server: &Server, part: &str, script: &str) -> String {
    server.command(&["EVAL", &format!("local key = redis.call('KEYS', '*:{part}')[1] {script}"), "0"])
}

#[tokio::test]
async fn booking_waits_after_a_restart_until_every_replica_has_restored() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let [first, second] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    let known = [read(&first, None).await.version(), read(&second, None).await.version()];
    assert_eq!(known[0], known[1]);
    assert!(enter(&first, 1).await.is_ok(), "a book that nobody knew is a new one");
    server.kill();
    server.restart();
    let refused = enter(&first, 2).await;
    assert!(
        matches!(refused, Err(BookingRefusal::Incomplete { retry_after_seconds }) if (1..=MAX_WAIT).contains(&retry_after_seconds)),
        "{refused:?}"
    );
    for (store, expected) in [(&first, false), (&second, true)] {
        let whole = read(store, Some(known[0])).await;
        assert!(matches!(&whole, BookUpdate::Snapshot { version, .. } if version.epoch != known[0].epoch), "{whole:?}");
        assert!(
            matches!(enter(store, 3).await, Err(BookingRefusal::Incomplete { .. })),
            "it may know more than is there"
        );
        let lost = BookEntry { swap: booking(4).swap, state: SwapState::Outstanding };
        store.apply_changes(pool(), &[BookChange::Entered(lost)], now()).await.expect("put back");
        read(store, Some(whole.version())).await;
        assert_eq!(enter(&first, 5).await.is_ok(), expected);
    }
    let BookUpdate::Snapshot { swaps, .. } = read(&second, None).await else {
        panic!("without a version the whole book is read")
    };
    assert_eq!(swaps.len(), 3, "what was there, what was put back once by both, and the new one");
}

#[tokio::test]
async fn a_replica_that_reads_on_announcements_misses_no_change_of_a_burst() {
    let server = Server::start(Options::default());
    let [signing, following] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    let mut version = read(&following, None).await.version();
    for number in 1..=20 {
        assert!(enter(&signing, number).await.is_ok());
        loop {
            tokio::time::timeout(Duration::from_secs(20), following.changed()).await.expect("an announcement");
            let update = read(&following, Some(version)).await;
            version = update.version();
            let BookUpdate::Changes { changes, .. } = update else { panic!("the changes since are there") };
            if !changes.is_empty() {
                break;
            }
        }
    }
}

/// The number of blocks that closed swaps of one pair, of which a script adds up what they closed, for a replica whose
/// reserves are older.
const MAX_BLOCKS: u32 = 512;

#[tokio::test]
async fn a_replica_has_to_read_newer_reserves_once_too_many_blocks_closed_swaps_after_its_own() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let close = async |number: u32| {
        let state = SwapState::Settled(1 + u64::from(number));
        let closed = [BookChange::Entered(BookEntry { swap: booking(number).swap, state })];
        until_available(async || store.apply_changes(pool(), &closed, now()).await).await;
    };
    for number in 1..=MAX_BLOCKS {
        close(number).await;
    }
    assert!(enter(&store, 1_000).await.is_ok(), "its reserves are those of block 1");
    close(MAX_BLOCKS + 1).await;
    assert_eq!(enter(&store, 1_001).await, Err(BookingRefusal::Moved));
    let mut newer = booking(1_001);
    Arc::make_mut(&mut newer.swap).block = Some(2);
    assert!(matches!(store.enter(&newer, now()).await, Ok(Ok(_))));
}

#[tokio::test]
async fn a_fast_clock_lapses_nothing() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    assert!(enter(&store, 1).await.is_ok());
    let ahead = now().plus_seconds(200_000);
    let BookUpdate::Snapshot { swaps, .. } = store.changes_since(pool(), None, ahead).await.expect("read") else {
        panic!()
    };
    assert_eq!(swaps.iter().map(|booked| booked.state).collect::<Vec<_>>(), [SwapState::Outstanding]);
}

#[tokio::test]
async fn replica_clocks_do_not_affect_the_fence_after_a_restart() {
    for (seconds_ahead, name) in [(3_600_i64, "ahead"), (-3_600, "behind")] {
        let mut server = Server::start(Options { append_only: true, ..Options::default() });
        let [wrong, right] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
        let known = [read(&wrong, None).await.version(), read(&right, None).await.version()];
        assert!(enter(&right, 1).await.is_ok(), "{name}");
        server.kill();
        server.restart();
        let skewed = firmquote_domain::Timestamp::from_micros(
            now().as_micros().saturating_add_signed(seconds_ahead * 1_000_000),
        );
        let whole = until_available(async || wrong.changes_since(pool(), Some(known[0]), skewed).await).await;
        wrong.changes_since(pool(), Some(whole.version()), skewed).await.expect("restored");
        let refused = enter(&right, 2).await;
        let wait = matches!(refused, Err(BookingRefusal::Incomplete { retry_after_seconds }) if retry_after_seconds <= MAX_WAIT);
        assert!(wait, "{name}: the other has not put back what it knows: {refused:?}");
        let whole = read(&right, Some(known[1])).await;
        read(&right, Some(whole.version())).await;
        assert!(enter(&right, 3).await.is_ok(), "{name}: all have");
    }
}

#[tokio::test]
async fn a_book_lost_together_with_its_replicas_is_waited_for() {
    let mut server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let version = read(&store, None).await.version();
    assert!(enter(&store, 1).await.is_ok());
    server.kill();
    server.restart();
    let whole = read(&store, Some(version)).await;
    read(&store, Some(whole.version())).await;
    let refused = enter(&store, 2).await;
    assert!(matches!(refused, Err(BookingRefusal::Incomplete { .. })), "other replicas may know of more: {refused:?}");
}

#[tokio::test]
async fn replicas_that_were_there_before_a_long_outage_are_waited_for() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let store = connect(&server_config(&server)).await;
    read(&store, None).await;
    assert!(enter(&store, 1).await.is_ok());
    // As if the server was down for an hour, and with it the replica that signed last.
    let age = "for _, name in ipairs(redis.call('ZRANGE', key, 0, -1)) do
          redis.call('ZADD', key, redis.call('TIME')[1] - 3600, name)
        end
        return redis.call('ZCARD', key)";
    assert_eq!(on_key(&server, "replicas", age), "1");
    server.kill();
    server.restart();
    let new = connect(&server_config(&server)).await;
    let begun = read(&new, None).await.version();
    for _ in 0..3 {
        read(&new, Some(begun)).await;
        let refused = enter(&new, 2).await;
        assert!(matches!(refused, Err(BookingRefusal::Incomplete { .. })), "the other may know of more: {refused:?}");
    }
}

#[tokio::test]
async fn a_loss_is_waited_out_for_as_long_as_any_signature_lasted() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let [long, short] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    for store in [&long, &short] {
        read(store, None).await;
    }
    let lasting = Booking { max_lifetime_seconds: 600, ..booking(1) };
    assert!(matches!(long.enter(&lasting, now()).await, Ok(Ok(_))));
    assert!(enter(&short, 2).await.is_ok());
    server.kill();
    server.restart();
    let Err(BookingRefusal::Incomplete { retry_after_seconds }) = enter(&short, 3).await else {
        panic!("entries may be missing")
    };
    assert!(retry_after_seconds > 590, "{retry_after_seconds}");
}

#[tokio::test]
async fn a_missing_replica_is_forgotten_once_nothing_that_it_knows_can_be_valid() {
    let mut server = Server::start(Options { append_only: true, ..Options::default() });
    let [store, gone] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    let version = read(&store, None).await.version();
    read(&gone, None).await;
    assert!(enter(&store, 1).await.is_ok());
    server.kill();
    server.restart();
    let whole = read(&store, Some(version)).await;
    read(&store, Some(whole.version())).await;
    let changed_at = "return redis.call('HGET', key, 'changed_at')";
    assert_ne!(on_key(&server, "index", changed_at), "0", "the other may know of more");
    on_key(&server, "index", "redis.call('HSET', key, 'changed_at', redis.call('TIME')[1] - 601)");
    read(&store, Some(whole.version())).await;
    assert_eq!(on_key(&server, "index", changed_at), "0");
}

#[tokio::test]
async fn a_long_lifetime_is_forgotten_with_the_signatures_that_had_it() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let lasting = Booking { max_lifetime_seconds: 600, ..booking(1) };
    assert!(matches!(store.enter(&lasting, now()).await, Ok(Ok(_))));
    let longest = "return redis.call('HGET', key, 'lifetime')";
    let [long, short] = [600, 72].map(|seconds: u32| (seconds + 60).to_string());
    assert!(enter(&store, 2).await.is_ok());
    assert_eq!(on_key(&server, "index", longest), long, "with the tolerance for clocks");
    on_key(&server, "index", "redis.call('HSET', key, 'lifetime_until', redis.call('TIME')[1] - 1)");
    assert!(enter(&store, 3).await.is_ok());
    assert_eq!(on_key(&server, "index", longest), short);
}

#[tokio::test]
async fn a_replica_with_a_newer_version_is_waited_for() {
    let mut server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let version = read(&store, None).await.version();
    assert!(enter(&store, 1).await.is_ok());
    // The server comes back empty, and a replica that knows nothing is the first to read.
    server.kill();
    server.restart();
    let new = connect(&server_config(&server)).await;
    let begun = read(&new, None).await.version();
    read(&new, Some(begun)).await;
    for store in [&store, &new] {
        let refused = enter(store, 2).await;
        assert!(matches!(refused, Err(BookingRefusal::Incomplete { .. })), "the first may know of more: {refused:?}");
    }
    let whole = read(&store, Some(version)).await;
    let lost = BookEntry { swap: booking(1).swap, state: SwapState::Outstanding };
    store.apply_changes(pool(), &[BookChange::Entered(lost)], now()).await.expect("put back");
    read(&store, Some(whole.version())).await;
    read(&new, Some(begun)).await;
    // The epoch began without knowing who was there: others may know of more until nothing of theirs is valid.
    let refused = enter(&new, 2).await;
    assert!(matches!(refused, Err(BookingRefusal::Incomplete { .. })), "{refused:?}");
}
