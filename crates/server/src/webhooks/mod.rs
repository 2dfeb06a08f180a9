//! Webhooks: posts the operator's events to the configured endpoints, at least once and in order.
//!
//! One replica of a deployment dispatches, under a lease in the store; only its holder moves the positions of endpoints. A
//! request that fails is repeated, and what follows it waits.

mod endpoint;
mod request;

use std::{
    convert::Infallible,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    sync::Arc,
    time::Duration,
};

use firmquote_config::WebhookConfig;
use firmquote_domain::Timestamp;
use firmquote_http::LiveService;
use firmquote_store::Store;
use futures_util::future::join_all;
use parking_lot::Mutex;
use prometheus::{
    GaugeVec, IntCounterVec, Registry, register_gauge_vec_with_registry, register_int_counter_vec_with_registry,
};
use tokio::{sync::Notify, time::sleep};

use self::endpoint::{DELIVERED, DispatchContext, FAILED, Progress, WebhookEndpoint};
use crate::{Error, error::Context as _};

/// The interval between two looks for events.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The endpoints of the active configuration, and their dispatcher in this replica.
pub(crate) struct Webhooks {
    live: Arc<LiveService>,
    store: Arc<dyn Store>,
    /// Identifies this dispatcher among those of all replicas.
    dispatcher: String,
    endpoints: Mutex<Vec<Arc<WebhookEndpoint>>>,
    replaced: Notify,
    metrics: WebhookMetrics,
}

#[derive(Clone)]
struct WebhookMetrics {
    deliveries: IntCounterVec,
    lag_seconds: GaugeVec,
}

/// Opens the clients of the configured endpoints; connects to none.
///
/// # Errors
/// For a URL with TLS when the system has no trusted certificate authorities.
pub(crate) fn open(configs: &[WebhookConfig]) -> Result<Vec<Arc<WebhookEndpoint>>, Error> {
    let open = |config: &WebhookConfig| {
        let endpoint = WebhookEndpoint::new(config.clone());
        endpoint.map(Arc::new).with_context(|| format!("webhook {:?}", config.name))
    };
    configs.iter().map(open).collect()
}

/// Posts an event of the kind `test` to an endpoint, and returns the status of the response.
///
/// # Errors
/// When there is no response in time, or the connection is not allowed.
pub async fn test_webhook(config: &WebhookConfig, now: Timestamp) -> Result<u16, Error> {
    let context = || format!("webhook {:?}", config.name);
    let endpoint = WebhookEndpoint::new(config.clone()).with_context(context)?;
    endpoint.test(now).await.with_context(context)
}

impl Webhooks {
    /// Creates the dispatcher to these endpoints.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(
        endpoints: Vec<Arc<WebhookEndpoint>>,
        live: Arc<LiveService>,
        store: Arc<dyn Store>,
        registry: &Registry,
    ) -> prometheus::Result<Self> {
        let random = || RandomState::new().build_hasher().finish();
        let metrics = WebhookMetrics {
            deliveries: register_int_counter_vec_with_registry!(
                "firmquote_webhook_deliveries_total",
                "Requests to webhooks, by endpoint and outcome.",
                &["endpoint", "outcome"],
                registry
            )?,
            lag_seconds: register_gauge_vec_with_registry!(
                "firmquote_webhook_lag_seconds",
                "Time since an endpoint last had every event; 0 while it has, and on replicas that do not dispatch.",
                &["endpoint"],
                registry
            )?,
        };
        let dispatcher = format!("{:016x}{:016x}", random(), random());
        let webhooks = Self { live, store, dispatcher, endpoints: Mutex::default(), replaced: Notify::new(), metrics };
        webhooks.replace(endpoints);
        Ok(webhooks)
    }

    /// Dispatches to these endpoints from now on. What is on its way to endpoints that stay as they are continues.
    pub(crate) fn replace(&self, endpoints: Vec<Arc<WebhookEndpoint>>) {
        let mut current = self.endpoints.lock();
        let unchanged =
            |endpoint: &WebhookEndpoint| current.iter().find(|one| one.config() == endpoint.config()).cloned();
        let endpoints: Vec<_> =
            endpoints.into_iter().map(|endpoint| unchanged(&endpoint).unwrap_or(endpoint)).collect();
        self.metrics.lag_seconds.reset();
        for endpoint in &endpoints {
            self.metrics.lag_seconds.with_label_values(&[endpoint.name()]).set(0.0);
            for outcome in [DELIVERED, FAILED] {
                self.metrics.deliveries.with_label_values(&[endpoint.name(), outcome]).inc_by(0);
            }
        }
        *current = endpoints;
        self.replaced.notify_one();
    }

    /// Dispatches until the task is dropped.
    pub(crate) async fn run(self: Arc<Self>) {
        loop {
            let endpoints = self.endpoints.lock().clone();
            tokio::select! {
                _ = join_all(endpoints.iter().map(|endpoint| self.serve(endpoint))), if !endpoints.is_empty() => {}
                () = self.replaced.notified() => {}
            }
        }
    }

    /// Sends what an endpoint lacks, for as long as the future is polled.
    async fn serve(&self, endpoint: &Arc<WebhookEndpoint>) -> Infallible {
        let context = DispatchContext {
            live: &self.live,
            store: &*self.store,
            dispatcher: &self.dispatcher,
            deliveries: &self.metrics.deliveries,
        };
        loop {
            let progress = endpoint.advance(context).await;
            let lag = endpoint.lag().await.as_secs_f64();
            if self.endpoints.lock().iter().any(|current| Arc::ptr_eq(current, endpoint)) {
                self.metrics.lag_seconds.with_label_values(&[endpoint.name()]).set(lag);
            }
            if progress == Progress::Idle {
                sleep(POLL_INTERVAL).await;
            }
        }
    }
}
