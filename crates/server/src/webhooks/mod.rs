//! Webhooks: posts the operator's events to the configured endpoints, at least once and in order.
//!
//! One replica of a deployment dispatches, under a lease in the store; only its holder moves the positions of endpoints. A
//! request that fails is repeated, and what follows it waits.

mod endpoint;
mod request;

use std::{
    collections::BTreeMap,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    sync::Arc,
    time::Duration,
};

use firmquote_config::WebhookConfig;
use firmquote_desk::EventCursor;
use firmquote_domain::Timestamp;
use firmquote_http::LiveService;
use firmquote_store::{Store, StoreError};
use futures_util::future::join_all;
use parking_lot::Mutex;
use prometheus::{
    GaugeVec, IntCounterVec, Registry, register_gauge_vec_with_registry, register_int_counter_vec_with_registry,
};
use tokio::time::sleep;

use self::endpoint::{DELIVERED, DispatchContext, FAILED, WebhookEndpoint};
use crate::{Error, error::Context as _, supervise::Outage};

/// The interval between two looks for events.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The endpoints of the active configuration, and their dispatcher in this replica.
pub(crate) struct Webhooks {
    live: Arc<LiveService>,
    store: Arc<dyn Store>,
    /// Identifies this dispatcher among those of all replicas.
    dispatcher: String,
    endpoints: Mutex<Vec<Arc<WebhookEndpoint>>>,
    metrics: WebhookMetrics,
    outage: Outage<()>,
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
        let webhooks = Self { live, store, dispatcher, endpoints: Mutex::default(), metrics, outage: Outage::new() };
        webhooks.replace(endpoints);
        Ok(webhooks)
    }

    /// Dispatches to these endpoints from now on.
    pub(crate) fn replace(&self, endpoints: Vec<Arc<WebhookEndpoint>>) {
        self.metrics.lag_seconds.reset();
        for endpoint in &endpoints {
            self.metrics.lag_seconds.with_label_values(&[endpoint.name()]).set(0.0);
            for outcome in [DELIVERED, FAILED] {
                self.metrics.deliveries.with_label_values(&[endpoint.name(), outcome]).inc_by(0);
            }
        }
        *self.endpoints.lock() = endpoints;
    }

    /// Dispatches until the task is dropped.
    pub(crate) async fn run(self: Arc<Self>) {
        loop {
            sleep(POLL_INTERVAL).await;
            let endpoints = self.endpoints.lock().clone();
            if endpoints.is_empty() {
                continue;
            }
            match self.store.lease_deliveries(&self.dispatcher).await {
                Ok(Some(positions)) => {
                    self.report(Ok(()));
                    self.dispatch(&endpoints, &positions).await;
                }
                Ok(None) => {
                    self.report(Ok(()));
                    for endpoint in &endpoints {
                        endpoint.forget().await;
                        self.metrics.lag_seconds.with_label_values(&[endpoint.name()]).set(0.0);
                    }
                }
                Err(error) => self.report(Err(error)),
            }
        }
    }

    async fn dispatch(&self, endpoints: &[Arc<WebhookEndpoint>], positions: &BTreeMap<String, EventCursor>) {
        let context = DispatchContext {
            live: &self.live,
            store: &*self.store,
            dispatcher: &self.dispatcher,
            deliveries: &self.metrics.deliveries,
        };
        let delivered = endpoints.iter().map(|endpoint| async move {
            self.report(endpoint.deliver(context, positions.get(endpoint.name())).await);
            let lag = endpoint.lag().await.as_secs_f64();
            self.metrics.lag_seconds.with_label_values(&[endpoint.name()]).set(lag);
        });
        join_all(delivered).await;
    }

    /// Logs the start and the end of an outage of the store.
    fn report(&self, result: Result<(), StoreError>) {
        self.outage.record(
            result,
            |error| tracing::warn!(%error, "webhooks wait for the store"),
            || tracing::info!("webhooks continue: the store responds again"),
        );
    }
}
