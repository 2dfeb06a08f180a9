//! The overview of all pools and of the streamed levels, as shown by the operator page.

use firmquote_desk::{FirmLevelsState, LevelsRefusal, Overview};
use firmquote_domain::Timestamp;
use serde::Serialize;

use super::pool_overview::PoolRecord;
use crate::{
    levels::{LevelBookOverview, LevelHub},
    readiness::Readiness,
    service::{ReplicaStatus, ServiceSnapshot},
};

/// The response about all pools.
#[derive(Debug, Serialize)]
pub(crate) struct OverviewResponse<'v> {
    service_name: &'v str,
    /// The name of the replica.
    replica: Option<&'v str>,
    version: &'static str,
    /// Why changed files are not in effect.
    rejected_files: &'v [String],
    /// Whether requests are served, as reported by readiness.
    ready: bool,
    /// The reasons for not being ready.
    reasons: Vec<&'v str>,
    admin_token_configured: bool,
    pauses_shared: bool,
    pools: Vec<PoolRecord<'v>>,
    levels: LevelsRecord,
}

/// The levels that streams read, and the broken promises of firm levels.
#[derive(Debug, Serialize)]
struct LevelsRecord {
    streams: usize,
    breaches: Vec<BreachRecord>,
    store_failures: u64,
    books: Vec<LevelBookOverview>,
}

#[derive(Debug, Serialize)]
struct BreachRecord {
    reason: &'static str,
    count: u64,
}

impl<'v> OverviewResponse<'v> {
    /// Builds the response for `overview` of `service`.
    pub(crate) fn new(
        overview: &'v Overview,
        service: &'v ServiceSnapshot,
        levels: &LevelHub,
        readiness: &'v Readiness,
        replica: &'v ReplicaStatus,
    ) -> Self {
        Self {
            service_name: service.settings.service_name.as_str(),
            replica: replica.name.as_deref(),
            version: env!("CARGO_PKG_VERSION"),
            rejected_files: &replica.rejected_files,
            ready: readiness.is_ready(),
            reasons: readiness.reasons().collect(),
            admin_token_configured: service.has_operators(),
            pauses_shared: service.desk.pauses.is_shared(),
            pools: overview.pools.iter().map(|pool| PoolRecord::new(pool, overview.now)).collect(),
            levels: LevelsRecord::new(levels, &service.desk.firm_levels, overview.now),
        }
    }
}

impl LevelsRecord {
    fn new(levels: &LevelHub, firm_levels: &FirmLevelsState, now: Timestamp) -> Self {
        let breach = |(reason, count): (LevelsRefusal, u64)| BreachRecord { reason: reason.name(), count };
        Self {
            streams: levels.stream_count(),
            breaches: firm_levels.breaches().map(breach).collect(),
            store_failures: firm_levels.store_failures(),
            books: levels.overview(now),
        }
    }
}
