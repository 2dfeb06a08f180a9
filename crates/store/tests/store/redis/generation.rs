//! Quotes are signed by the generation of the server that took them, and by no other.

use std::time::Duration;

use firmquote_domain::{Client, Quote, Usd};
use firmquote_store::{
    CommitOutcome, CommitRefusal, PrepareOutcome, QuoteRefusal, Store, StoreError, VolumeCharge, VolumeRefusal,
    conformance::SampleCommitment,
    redis::{RedisConfig, RedisStore},
};
use firmquote_test_servers::redis::{Cluster, Options, Server};

use crate::{
    calls::{Calls as _, refused},
    redis::setup::{
        PREFIX, claim, cluster_config, connect, key, now, quote, server_config, signed, terms, until_available,
    },
};

/// A server that loses nothing with its process, so that only its generation changes.
fn durable() -> Server {
    Server::start(Options { append_only: true, ..Options::default() })
}

async fn insert(store: &RedisStore, number: u32) -> Quote {
    let quote = quote(number);
    store.insert(&quote, now()).await.expect("inserted");
    quote
}

/// The failure that the fence is for: claim and record are gone, the older quote is not.
#[tokio::test]
async fn a_quote_with_a_lost_record_is_not_signed_again() {
    let mut server = durable();
    let [first, second] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    let quote = insert(&first, 1).await;
    let value =
        server.command(&["EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]))", "1", &key(&quote, "quote")]);
    let backup = "return redis.call('COPY', KEYS[1], KEYS[1] .. ':copy')";
    server.command(&["EVAL", backup, "1", &key(&quote, "quote")]);
    assert_eq!(claim(&first, &quote, 1).await.expect("answered"), PrepareOutcome::Prepared);
    first.record(signed(&quote, 1), now()).await.expect("recorded");
    server.kill();
    server.restart();
    let lose = "redis.call('DEL', KEYS[2], KEYS[3]); return redis.call('RENAME', KEYS[1] .. ':copy', KEYS[1])";
    let [quote_key, claim_key, record_key] = ["quote", "claim", "record"].map(|part| key(&quote, part));
    server.command(&["EVAL", lose, "3", &quote_key, &claim_key, &record_key]);
    let restored = server.command(&["EVAL", "return redis.sha1hex(redis.call('GET', KEYS[1]))", "1", &quote_key]);
    assert_eq!(restored, value, "the quote as it was before it was signed");
    let answer = until_available(|| claim(&second, &quote, 2)).await;
    assert_eq!(answer, refused(QuoteRefusal::Unknown));
}

#[tokio::test]
async fn a_signature_with_a_lost_claim_is_not_stored() {
    let mut server = durable();
    let store = connect(&server_config(&server)).await;
    let quote = insert(&store, 1).await;
    assert_eq!(claim(&store, &quote, 1).await.expect("answered"), PrepareOutcome::Prepared);
    server.kill();
    server.restart();
    let commitment = SampleCommitment::new(signed(&quote, 1));
    let refused = until_available(|| commitment.try_commit(&store, now())).await;
    assert_eq!(refused, CommitOutcome::Refused(CommitRefusal::Quote(QuoteRefusal::Unknown)));
}

#[tokio::test]
async fn a_surviving_record_is_returned_unchanged() {
    let mut server = durable();
    let store = connect(&server_config(&server)).await;
    let quote = insert(&store, 1).await;
    assert_eq!(claim(&store, &quote, 1).await.expect("answered"), PrepareOutcome::Prepared);
    store.record(signed(&quote, 1), now()).await.expect("recorded");
    server.kill();
    server.restart();
    assert_eq!(
        until_available(|| claim(&store, &quote, 1)).await,
        PrepareOutcome::AlreadySigned(signed(&quote, 1).into())
    );
    assert_eq!(claim(&store, &quote, 2).await.expect("answered"), refused(QuoteRefusal::OtherTerms));
}

/// A server that was a replica for a while has other data, though its process is the same.
#[tokio::test]
async fn a_master_after_a_failover_has_a_new_generation() {
    let server = durable();
    let store = connect(&server_config(&server)).await;
    let quote = insert(&store, 1).await;
    server.command(&["REPLICAOF", "127.0.0.1", "1"]);
    server.command(&["REPLICAOF", "NO", "ONE"]);
    assert_eq!(until_available(|| claim(&store, &quote, 1)).await, refused(QuoteRefusal::Unknown));
    // New quotes are of the new generation as soon as a link has read it.
    let mut number = 2;
    loop {
        let quote = until_available(async || {
            let quote = self::quote(number);
            store.insert(&quote, now()).await.map(|()| quote)
        })
        .await;
        if until_available(|| claim(&store, &quote, 1)).await == PrepareOutcome::Prepared {
            break;
        }
        number += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_generation_in_a_cluster_is_that_of_the_node_of_the_deployment() {
    let mut cluster = Cluster::start(0, Options { append_only: true, ..Options::default() });
    let store = connect(&cluster_config(&cluster)).await;
    let owner = cluster.master_of_key(&format!("{{{PREFIX}}}"));
    for (number, (node, expected)) in
        (1..).zip([((owner + 1) % 3, PrepareOutcome::Prepared), (owner, refused(QuoteRefusal::Unknown))])
    {
        let quote = insert(&store, number).await;
        cluster.kill(node);
        cluster.restart(node);
        cluster.wait_until_ok();
        assert_eq!(until_available(|| claim(&store, &quote, 1)).await, expected);
    }
}

#[tokio::test]
async fn a_clock_ahead_beyond_the_tolerance_signs_nothing() {
    let server = durable();
    let config = RedisConfig { max_clock_skew: Duration::from_secs(5), ..server_config(&server) };
    let store = connect(&config).await;
    let quote = insert(&store, 1).await;
    let year_ahead = now().plus_seconds(365 * 86_400);
    let is_ahead = |error: StoreError| matches!(error, StoreError::ClockSkew { skew_ms } if skew_ms > 86_400_000);
    let refused = store.bind(&quote, &terms(1), year_ahead).await.expect_err("too far ahead");
    assert!(is_ahead(refused));
    let refused = store.insert_signed(signed(&quote, 1), year_ahead).await.expect_err("too far ahead");
    assert!(is_ahead(refused));
    assert_eq!(claim(&store, &quote, 2).await.expect("answered"), PrepareOutcome::Prepared, "nothing was bound");
    for (clock, ahead) in [(year_ahead, true), (quote_made_at_start(), false)] {
        match store.ping(clock).await {
            Err(StoreError::ClockSkew { skew_ms }) => assert_eq!(skew_ms > 0, ahead, "{skew_ms}"),
            answer => panic!("{answer:?}"),
        }
    }
    store.ping(now()).await.expect("the clocks agree");
}

const fn quote_made_at_start() -> firmquote_domain::Timestamp {
    firmquote_domain::Timestamp::from_seconds(1_700_000_000)
}

/// A small trade at a pool with a limit per minute.
fn trade() -> VolumeCharge {
    VolumeCharge {
        pool: quote(1).pool,
        client: Client::Anonymous,
        value: Usd::new(1),
        pool_limit: Some(Usd::new(100)),
        client_limit: None,
    }
}

#[tokio::test]
async fn totals_wait_for_a_minute_where_a_restart_may_have_lost_trades() {
    let mut server = durable();
    let [first, second] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    let trade = trade();
    let start = now();
    assert_eq!(
        first.charge_volume(&trade, start).await.expect("counted"),
        Ok(()),
        "a store that is new has lost nothing"
    );
    server.kill();
    server.restart();
    let wait = Err(VolumeRefusal::VolumeUnknown { retry_after_seconds: 61 });
    assert_eq!(until_available(|| first.charge_volume(&trade, start)).await, wait);
    let later = start.plus_seconds(60);
    let outcome = until_available(|| second.charge_volume(&trade, later)).await;
    let Err(VolumeRefusal::VolumeUnknown { retry_after_seconds }) = outcome else { panic!("{outcome:?}") };
    // The minute starts when Redis is asked for the first time after its restart.
    let complete_from = later.plus_seconds(retry_after_seconds);
    assert!(complete_from >= start.plus_seconds(61), "{retry_after_seconds}");
    let early = second.charge_volume(&trade, later.plus_seconds(retry_after_seconds - 1)).await.expect("answered");
    assert_eq!(early, Err(VolumeRefusal::VolumeUnknown { retry_after_seconds: 1 }));
    for store in [&second, &first] {
        assert_eq!(store.charge_volume(&trade, complete_from).await.expect("counted"), Ok(()));
    }
}

#[tokio::test]
async fn totals_wait_for_the_counting_replica_whichever_comes_first() {
    let mut server = Server::start(Options::default());
    let [first, second] = [connect(&server_config(&server)).await, connect(&server_config(&server)).await];
    let trade = trade();
    assert_eq!(first.charge_volume(&trade, now()).await.expect("counted"), Ok(()));
    server.kill();
    server.restart();
    let outcome = until_available(|| second.charge_volume(&trade, now())).await;
    assert_eq!(outcome, Ok(()), "it never counted anything, and the server has nothing");
    for store in [&first, &second] {
        let outcome = until_available(|| store.charge_volume(&trade, now())).await;
        assert!(matches!(outcome, Err(VolumeRefusal::VolumeUnknown { .. })), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_fast_clock_does_not_extend_the_wait() {
    let mut server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let trade = trade();
    assert_eq!(store.charge_volume(&trade, now()).await.expect("counted"), Ok(()));
    server.kill();
    server.restart();
    let ahead = now().plus_seconds(3_600);
    assert!(until_available(|| store.charge_volume(&trade, ahead)).await.is_ok(), "by this clock it is over");
    let complete = now().plus_seconds(62);
    assert_eq!(store.charge_volume(&trade, complete).await.expect("answered"), Ok(()));
}

#[tokio::test]
async fn totals_wait_after_a_restart_that_lost_everything() {
    let mut server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let trade = VolumeCharge { client_limit: Some(Usd::new(100)), pool_limit: None, ..trade() };
    assert_eq!(store.charge_volume(&trade, now()).await.expect("counted"), Ok(()));
    server.kill();
    server.restart();
    let answer = until_available(|| store.charge_volume(&trade, now())).await;
    assert!(matches!(answer, Err(VolumeRefusal::VolumeUnknown { .. })), "{answer:?}");
}
