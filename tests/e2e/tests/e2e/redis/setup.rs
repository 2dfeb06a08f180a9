//! Shared by the tests: the size of the load, the invariants of every outage, and the printed figures.

use std::time::{Duration, Instant};

use firmquote_e2e::{
    load::{Journal, Trades},
    replicas::TIMEOUT_MS,
};

/// Number of concurrent clients.
pub(crate) const CLIENTS: usize = 64;

/// Number of signatures before and after a fault.
pub(crate) const SIGNATURES: usize = 500;

/// The maximum time of a request that waits for an unavailable Redis at each of its steps, on a busy machine.
pub(crate) const BOUND: Duration = Duration::from_millis(3 * TIMEOUT_MS as u64 + 6_000);

/// Asserts that every response in this time was a 503 with `Retry-After`, and that there were some.
pub(crate) fn check_outage(journal: &Journal, from: Instant, to: Instant) -> usize {
    let answers = journal.within(from, to);
    for entry in &answers {
        assert!(entry.is_retryable, "without Redis: {entry:?}");
    }
    assert!(!answers.is_empty(), "requests during the outage");
    answers.len()
}

/// Asserts that every request got a response within [`BOUND`].
pub(crate) fn check_answers(journal: &Journal) {
    assert_eq!(journal.count(None), 0, "a request got no response");
    let longest = journal.longest();
    assert!(longest < BOUND, "the slowest response took {longest:?}");
}

/// Prints the figures of a load.
pub(crate) fn print(what: &str, trades: &Trades, journal: &Journal) {
    println!(
        "{what}: {} quotes, {} signed, answers: {} of 200, {} of 400, {} of 503, {} lost; longest {:?}, silence {:?}",
        trades.0.len(),
        trades.signed().len(),
        journal.count(Some(200)),
        journal.count(Some(400)),
        journal.count(Some(503)),
        journal.count(None),
        journal.longest(),
        journal.longest_silence(),
    );
}
