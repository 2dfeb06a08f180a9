//! A randomized stress test: clients send random requests of every kind, valid and invalid, while the operator changes
//! settings. Invariants: every response is a documented one, no quote is signed twice or against the operator's
//! restrictions, no secret leaks, and the server remains healthy.
//!
//! Random draws depend on the seed alone, but the known quotes they are applied to also depend on the timing of
//! responses. So a failing seed may have to be run more than once.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "here and below: a violated invariant or an unexpected response is a failed test"
)]

mod aftermath;
mod client;
mod draws;
mod expected_quotes;
mod log;
mod operator;
mod policy;
mod response_schema;
mod secrets;
mod server;
mod settings;
mod step_log;
mod wire;

use std::{collections::BTreeMap, sync::mpsc::channel, thread};

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use self::{
    client::{Client, Observations, StormContext},
    expected_quotes::ExpectedQuotes,
    operator::Operator,
    policy::PolicyHistory,
    server::Server,
    settings::Settings,
    step_log::StepLog,
};
use crate::draw::generator;

/// Number of concurrent clients.
const CLIENTS: usize = 4;

/// Steps of all clients between two actions of the operator.
const STEPS_PER_ACTION: usize = 25;

/// Steps after which the server's memory is stable: it has checked passwords on all of its threads, filled its store,
/// and sent the longest responses.
const WARM_UP: usize = 600;

/// Allowed memory growth after the warm-up: the allocator has per-thread heaps and touches them gradually, and a
/// password check takes 19 MiB. A leak in every request would exceed this in a storm of 200,000 steps.
const MAX_GROWTH_KIB: u64 = 48 * 1_024;

/// The result of a storm.
#[derive(Debug)]
pub struct Report {
    /// Number of responses by kind of request and status.
    pub counts: BTreeMap<(String, u16), usize>,
    /// Number of configurations accepted and refused.
    pub reloads: [usize; 2],
    /// Resident memory after the warm-up and at the end, in KiB.
    pub resident_kib: [u64; 2],
}

/// Runs a storm of `steps` steps, drawn from `seed`, on its own server.
///
/// # Panics
/// With the seed and the last steps, if an invariant is violated.
pub fn run(seed: u64, steps: usize) -> Report {
    let step_log = StepLog::default();
    let outcome = thread::scope(|scope| scope.spawn(|| run_on_server(seed, steps, &step_log)).join());
    outcome.unwrap_or_else(|_| panic!("a storm with seed {seed} and {steps} steps failed; the last steps:\n{step_log}"))
}

fn run_on_server(seed: u64, steps: usize, step_log: &StepLog) -> Report {
    let mut operator = Operator::new(Settings::default());
    let mut server = Server::start(&Settings::default());
    let (expected_quotes, policies) = (ExpectedQuotes::default(), PolicyHistory::new(operator.policy()));
    let context = StormContext {
        public: server.public,
        admin: server.admin,
        expected_quotes: &expected_quotes,
        policies: &policies,
        step_log,
    };
    let mut rng = generator(seed);
    let mut observations = run_clients(&mut rng, "warm-up", WARM_UP, &context, &mut operator, &mut server);
    let before = server.resident_kib();
    observations.merge(run_clients(&mut rng, "storm", steps, &context, &mut operator, &mut server));
    operator.restore(&mut server, &context);
    let after = server.resident_kib();
    assert!(after <= before + MAX_GROWTH_KIB, "the server has grown from {before} to {after} KiB");
    aftermath::check(&context);
    let log = server.stop();
    assert!(log.faults().is_empty(), "forbidden lines in the log: {:#?}", log.faults());
    assert!(log.most_lines() <= 1, "a request with several log lines");
    if let Some(id) = observations.answered_ids.iter().find(|id| log.lines_about(id) != 1) {
        panic!("{id} got a response but has no single log line");
    }
    Report { counts: observations.counts, reloads: operator.reloads, resident_kib: [before, after] }
}

/// Runs all clients for `steps` steps in total, with actions of the operator in between.
fn run_clients(
    rng: &mut ChaCha8Rng,
    name: &str,
    steps: usize,
    context: &StormContext<'_>,
    operator: &mut Operator,
    server: &mut Server,
) -> Observations {
    let (step_sender, step_receiver) = channel();
    let seeds: Vec<u64> = (0..CLIENTS).map(|_| rng.random()).collect();
    let observations: Vec<Observations> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .zip(seeds)
            .map(|(number, seed)| {
                let client = Client::new(format!("{name}-{number}"), context, generator(seed));
                let (share, step_sender) = (steps / CLIENTS, step_sender.clone());
                // The receiver is gone if the operator has failed.
                scope.spawn(move || client.work(share, || step_sender.send(()).unwrap_or_default()))
            })
            .collect();
        drop(step_sender);
        let _guard = context.step_log.guard();
        for (number, ()) in step_receiver.iter().enumerate() {
            if number % STEPS_PER_ACTION == STEPS_PER_ACTION - 1 {
                operator.act(rng, server, context);
            }
        }
        clients.into_iter().map(|client| client.join().expect("a client that does not fail")).collect()
    });
    observations.into_iter().fold(Observations::default(), |mut total, observations| {
        total.merge(observations);
        total
    })
}
