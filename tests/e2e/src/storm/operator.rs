//! The operator: pauses and resumes pools, edits the files, and tracks the effective restrictions by the confirmations.

use std::collections::BTreeSet;

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;

use super::{
    client::StormContext,
    draws::{DESTINATIONS, one},
    policy::Policy,
    secrets::{self, ADMIN_TOKEN},
    server::Server,
    settings::{CHAINS, POOLS, Settings},
    wire::{Connection, RawRequest},
};

/// The operator and the effective settings.
pub(super) struct Operator {
    /// The settings in the files, valid or not.
    written: Settings,
    effective: Settings,
    paused: BTreeSet<&'static str>,
    /// Number of configurations accepted and refused.
    pub(super) reloads: [usize; 2],
}

impl Operator {
    pub(super) fn new(settings: Settings) -> Self {
        Self { written: settings.clone(), effective: settings, paused: BTreeSet::new(), reloads: [0, 0] }
    }

    /// Returns the current restrictions.
    pub(super) fn policy(&self) -> Policy {
        let mut policy = self.effective.policy();
        policy.paused.clone_from(&self.paused);
        policy
    }

    /// Performs one random action.
    pub(super) fn act(&mut self, rng: &mut ChaCha8Rng, server: &mut Server, context: &StormContext<'_>) {
        if rng.random_ratio(2, 5) {
            // Pauses are short, so that most of the time something can be signed.
            let pool = (0..3).find(|pool| self.paused.contains(POOLS[*pool]) && rng.random_ratio(2, 3));
            let pool = pool.unwrap_or_else(|| rng.random_range(0..3));
            self.set_paused(pool, !self.paused.contains(POOLS[pool]), context);
        } else {
            self.written = random_change(rng, &self.written);
            self.reload(server, context);
        }
    }

    /// Restores the initial settings and resumes all pools.
    pub(super) fn restore(&mut self, server: &mut Server, context: &StormContext<'_>) {
        self.written = Settings::default();
        self.reload(server, context);
        for pool in 0..POOLS.len() {
            self.set_paused(pool, false, context);
        }
    }

    fn set_paused(&mut self, pool: usize, is_paused: bool, context: &StormContext<'_>) {
        let (address, word) = (POOLS[pool], if is_paused { "pause" } else { "resume" });
        let before = self.paused.clone();
        if is_paused {
            self.paused.insert(address);
        } else {
            self.paused.remove(address);
        }
        context.policies.announce(&self.policy());
        let target = format!("/pools/{address}/{word}?chain_id={}", CHAINS[pool]);
        let raw_request = RawRequest::new("POST", target).header("authorization", format!("Bearer {ADMIN_TOKEN}"));
        let mut connection = Connection::open(context.admin);
        connection.send(&raw_request.bytes());
        let answer = connection.receive("POST").unwrap_or_else(|| panic!("no response to a {word}"));
        secrets::check(&format!("{answer:?}"));
        context.step_log.record(format!("operator {word} {address} < {}", answer.status));
        let is_served = self.effective.policy().closed.contains(address) || answer.status == 200;
        assert!(is_served && matches!(answer.status, 200 | 400), "{answer:?}");
        if answer.status != 200 {
            self.paused = before;
        }
        context.policies.confirm(self.policy());
    }

    fn reload(&mut self, server: &mut Server, context: &StormContext<'_>) {
        let next = self.written.clone();
        context.step_log.record(format!("operator writes {next:?}"));
        if next.is_valid() {
            self.effective = next.clone();
        } else if !next.is_credentials_file_broken {
            self.effective.knows_bolt = next.knows_bolt;
        }
        context.policies.announce(&self.policy());
        let result = server.reload(&next);
        assert_eq!(result.is_ok(), next.is_valid(), "{next:?}: {result:?}");
        self.reloads[usize::from(result.is_err())] += 1;
        context.step_log.record(format!("operator < {result:?}"));
        context.policies.confirm(self.policy());
    }
}

/// Returns `settings` or the initial ones with a random change, and sometimes with an error.
fn random_change(rng: &mut ChaCha8Rng, settings: &Settings) -> Settings {
    let settings = if rng.random_ratio(1, 3) { Settings::default() } else { settings.clone() };
    let mut next = Settings { mistake: None, is_credentials_file_broken: false, ..settings };
    match rng.random_range(0..11) {
        0 => next.k = one(rng, &["0", "0.02", "0.06", "0.5"]),
        1 => next.fee_bps = one(rng, &[1, 5, 50, 900]),
        2 => next.weight = one(rng, &[1, 79, 200, 65_535]),
        3 => next.price_usd = one(rng, &["0.00000001", "1900", "2080.527", "2300", "184467440737"]),
        4 => next.has_transient_pool = !next.has_transient_pool,
        5 => next.are_swaps_enabled = !next.are_swaps_enabled || rng.random_ratio(2, 3),
        6 | 7 => next.denied = rng.random_range(0..1 << DESTINATIONS.len()),
        8 => next.max_usd_per_minute = one(rng, &[None, None, Some(1), Some(100_000)]),
        9 => {
            (next.is_anonymous_taken, next.is_basic_taken) = (rng.random_ratio(3, 4), rng.random_ratio(3, 4));
            next.anonymous_burst = one(rng, &[5, 200, 1_000_000]);
        }
        _ => next.knows_bolt = !next.knows_bolt,
    }
    match rng.random_range(0..10) {
        0 | 1 => next.mistake = Some(rng.random_range(0..Settings::MISTAKES)),
        2 => next.is_credentials_file_broken = true,
        _ => {}
    }
    next
}
