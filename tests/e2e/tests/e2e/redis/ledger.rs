//! Every signature that a client received is in the ledger.

use std::collections::HashMap;

use firmquote_e2e::{
    load::{Load, Signed},
    replicas::{SharedStore, endpoints},
};
use firmquote_test_servers::redis::{Options, Server};
use serde_json::{Value, json};

use crate::redis::setup::{CLIENTS, SIGNATURES, print};

/// Returns the entries of the ledger, with the number of copies of each.
fn entries(redis: &Server) -> HashMap<String, usize> {
    let mut entries = HashMap::new();
    // A Cluster marks the key as a hash tag.
    let read = |key| redis.try_command(&["XRANGE", key, "-", "+"]).unwrap_or_default();
    let texts = ["firmquote:signed", "{firmquote}:signed"].map(read);
    for line in texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with('{')) {
        let entry: Value = serde_json::from_str(line).expect("a line of JSON");
        *entries.entry(fact(&entry["quote_id"], &entry["destination"], &entry["signature"])).or_default() += 1;
    }
    entries
}

fn fact(quote_id: &Value, destination: &Value, signature: &Value) -> String {
    json!([quote_id, destination, signature["v"], signature["r"], signature["s"]]).to_string()
}

/// The number of copies of each signature in the ledger, and of entries for signatures that no client received.
pub(crate) struct LedgerCopies {
    pub(crate) copies: Vec<usize>,
    pub(crate) others: usize,
}

pub(crate) fn find(redis: &Server, signed: &[Signed]) -> LedgerCopies {
    let mut entries = entries(redis);
    let copies = signed.iter().map(|signed| {
        let answer: Value = serde_json::from_str(&signed.text).expect("JSON");
        let fact = fact(&json!(signed.quote_id), &answer["destination_address"], &answer["signature"]);
        entries.remove(&fact).unwrap_or_default()
    });
    LedgerCopies { copies: copies.collect(), others: entries.len() }
}

/// Asserts that the ledger of `redis` contains every signature exactly once, and nothing else.
pub(crate) fn check(redis: &Server, signed: &[Signed]) {
    let LedgerCopies { copies, others } = find(redis, signed);
    for (signed, copies) in signed.iter().zip(copies) {
        assert_eq!(copies, 1, "{signed:?}");
    }
    assert_eq!(others, 0, "entries for signatures that no client received");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_released_signature_of_three_replicas_is_in_the_ledger_exactly_once() {
    let redis = Server::start(Options::default());
    let replicas = SharedStore::from_server(&redis).replicas(3);
    let mut load = Load::start(&endpoints(&replicas), CLIENTS);
    load.wait_for_signatures(4 * SIGNATURES).await;
    let (trades, journal) = load.finish().await;
    print("ledger", &trades, &journal);
    check(&redis, &trades.all_signed());
}
