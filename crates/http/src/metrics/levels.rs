//! Metrics of streamed levels.

use prometheus::{IntCounter, IntGauge, Registry};

/// The series of streamed levels.
#[derive(Clone)]
pub(crate) struct LevelMetrics {
    /// Open streams.
    pub(crate) streams: IntGauge,
    /// Books that streams read.
    pub(crate) books: IntGauge,
    /// Publications of books: new ones, renewals and withdrawals.
    pub(crate) published: IntCounter,
}

impl LevelMetrics {
    /// Registers the series in `registry`.
    ///
    /// # Errors
    /// If a metric of that name is already registered, which is a bug in this crate.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            streams: IntGauge::new("firmquote_level_streams", "Open streams of price levels.")?,
            books: IntGauge::new("firmquote_level_books", "Books of price levels with at least one stream.")?,
            published: IntCounter::new(
                "firmquote_level_publications_total",
                "Published, renewed and withdrawn books of price levels.",
            )?,
        };
        registry.register(Box::new(metrics.streams.clone()))?;
        registry.register(Box::new(metrics.books.clone()))?;
        registry.register(Box::new(metrics.published.clone()))?;
        Ok(metrics)
    }
}
