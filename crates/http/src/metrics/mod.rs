//! Metrics for operators: requests, latency, quotes, signatures, rejections. Every series exists from the start; those
//! of a pool are looked up once, when it is first served.

mod clients;
mod readiness;

use std::{sync::OnceLock, time::Duration};

use firmquote_desk::OutstandingLimitKind;
use firmquote_domain::PoolId;
use prometheus::{
    Histogram, HistogramVec, IntCounter, IntCounterVec, IntGauge, Registry, TextEncoder,
    register_histogram_vec_with_registry, register_int_counter_vec_with_registry, register_int_counter_with_registry,
    register_int_gauge_vec_with_registry, register_int_gauge_with_registry,
};
use strum::VariantArray as _;

pub(crate) use self::clients::{ClientPair, RequestCounts};
use self::{clients::ClientMetrics, readiness::ReadinessMetrics};
use crate::{
    endpoints::Endpoint,
    error::{ErrorType, Reason},
    server::AdmissionMetrics,
};

/// Upper bounds of the latency buckets, in seconds: a quote takes tens of microseconds, a failing store seconds.
const BUCKETS: [f64; 14] =
    [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// The metrics for operators, in a registry of their own.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    latency: HistogramVec,
    /// The series of the endpoints, once they are known.
    endpoints: OnceLock<Vec<EndpointMetrics>>,
    rejections: Vec<IntCounter>,
    outstanding_limits: IntCounterVec,
    quotes: IntCounter,
    signatures: IntCounter,
    pub(crate) pools: PoolMetrics,
    pub(crate) clients: ClientMetrics,
    pub(crate) readiness: ReadinessMetrics,
    pub(crate) levels: LevelMetrics,
    /// Open and refused connections.
    pub(crate) admission: AdmissionMetrics,
}

/// The series of one endpoint, resolved in advance to avoid label lookups.
struct EndpointMetrics {
    endpoint: &'static Endpoint,
    latency: Histogram,
    answered: IntCounter,
    errors: Vec<IntCounter>,
}

/// A metric could not be registered.
#[derive(Debug, thiserror::Error)]
#[error("a metric could not be registered")]
pub struct MetricsError(#[from] prometheus::Error);

impl Metrics {
    /// Registers all metrics in a new registry. `version` is the label of `firmquote_build_info`.
    ///
    /// # Errors
    /// [`MetricsError`] if two metrics have the same name, which is a bug in this crate.
    pub fn new(version: &str) -> Result<Self, MetricsError> {
        let registry = Registry::new();
        let requests = register_int_counter_vec_with_registry!(
            "firmquote_http_requests_total",
            "Requests by route and outcome (ok or errorType).",
            &["route", "outcome"],
            registry
        )?;
        let latency = register_histogram_vec_with_registry!(
            "firmquote_http_request_duration_seconds",
            "Time from request head to response, by route.",
            &["route"],
            BUCKETS.to_vec(),
            registry
        )?;
        let rejections = register_int_counter_vec_with_registry!(
            "firmquote_rejections_total",
            "Requests that were rejected or failed, by reason.",
            &["reason"],
            registry
        )?;
        let build = register_int_gauge_vec_with_registry!(
            "firmquote_build_info",
            "The running version; always 1.",
            &["version"],
            registry
        )?;
        build.with_label_values(&[version]).set(1);
        let outstanding_limits = register_int_counter_vec_with_registry!(
            "firmquote_outstanding_limit_refusals_total",
            "Requests refused by a limit on outstanding swaps, by limit.",
            &["limit"],
            registry
        )?;
        for limit in OutstandingLimitKind::VARIANTS {
            outstanding_limits.with_label_values(&[limit.setting()]);
        }
        Ok(Self {
            requests,
            latency,
            endpoints: OnceLock::new(),
            rejections: Reason::VARIANTS.iter().map(|reason| rejections.with_label_values(&[reason.name()])).collect(),
            outstanding_limits,
            quotes: register_int_counter_with_registry!("firmquote_quotes_total", "Quotes returned.", registry)?,
            signatures: register_int_counter_with_registry!(
                "firmquote_signatures_total",
                "Signatures returned, including repeated ones.",
                registry
            )?,
            pools: PoolMetrics::new(&registry)?,
            clients: ClientMetrics::new(&registry)?,
            readiness: ReadinessMetrics::new(&registry)?,
            levels: LevelMetrics::new(&registry)?,
            admission: admission(&registry)?,
            registry,
        })
    }

    /// Returns the registry, in which other parts of the service register their metrics.
    pub const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns all metrics in the text exposition format.
    ///
    /// # Errors
    /// [`MetricsError`] if a collector returned data that has no such form.
    pub fn render(&self) -> Result<String, MetricsError> {
        Ok(TextEncoder::new().encode_to_string(&self.registry.gather())?)
    }

    /// Creates the series of `endpoints`, the first time it is called.
    pub(crate) fn prepare(&self, endpoints: impl IntoIterator<Item = &'static Endpoint>) {
        let series = |endpoint| EndpointMetrics::new(endpoint, &self.requests, &self.latency);
        self.endpoints.get_or_init(|| endpoints.into_iter().map(series).collect());
    }

    /// Records a response and its latency; `error` is absent on success.
    pub(crate) fn observe(&self, endpoint: &Endpoint, error: Option<(ErrorType, Reason)>, elapsed: Duration) {
        let Some(endpoints) = self.endpoints.get() else { return };
        let Some(series) = endpoints.iter().find(|series| series.endpoint == endpoint) else { return };
        series.latency.observe(elapsed.as_secs_f64());
        let Some((error_type, reason)) = error else { return series.answered.inc() };
        for counter in [series.errors.get(error_type as usize), self.rejections.get(reason as usize)] {
            counter.inspect(|counter| counter.inc());
        }
    }

    /// Counts a request that was refused by this limit on outstanding swaps.
    pub(crate) fn count_outstanding_limit(&self, limit: OutstandingLimitKind) {
        self.outstanding_limits.with_label_values(&[limit.setting()]).inc();
    }

    /// Counts a quote.
    pub(crate) fn count_quote(&self) {
        self.quotes.inc();
    }

    /// Counts a signature.
    pub(crate) fn count_signature(&self) {
        self.signatures.inc();
    }
}

/// Registers the gauge and the counters of connections in `registry`.
fn admission(registry: &Registry) -> prometheus::Result<AdmissionMetrics> {
    let open = register_int_gauge_with_registry!(
        "firmquote_connections",
        "Open connections to the public listeners.",
        registry
    )?;
    let refused = register_int_counter_vec_with_registry!(
        "firmquote_connections_refused_total",
        "Refused connections, by the limit they exceeded.",
        &["limit"],
        registry
    )?;
    let refused_by = |limit| refused.with_label_values(&[limit]);
    Ok(AdmissionMetrics { open, refused_by_address: refused_by("address"), refused_by_process: refused_by("process") })
}

impl EndpointMetrics {
    fn new(endpoint: &'static Endpoint, requests: &IntCounterVec, latency: &HistogramVec) -> Self {
        let outcome = |label: &str| requests.with_label_values(&[endpoint.path, label]);
        Self {
            endpoint,
            latency: latency.with_label_values(&[endpoint.path]),
            answered: outcome("ok"),
            errors: ErrorType::VARIANTS.iter().map(|error_type| outcome(error_type.name())).collect(),
        }
    }
}

/// The metric families with one series per pool.
pub(crate) struct PoolMetrics {
    quotes: IntCounterVec,
    signatures: IntCounterVec,
}

/// The series of one pool.
pub(crate) struct PoolCounters {
    pub(crate) quotes: IntCounter,
    pub(crate) signatures: IntCounter,
}

impl PoolMetrics {
    /// Registers the families in `registry`.
    ///
    /// # Errors
    /// If a metric of that name is already registered, which is a bug in this crate.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let labels = &["chain_id", "pool"];
        let family = |name: &str, help: &str| register_int_counter_vec_with_registry!(name, help, labels, registry);
        Ok(Self {
            quotes: family("firmquote_pool_quotes_total", "Quotes returned, by pool.")?,
            signatures: family(
                "firmquote_pool_signatures_total",
                "Signatures returned, including repeated ones, by pool.",
            )?,
        })
    }

    /// Returns the counters of `pool`, which continue from their previous values if it was served before.
    pub(crate) fn counters(&self, pool: PoolId) -> PoolCounters {
        let labels = [&pool.chain_id.to_string(), &pool.address.to_string()];
        PoolCounters {
            quotes: self.quotes.with_label_values(&labels),
            signatures: self.signatures.with_label_values(&labels),
        }
    }
}

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
        let gauge = |name: &str, help: &str| register_int_gauge_with_registry!(name, help, registry);
        Ok(Self {
            streams: gauge("firmquote_level_streams", "Open streams of price levels and of events of clients.")?,
            books: gauge("firmquote_level_books", "Books of price levels with at least one stream.")?,
            published: register_int_counter_with_registry!(
                "firmquote_level_publications_total",
                "Published, renewed and withdrawn books of price levels.",
                registry
            )?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoints::ENDPOINTS;

    #[test]
    fn responses_are_counted_by_route_and_outcome() {
        let metrics = Metrics::new("1.2.3").unwrap();
        metrics.prepare(ENDPOINTS.iter().copied());
        let quote = ENDPOINTS.iter().copied().find(|endpoint| endpoint.path == "/rfq/quote").unwrap();
        metrics.observe(quote, None, Duration::from_micros(70));
        metrics.observe(quote, Some((ErrorType::QuoteProblem, Reason::Price)), Duration::from_millis(2));
        metrics.count_quote();
        let text = metrics.render().unwrap();
        for line in [
            "firmquote_http_requests_total{outcome=\"ok\",route=\"/rfq/quote\"} 1",
            "firmquote_http_requests_total{outcome=\"QuoteProblem\",route=\"/rfq/quote\"} 1",
            "firmquote_http_requests_total{outcome=\"ok\",route=\"/rfq/sign\"} 0",
            "firmquote_http_request_duration_seconds_count{route=\"/rfq/quote\"} 2",
            "firmquote_http_request_duration_seconds_bucket{route=\"/rfq/quote\",le=\"0.0001\"} 1",
            "firmquote_rejections_total{reason=\"price\"} 1",
            "firmquote_rejections_total{reason=\"internal\"} 0",
            "firmquote_quotes_total 1",
            "firmquote_signatures_total 0",
            "firmquote_build_info{version=\"1.2.3\"} 1",
        ] {
            assert!(text.lines().any(|written| written == line), "{line}\n{text}");
        }
    }
}
