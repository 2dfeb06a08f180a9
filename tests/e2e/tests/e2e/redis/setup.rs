//! What the tests share: the size of the load, what every outage keeps to, and the figures.

use std::time::{Duration, Instant};

use firmquote_e2e::{
    load::{Journal, Trades},
    replicas::TIMEOUT_MS,
};

/// Clients at the same time.
pub(crate) const CLIENTS: usize = 64;

/// Signatures before something breaks, and after.
pub(crate) const SOME: usize = 500;

/// What a request may take that waits for Redis in vain at each of its steps, on a machine that does much else.
pub(crate) const BOUND: Duration = Duration::from_millis(3 * TIMEOUT_MS as u64 + 6_000);

/// Every answer within this time was 503 with `Retry-After`, and there were some.
pub(crate) fn check_outage(journal: &Journal, from: Instant, to: Instant) -> usize {
    let answers = journal.within(from, to);
    for entry in &answers {
        assert!(entry.is_try_later, "without Redis: {entry:?}");
    }
    assert!(!answers.is_empty(), "clients asked meanwhile");
    answers.len()
}

/// Every request was answered, and none took longer than [`BOUND`].
pub(crate) fn check_answers(journal: &Journal) {
    assert_eq!(journal.count(None), 0, "every request is answered");
    let longest = journal.longest();
    assert!(longest < BOUND, "an answer took {longest:?}");
}

/// Prints what a load did.
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
