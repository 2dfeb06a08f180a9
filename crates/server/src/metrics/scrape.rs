//! Metrics whose series are rebuilt at every scrape, so that none outlives the pool, client or source it describes.

use std::time::Duration;

use firmquote_domain::Timestamp;
use prometheus::{
    CounterVec, GaugeVec, Opts, Registry,
    core::{Collector, Desc},
    proto::MetricFamily,
};

/// Metrics that are read from the state of the service at each scrape.
pub(crate) trait ScrapeMetrics: Send + Sync + Sized + 'static {
    /// Adds the families with their current series to `set`; a family without series is not exported.
    ///
    /// # Errors
    /// When a name or a label is invalid; a bug.
    fn collect(&self, set: &mut FamilySet) -> prometheus::Result<()>;

    /// Registers the metrics in `registry`.
    ///
    /// # Errors
    /// When a metric is invalid, or one of the same name is already registered; a bug.
    fn register(self, registry: &Registry) -> prometheus::Result<()> {
        let mut set = FamilySet::default();
        self.collect(&mut set)?;
        let descriptions = set.0.iter().flat_map(|family| family.desc()).cloned().collect();
        registry.register(Box::new(ScrapeCollector { metrics: self, descriptions }))
    }
}

/// The metric families of one scrape.
#[derive(Default)]
pub(crate) struct FamilySet(Vec<Box<dyn Collector>>);

impl FamilySet {
    /// Adds a gauge and returns its handle.
    ///
    /// # Errors
    /// When the name or a label is invalid.
    pub(crate) fn gauge(&mut self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<GaugeVec> {
        let family = GaugeVec::new(Opts::new(name, help), labels)?;
        self.0.push(Box::new(family.clone()));
        Ok(family)
    }

    /// Adds a counter and returns its handle.
    ///
    /// # Errors
    /// When the name or a label is invalid.
    pub(crate) fn counter(&mut self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<CounterVec> {
        let family = CounterVec::new(Opts::new(name, help), labels)?;
        self.0.push(Box::new(family.clone()));
        Ok(family)
    }
}

/// Adapter of [`ScrapeMetrics`] to a registry.
struct ScrapeCollector<M> {
    metrics: M,
    descriptions: Vec<Desc>,
}

impl<M: ScrapeMetrics> Collector for ScrapeCollector<M> {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let mut set = FamilySet::default();
        // Cannot fail: the registration has already created all families once.
        drop(self.metrics.collect(&mut set));
        set.0.iter().flat_map(|family| family.collect()).collect()
    }
}

/// Returns the float nearest to a decimal.
pub(crate) fn float(decimal: impl ToString) -> f64 {
    decimal.to_string().parse().unwrap_or(f64::NAN)
}

/// Sets the only series of a gauge without labels.
pub(crate) fn set_value(gauge: &GaugeVec, value: f64) {
    set(gauge, &[], value);
}

/// Sets the series of these labels.
pub(crate) fn set(gauge: &GaugeVec, labels: &[&str], value: f64) {
    gauge.get_metric_with_label_values(labels).into_iter().for_each(|gauge| gauge.set(value));
}

/// Sets the age in seconds of a value of `time`; leaves it unset without a time, and sets zero for a future time.
pub(super) fn set_age(gauge: &GaugeVec, labels: &[&str], time: Option<Timestamp>, now: Timestamp) {
    if let Some(time) = time {
        let age = Duration::from_micros(now.micros_since(time));
        set(gauge, labels, age.as_secs_f64());
    }
}
