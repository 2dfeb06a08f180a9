//! A user of Redis without one of the privileges that a signature needs: it is named, and nothing is half written.

use firmquote_store::{
    Store as _, StoreError,
    conformance::SampleCommitment,
    redis::{RedisConfig, RedisCredentials},
};
use firmquote_test_servers::redis::{Options, Server};

use crate::redis::setup::{PREFIX, connect, now, quote, server_config, signed};

/// What docs/redis.md grants.
const GRANTED: &str = "-@all +eval +evalsha +set +get +mget +del +xadd +xrange +xrevrange +sadd +srem \
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
        ["set", "del", "hset", "hmget", "zadd", "zrangebyscore", "xadd", "xrange", "hexists", "publish", "info"];
    let without = commands.map(|command| (format!("{whole} -{command}"), command.to_ascii_uppercase()));
    let cases = without.into_iter().chain([("+@all resetchannels".to_owned(), "PUBLISH".to_owned())]);
    for (number, (rules, missing)) in (1..).zip(cases) {
        let store = connect(&user(&server, &rules)).await;
        let quote = quote(number);
        let signed = signed(&quote, 1);
        let commitment = SampleCommitment::at_once(signed);
        for _ in 0..2 {
            let refused = commitment.try_commit(&store, now()).await.expect_err("refused");
            assert!(matches!(refused, StoreError::Denied { .. } | StoreError::Unavailable(_)), "{refused:?}");
            let refused = commitment.try_prepare(&store, now()).await.expect_err("refused");
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
    SampleCommitment::at_once(signed(&quote(99), 1)).try_commit(&store, now()).await.expect("signed");
    // Revoked while it runs: noticed at the first refusal.
    server.command(&["ACL", "SETUSER", "limited", "-zadd"]);
    let second = SampleCommitment::at_once(signed(&quote(98), 1));
    for _ in 0..2 {
        assert!(second.try_commit(&store, now()).await.is_err());
    }
    let error = store.ping(now()).await.expect_err("unready");
    assert!(format!("{error:?}").contains("ZADD"), "{error:?}");
}
