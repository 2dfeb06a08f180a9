//! Metrics of this crate. Most are rebuilt at each scrape, those of reloads and settlements are counted as they happen.

mod books;
mod certificate;
mod firm_levels;
mod market;
mod occupancy;
mod process;
mod reloads;
mod scrape;
mod settlements;
mod values;
mod volumes;

pub(crate) use books::BookMetrics;
pub(crate) use certificate::CertificateMetrics;
pub(crate) use firm_levels::FirmLevelMetrics;
pub(crate) use market::{MarketMetrics, PairNames, SourceNames};
pub(crate) use occupancy::OccupancyMetrics;
pub(crate) use process::ProcessMetrics;
pub(crate) use reloads::ReloadMetrics;
pub(crate) use scrape::ScrapeMetrics;
pub(crate) use settlements::SettlementMetrics;
pub(crate) use volumes::VolumeMetrics;
