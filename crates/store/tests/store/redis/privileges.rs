//! A user of Redis without one of the privileges that a signature needs: it is named, and nothing is half written.

use firmquote_store::{
    BookStore, Commitment, QuoteStore, StoreError,
    redis::{RedisConfig, RedisCredentials},
};
use firmquote_test_servers::redis::{Options, Server};

use crate::redis::{
    commit::booking,
    setup::{PREFIX, connect, now, quote, server_config, signed},
};

/// What docs/redis.md grants.
const GRANTED: &str = "-@all +eval +evalsha +set +get +mget +del +exists +setrange +xadd +xrange +xrevrange +sadd +srem \
                       +smembers +hget +hset +hdel +hmget +hgetall +hexists +zadd +zrem +zrange +zrangebyscore +pexpireat \
                       +sismember +publish +subscribe +time +info +wait +ping +select +role";

/// The configuration of a user with these rules.
fn user(server: &Server, rules: &str) -> RedisConfig {
    let keys = format!("~{PREFIX}:*");
    let mut command = vec!["ACL", "SETUSER", "limited", "reset", "on", ">secret", &keys];
    command.extend(rules.split_whitespace());
    server.command(&command);
    let credentials = RedisCredentials { username: Some("limited".to_owned()), password: "secret".to_owned().into() };
    RedisConfig { credentials: Some(credentials), ..server_config(server) }
}

#[tokio::test]
async fn every_missing_privilege_is_named_and_leaves_no_swap_in_the_book() {
    let server = Server::start(Options::default());
    let channels = format!("&{PREFIX}:books");
    let whole = format!("{channels} {GRANTED}");
    let commands =
        ["set", "del", "hset", "hmget", "zadd", "zrangebyscore", "xadd", "xrange", "exists", "publish", "info"];
    let without = commands.map(|command| (format!("{whole} -{command}"), command.to_ascii_uppercase()));
    let cases = without.into_iter().chain([("+@all resetchannels".to_owned(), "PUBLISH".to_owned())]);
    for (number, (rules, missing)) in (1..).zip(cases) {
        let store = connect(&user(&server, &rules)).await;
        let quote = quote(number);
        let signed = signed(&quote, 1);
        let entry = booking(&signed);
        let commitment = Commitment { signed: &signed, is_quote_stored: false, booking: &entry, charge: None };
        for _ in 0..2 {
            let refused = store.commit(&commitment, now()).await.expect_err("refused");
            assert!(matches!(refused, StoreError::Denied { .. } | StoreError::Unavailable(_)), "{refused:?}");
            let refused = store.enter(&entry, now()).await.expect_err("refused");
            assert!(matches!(refused, StoreError::Denied { .. } | StoreError::Unavailable(_)), "{refused:?}");
        }
        let error = store.ping(now()).await.expect_err("unready");
        // Without INFO there is no connection at all.
        assert!(
            format!("{error:?}").contains(&missing) || missing == "INFO" || missing == "SET",
            "{missing}: {error:?}"
        );
        assert_eq!(server.command(&["KEYS", "*book*"]), "", "{missing}");
    }
    let store = connect(&user(&server, &whole)).await;
    store.ping(now()).await.expect("enough");
    let quote = quote(99);
    let signed = signed(&quote, 1);
    let entry = booking(&signed);
    let commitment = Commitment { signed: &signed, is_quote_stored: false, booking: &entry, charge: None };
    store.commit(&commitment, now()).await.expect("signed");
    // Revoked while it runs: noticed at the first refusal.
    server.command(&["ACL", "SETUSER", "limited", "-zadd"]);
    let second = crate::redis::setup::signed(&crate::redis::setup::quote(98), 1);
    let entry = booking(&second);
    let commitment = Commitment { signed: &second, is_quote_stored: false, booking: &entry, charge: None };
    for _ in 0..2 {
        assert!(store.commit(&commitment, now()).await.is_err());
    }
    let error = store.ping(now()).await.expect_err("unready");
    assert!(format!("{error:?}").contains("ZADD"), "{error:?}");
}
