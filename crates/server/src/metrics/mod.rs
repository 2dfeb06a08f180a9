//! Metrics of this crate. Most are rebuilt at each scrape, those of reloads and settlements are counted as they happen.

mod books;
mod certificate;
mod counters;
mod desk;
mod market;
mod occupancy;
mod process;
mod scrape;

pub(crate) use books::BookMetrics;
pub(crate) use certificate::CertificateMetrics;
pub(crate) use counters::{ReloadMetrics, SwapOutcomeMetrics};
pub(crate) use desk::{FirmLevelMetrics, VolumeMetrics};
pub(crate) use market::{MarketMetrics, PairNames, SourceNames};
pub(crate) use occupancy::OccupancyMetrics;
pub(crate) use process::ProcessMetrics;
pub(crate) use scrape::ScrapeMetrics;
