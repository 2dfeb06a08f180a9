//! Instrumented signers, each by the name of its `[[signer]]`.

use std::{sync::Arc, time::Instant};

use async_trait::async_trait;
use firmquote_config::Config;
use firmquote_domain::{Address, Signature};
use firmquote_http::SPAN_TARGET;
use firmquote_signer::{Signer, SignerError, TypedMessage};
use prometheus::Registry;
use tracing::{Instrument as _, field::Empty};

use super::{Families, Series};

/// The metrics of all signers.
pub(crate) struct InstrumentedSigners(Families);

/// A signer whose signatures are counted and timed.
struct InstrumentedSigner {
    signer: Arc<dyn Signer>,
    series: Series,
}

impl InstrumentedSigners {
    /// Registers the metrics of all signers in `registry`.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        Ok(Self(Families::new(
            registry,
            "signer",
            ["firmquote_signer_duration_seconds", "Duration of a signature."],
            ["firmquote_signer_failures_total", "Failed signature requests."],
        )?))
    }

    /// Returns the instrumented signer of each pool of `config`, in order; pools that share a signer share the
    /// instrumented one.
    pub(crate) fn instrument(&self, config: &Config) -> Vec<Arc<dyn Signer>> {
        let mut instrumented_signers: Vec<(&str, Arc<dyn Signer>)> = Vec::new();
        let instrumented = config.pools.iter().map(|pool| {
            let name = pool.signer.name.as_str();
            if let Some((_, instrumented)) = instrumented_signers.iter().find(|(other, _)| *other == name) {
                return Arc::clone(instrumented);
            }
            let instrumented: Arc<dyn Signer> =
                Arc::new(InstrumentedSigner { signer: Arc::clone(&pool.signer.signer), series: self.0.series(name) });
            instrumented_signers.push((name, Arc::clone(&instrumented)));
            instrumented
        });
        instrumented.collect()
    }
}

#[async_trait]
impl Signer for InstrumentedSigner {
    fn address(&self) -> Address {
        self.signer.address()
    }

    fn is_local(&self) -> bool {
        self.signer.is_local()
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        let span = tracing::info_span!(target: SPAN_TARGET, "sign", otel.status_code = Empty);
        let started = Instant::now();
        let signed = self.signer.sign(message).instrument(span.clone()).await;
        self.series.durations.observe(started.elapsed().as_secs_f64());
        if signed.is_err() {
            self.series.failures.inc();
            span.record("otel.status_code", "ERROR");
        }
        signed
    }

    async fn check(&self) -> Result<(), SignerError> {
        self.signer.check().await
    }
}
