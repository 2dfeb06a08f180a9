//! What one replica serves with quotes in memory and in Redis on the same machine, and what they take of its memory:
//! `cargo bench -p firmquote-e2e --bench replica`. Starts the release binary and a `redis-server` of its own.
//!
//! 64 connections with an API key ask as fast as they are answered. The clients, the service and Redis share the
//! machine's processors, so the figures compare the two stores; they are not what a machine of its own would serve.
#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark that shows its figures")]

mod connection;
mod load;
mod replica;

use firmquote_test_servers::redis::{Options, Server};
use load::{Load, quote_all, sign_all};
use replica::Replica;

/// How often both stores are measured, in turn.
const ROUNDS: usize = 5;
/// Quotes of a round, all of which are signed then.
const QUOTES: usize = 20_000;
/// Quotes that are live while memory is measured.
const LIVE: usize = 100_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let redis = Server::start(Options { append_only: true, ..Options::default() });
    let in_redis = format!("[store]\nkind = \"redis\"\nurl = \"{}\"\n", redis.url());
    let in_memory = "[store]\nmax_quotes = 1000000\n".to_owned();
    let mut figures = [(in_memory.clone(), Vec::new()), (in_redis.clone(), Vec::new())];
    for _ in 0..ROUNDS {
        for (store, rounds) in &mut figures {
            redis.command(&["FLUSHALL"]);
            let replica = Replica::start(store);
            let (quoted, ids) = quote_all(replica.address(), QUOTES).await;
            let signed = sign_all(replica.address(), ids).await;
            rounds.push((quoted, signed));
        }
    }
    println!("{:<8} {:>12} {:>10} {:>14} {:>10}", "store", "quotes/s", "p50 us", "signatures/s", "p50 us");
    for ((_, rounds), name) in figures.into_iter().zip(["memory", "Redis"]) {
        let (quoted, signed): (Vec<Load>, Vec<Load>) = rounds.into_iter().unzip();
        let (quoted, signed) = (Load::median(quoted), Load::median(signed));
        println!(
            "{name:<8} {:>12.0} {:>10} {:>14.0} {:>10}",
            quoted.per_second, quoted.median_us, signed.per_second, signed.median_us
        );
    }
    println!("medians of {ROUNDS} rounds of {QUOTES}\n");
    show_memory(&in_memory, &in_redis, &redis).await;
}

/// What live quotes take, in the service and in Redis.
async fn show_memory(in_memory: &str, in_redis: &str, redis: &Server) {
    let replica = Replica::start(in_memory);
    let before = replica.resident_kib();
    quote_all(replica.address(), LIVE).await;
    let after = replica.resident_kib();
    println!("service, memory store: {:.1} MB at start, {:.1} MB with {LIVE} live quotes", mb(before), mb(after));
    redis.command(&["FLUSHALL"]);
    let replica = Replica::start(in_redis);
    let before = used_memory(redis);
    quote_all(replica.address(), LIVE).await;
    let each = (used_memory(redis) - before) / f64::from(u32::try_from(LIVE).expect("a small number"));
    println!("service, Redis: {:.1} MB after {LIVE} quotes", mb(replica.resident_kib()));
    println!("Redis: {each:.0} bytes of its memory for each live quote");
}

fn mb(kib: u32) -> f64 {
    f64::from(kib) * 1_024.0 / 1e6
}

fn used_memory(redis: &Server) -> f64 {
    let info = redis.command(&["INFO", "memory"]);
    let used = info.lines().find_map(|line| line.trim().strip_prefix("used_memory:")?.parse().ok());
    used.expect("Redis knows its memory")
}
