//! No sequence of requests makes the service return a 500, panic, grow without bound, sign one quote for two sets of
//! terms, or reveal a secret.
//!
//! `FIRMQUOTE_STORM_SEED` and `FIRMQUOTE_STORM_STEPS` run a single storm with another seed and length.

use std::env;

use firmquote_e2e::storm::{Report, run};

/// The seeds of every test run.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The number of steps of each storm.
const STEPS: usize = 1_500;

#[test]
fn no_request_sequence_violates_an_invariant() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let steps = number("FIRMQUOTE_STORM_STEPS").map_or(STEPS, |steps| steps.try_into().unwrap());
    let seeds = number("FIRMQUOTE_STORM_SEED").map_or(SEEDS.to_vec(), |seed| vec![seed]);
    for seed in seeds {
        let report = run(seed, steps);
        println!("seed {seed}, {steps} steps: {report:#?}");
        for (what, status) in
            [("Quote", 200), ("Sign", 200), ("Sign", 400), ("Sign", 403), ("QuoteSign", 200), ("signed again", 200)]
        {
            assert!(count(&report, what, status) > 0, "no {what} was answered {status}: {report:#?}");
        }
        assert!(report.reloads.iter().all(|count| *count > 0), "{report:#?}");
    }
}

fn count(report: &Report, what: &str, status: u16) -> usize {
    report.counts.get(&(what.to_owned(), status)).copied().unwrap_or_default()
}
