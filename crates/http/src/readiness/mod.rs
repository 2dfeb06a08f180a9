//! Whether requests should be sent here, by the state of everything they need. `/readyz` and `/metrics` both query it,
//! so they agree.

mod outage_log;
mod probe;
mod refusal_log;

use std::{sync::Arc, time::Duration};

use firmquote_api as api;
use firmquote_desk::{Condition, Desk, PartState, StoreHealth};
use strum::{IntoStaticStr, VariantArray};

use self::probe::Probe;
pub(crate) use self::{outage_log::OutageLog, refusal_log::RefusalLog};

/// How long to wait for a part. Shorter than the default timeout of probers, which is a second.
const PART_TIMEOUT: Duration = Duration::from_millis(800);

/// A part of readiness: something that requests need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub(crate) enum Part {
    Store,
    Ledger,
    Clock,
    Signing,
    Prices,
    Reserves,
    Key,
    Pauses,
    Tape,
    Stopping,
}

impl Part {
    /// Returns the name on the wire, in metrics and in the log.
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// The probes of those parts that are other servers.
pub(crate) struct Probes {
    store: Probe<StoreHealth>,
    key: Probe<Condition>,
}

impl Default for Probes {
    fn default() -> Self {
        let store_is_late = |reason| StoreHealth {
            store: Condition::from_reasons(PartState::Unready, [reason]),
            ledger: Condition::ready(),
            clock: Condition::ready(),
            signing: Condition::ready(),
        };
        let key_is_late = |reason| Condition::from_reasons(PartState::Degraded, [reason]);
        Self { store: Probe::new(store_is_late), key: Probe::new(key_is_late) }
    }
}

/// The state of every part, in the order of [`Part`].
#[derive(Debug)]
pub(crate) struct Readiness(pub(crate) [(Part, Condition); Part::VARIANTS.len()]);

impl Readiness {
    /// Queries every part of `desk` concurrently, and waits for none longer than [`PART_TIMEOUT`].
    pub(crate) async fn query(desk: &Arc<Desk>, probes: &Probes, is_stopping: bool) -> Self {
        let (StoreHealth { store, ledger, clock, signing }, key) = tokio::join!(
            probes.store.result(PART_TIMEOUT, &desk.clock, || {
                let desk = Arc::clone(desk);
                async move { desk.store_health().await }
            }),
            probes.key.result(PART_TIMEOUT, &desk.clock, || {
                let desk = Arc::clone(desk);
                async move { desk.key_condition().await }
            }),
        );
        // Read after the slow queries, so that of two results the later never has the older market state.
        let [prices, reserves] = desk.market_conditions();
        let stopping = is_stopping.then(|| "the service is stopping".to_owned());
        let stopping = Condition::from_reasons(PartState::Unready, stopping);
        Self([
            (Part::Store, store),
            (Part::Ledger, ledger),
            (Part::Clock, clock),
            (Part::Signing, signing),
            (Part::Prices, prices),
            (Part::Reserves, reserves),
            (Part::Key, key),
            (Part::Pauses, desk.pauses_condition()),
            (Part::Tape, desk.tape_condition()),
            (Part::Stopping, stopping),
        ])
    }

    /// Returns whether requests should be sent here.
    pub(crate) fn is_ready(&self) -> bool {
        self.unready().next().is_none()
    }

    /// Returns why the service is not ready, in one line: the first reason of each unready part.
    pub(crate) fn summary(&self) -> String {
        let first = |(_, condition): &(Part, Condition)| condition.reasons.first().cloned().unwrap_or_default();
        self.unready().map(first).collect::<Vec<_>>().join("; ")
    }

    /// Returns why the service is not ready: the reasons of every unready part.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = &str> {
        self.unready().flat_map(|(_, condition)| &condition.reasons).map(String::as_str)
    }

    fn unready(&self) -> impl Iterator<Item = &(Part, Condition)> {
        self.0.iter().filter(|(_, condition)| condition.state == PartState::Unready)
    }

    /// Returns the state of every part, as responses contain it.
    pub(crate) fn parts(&self) -> api::ReadinessParts {
        let [store, ledger, clock, signing, prices, reserves, key, pauses, tape, stopping] =
            self.0.each_ref().map(|(_, condition)| api::ReadinessPart {
                state: condition.state.name().into(),
                reasons: condition.reasons.clone(),
            });
        api::ReadinessParts { store, ledger, clock, signing, prices, reserves, key, pauses, tape, stopping }
    }
}
