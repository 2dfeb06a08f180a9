//! Metrics of this crate. Most are rebuilt at each scrape, those of reloads and settlements are counted as they happen.

mod counters;
mod desk;
mod market;
mod process;
mod scrape;

pub(crate) use counters::{ReloadMetrics, SwapOutcomeMetrics};
pub(crate) use desk::{FirmLevelMetrics, OccupancyMetrics, PoolMetrics, RevocationMetrics, VolumeMetrics};
pub(crate) use market::{MarketMetrics, PairNames};
pub(crate) use process::{CertificateMetrics, ProcessMetrics};
pub(crate) use scrape::{FamilySet, ScrapeMetrics, float, set, set_value};
