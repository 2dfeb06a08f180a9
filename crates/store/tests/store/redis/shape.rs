//! What stands in Redis and what it costs: keys, sizes, commands per request.

use firmquote_domain::{Amount, Client, GoodUntil, PackedGoodUntil, PoolConstant, Price, Quote, Weight};
use firmquote_store::{OpenOutcome, Store, StoreError};
use firmquote_test_servers::redis::{Options, Server};

use crate::calls::Calls as _;
use crate::redis::setup::{calls, claim, connect, key, now, quote, server_config, signed, terms};

/// The most that a quote may take, in bytes of value.
const MAX_QUOTE: usize = 700;

/// A quote whose every part is as long as it gets, for a client with the longest name there is.
fn longest_quote() -> Quote {
    let mut quote = quote(1);
    quote.client = Client::Named("\u{1f4a7}".repeat(64).into());
    quote.input.amount = Amount::MAX;
    quote.output.amount = Amount::MAX;
    quote.input.price = Price::new(u64::MAX).expect("not zero");
    quote.output.price = quote.input.price;
    quote.time_in_seconds = u32::MAX;
    quote.good_until = GoodUntil::Packed(PackedGoodUntil {
        input_price: quote.input.price,
        output_price: quote.input.price,
        k: PoolConstant::new(PoolConstant::SCALE - 1).expect("below one"),
        input_weight: Weight::new(u16::MAX).expect("not zero"),
        output_weight: Weight::new(u16::MAX).expect("not zero"),
        expires_at: quote.good_until.expires_at(),
    });
    quote
}

fn length(server: &Server, key: &str) -> usize {
    server.command(&["STRLEN", key]).parse().expect("a number")
}

#[tokio::test]
async fn a_stored_quote_is_small() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    for (quote, max_length) in [(longest_quote(), MAX_QUOTE), (quote(2), 250)] {
        store.insert(&quote, now()).await.expect("inserted");
        let length = length(&server, &key(&quote, "quote"));
        assert!(length <= max_length, "{length} bytes");
    }
}

#[tokio::test]
async fn a_quote_takes_one_command_and_so_does_its_signature() {
    const TIMES: u32 = 200;
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let insert = async |number| {
        let quote = quote(number);
        store.insert(&quote, now()).await.expect("inserted");
        quote
    };
    let sign = async |quote: Quote| {
        let opened = store.open(quote.id, &quote.client, &terms(1), now()).await.expect("answered");
        assert_eq!(opened, OpenOutcome::Unsigned(quote.clone()));
        store.record(signed(&quote, 1), now()).await.expect("recorded");
    };
    // From here on the server knows the scripts.
    sign(insert(0).await).await;
    server.command(&["CONFIG", "RESETSTAT"]);
    for number in 1..=TIMES {
        insert(number).await;
    }
    // Signs of life are written as well, once a second.
    assert!((TIMES..2 * TIMES).contains(&calls(&server, "set")));
    for other in ["get", "evalsha", "eval", "exists"] {
        assert_eq!(calls(&server, other), 0, "{other}");
    }
    for number in 1..=TIMES {
        sign(insert(TIMES + number).await).await;
    }
    assert_eq!([calls(&server, "evalsha"), calls(&server, "eval")], [TIMES, 0]);
    assert!((TIMES..=2 * TIMES).contains(&calls(&server, "xadd")), "the ledger is part of it, and the book");
}

#[tokio::test]
async fn scripts_are_reloaded_after_the_server_lost_them() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    for number in 1..=3 {
        let quote = quote(number);
        store.insert(&quote, now()).await.expect("inserted");
        server.command(&["SCRIPT", "FLUSH"]);
        claim(&store, &quote, 1).await.expect("answered");
        server.command(&["SCRIPT", "FLUSH"]);
        store.record(signed(&quote, 1), now()).await.expect("recorded");
    }
}

#[tokio::test]
async fn values_of_another_format_are_reported_and_not_modified() {
    let server = Server::start(Options::default());
    let store = connect(&server_config(&server)).await;
    let quote = quote(1);
    // A form of another version, with the generation, the instant and the client where they belong.
    let spoil = "local info = redis.call('INFO', 'replication')
        local generation = string.sub(string.match(info, 'master_replid:(%x+)'), 1, 32)
        return redis.call('SET', KEYS[1], '\\127' .. generation .. struct.pack('>I8', 4e12) .. '\\0')";
    for part in ["quote", "record"] {
        let key = key(&quote, part);
        server.command(&["EVAL", spoil, "1", &key]);
        let answer = store.open(quote.id, &quote.client, &terms(1), now()).await;
        assert!(matches!(&answer, Err(StoreError::Unreadable { key: named }) if *named == key), "{answer:?}");
    }
}
