//! What is signed in a minute: what stands in Redis, what it costs, and what an outage does to it.

use firmquote_domain::{Client, Timestamp, Usd};
use firmquote_store::{LimitExceeded, MemoryStore, Store, StoreError, VolumeCharge, VolumeRefusal};
use firmquote_test_servers::redis::{Options, Server};

use crate::calls::Calls as _;
use crate::redis::setup::{connect, now, quote, server_config, until_available};

/// A trade with a limit of 100 for each side.
fn trade(client: Client, steps: u64) -> VolumeCharge {
    let limit = Some(Usd::new(100));
    VolumeCharge { pool: quote(1).pool, client, value: Usd::new(steps), pool_limit: limit, client_limit: limit }
}

/// The name of one of the totals at the pool of every trade here.
fn key(side: &str) -> String {
    format!("test:{{{}}}:minute:{side}", quote(1).pool)
}

fn remaining_ms(server: &Server, key: &str) -> i64 {
    server.command(&["PTTL", key]).parse().expect("milliseconds")
}

#[tokio::test]
async fn a_total_is_a_sum_with_a_line_per_second_and_expires() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let start = now();
    let acme = Client::Named("acme".into());
    for (client, steps, seconds) in [(&acme, 10, 0), (&acme, 20, 0), (&Client::Anonymous, 5, 7), (&acme, 1, 61)] {
        let spent =
            store.charge_volume(&trade(client.clone(), steps), start.plus_seconds(seconds)).await.expect("answered");
        assert_eq!(spent, Ok(()));
    }
    let second = |seconds| start.plus_seconds(seconds).seconds().get();
    for (side, expected) in [
        ("all", format!("0 6\n{} 5\n{} 1", second(7), second(61))),
        ("client:acme", format!("0 1\n{} 1", second(61))),
        ("anonymous", format!("0 5\n{} 5", second(7))),
    ] {
        assert_eq!(server.command(&["GET", &key(side)]), expected, "{side}");
        assert!((1..=61_000).contains(&remaining_ms(&server, &key(side))), "{side}");
    }
    assert_eq!(server.command(&["KEYS", "*:minute:*"]).lines().count(), 4, "and the generation");
}

#[tokio::test]
async fn a_total_of_an_earlier_release_without_its_sum_is_added_up() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let second = now().seconds().get();
    let lines = format!("{} 70\n{} 20\n{} 9\n", second - 61, second - 60, second - 1);
    server.command(&["SET", &key("anonymous"), &lines]);
    let charge =
        async |steps| store.charge_volume(&trade(Client::Anonymous, steps), Timestamp::from_seconds(second)).await;
    let excess = LimitExceeded { signed: Usd::new(29), retry_after_seconds: Some(1) };
    assert_eq!(charge(72).await.expect("answered"), Err(VolumeRefusal::ClientLimit(excess)));
    assert_eq!(charge(71).await.expect("answered"), Ok(()));
    let expected = format!("0 100\n{} 20\n{} 9\n{second} 71", second - 60, second - 1);
    assert_eq!(server.command(&["GET", &key("anonymous")]), expected);
}

/// Otherwise a clock that was far ahead would hold the total for as long as anybody asks.
#[tokio::test]
async fn a_rejected_trade_does_not_extend_a_total() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let spend = async |seconds| {
        store.charge_volume(&trade(Client::Anonymous, 100), now().plus_seconds(seconds)).await.expect("answered")
    };
    assert_eq!(spend(3_600).await, Ok(()));
    let expires_at = server.command(&["PEXPIRETIME", &key("all")]);
    let excess = LimitExceeded { signed: Usd::new(100), retry_after_seconds: Some(61) };
    assert_eq!(spend(0).await, Err(VolumeRefusal::ClientLimit(excess)), "no wait is longer than the minute");
    assert_eq!(server.command(&["PEXPIRETIME", &key("all")]), expires_at);
    server.command(&["PEXPIRE", &key("all"), "0"]);
    server.command(&["PEXPIRE", &key("anonymous"), "0"]);
    assert_eq!(spend(0).await, Ok(()));
}

#[tokio::test]
async fn totals_of_another_format_are_reported_and_not_modified() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    for text in [
        "x",
        "1700000000 5",
        "1700000000 5\n\n",
        "1700000000 -5\n",
        "1700000000 5\nx 1\n1700000001 5\n",
        "0 5\n1700000000 5",
        "0 5\nx",
        "0 11\n1700000000 5\nx 1\n1700000001 5\n",
    ] {
        for side in ["all", "anonymous"] {
            server.command(&["SET", &key(side), text]);
            let refused = store.charge_volume(&trade(Client::Anonymous, 1), now()).await;
            let Err(StoreError::Unreadable { key: named }) = refused else { panic!("{text:?}: {refused:?}") };
            assert_eq!(named, key(side));
            assert_eq!(server.command(&["STRLEN", &key(side)]), text.len().to_string());
            server.command(&["DEL", &key(side)]);
            assert_eq!(server.command(&["EXISTS", &key("all"), &key("anonymous")]), "0", "nothing was counted");
        }
    }
}

/// Numbers without end, the same on every run (SplitMix64).
fn numbers() -> impl FnMut(u64) -> u64 {
    let mut state = 0_u64;
    move |below| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    }
}

#[tokio::test]
async fn redis_and_memory_decide_alike() {
    let server = Server::start(Options::default());
    let (redis, memory) = (connect(&server_config(&server)).await, MemoryStore::new(10_000));
    // No trade is before the time of Redis.
    let (mut below, mut time, mut admitted) = (numbers(), now().plus_seconds(60), 0);
    for round in 0..3_000_u32 {
        // Amounts of all sizes, in seconds that mostly pass and sometimes come back.
        let scale = 1_u64 << below(58);
        let random_limit =
            |below: &mut dyn FnMut(u64) -> u64| (below(4) > 0).then(|| Usd::new(scale * (20 + below(40))));
        let client = Client::Named(below(2).to_string().into());
        let (pool_limit, client_limit) = (random_limit(&mut below), random_limit(&mut below));
        let value = Usd::new(below(scale.saturating_mul(12)));
        let spending = VolumeCharge { value, pool_limit, client_limit, ..trade(client, 0) };
        let back = below(50) * u64::from(below(5) == 0);
        let at = Timestamp::from_micros(time.as_micros() - back * 1_000_000);
        let expected = memory.charge_volume(&spending, at).await.expect("memory answers");
        assert_eq!(redis.charge_volume(&spending, at).await.expect("answered"), expected, "{round}: {spending:?}");
        admitted += u32::from(expected == Ok(()));
        time = Timestamp::from_micros(time.as_micros() + below(6_000_000) + below(20) / 19 * 70_000_000);
    }
    assert!((600..2_400).contains(&admitted), "both answers are common: {admitted} of 3000 are admitted");
}

#[tokio::test]
async fn after_a_loss_books_and_totals_wait_together_from_the_first_read_on() {
    let mut server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let charge = trade(Client::Anonymous, 1);
    let read = async |followed| until_available(|| store.changes_since(charge.pool, followed, now())).await.version();
    let delay =
        async |lifetime| until_available(|| store.signing_delay_seconds(charge.pool, lifetime, true, now())).await;
    let first = read(None).await;
    assert_eq!(store.charge_volume(&charge, now()).await.expect("answered"), Ok(()));
    assert_eq!(delay(72).await, 0);
    server.kill();
    server.restart();
    read(Some(first)).await;
    // Nothing was signed yet.
    for (lifetime, expected) in [(72, 70..=72), (1, 58..=61)] {
        let seconds = delay(lifetime).await;
        assert!(expected.contains(&seconds), "{seconds} s for signatures of {lifetime} s");
    }
    let refused = store.charge_volume(&charge, now()).await.expect("answered");
    assert!(matches!(refused, Err(VolumeRefusal::VolumeUnknown { .. })), "{refused:?}");
    let counted = server.command(&["GET", &key("generation")]);
    for _ in 0..3 {
        read(None).await;
    }
    let again = server.command(&["GET", &key("generation")]);
    assert_eq!(counted, again, "no second wait");
}
