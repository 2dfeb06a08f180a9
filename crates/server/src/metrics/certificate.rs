//! When the certificate that clients are shown runs out.

use firmquote_http::TlsIdentity;
use prometheus::{
    Gauge, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

/// Tells it of the certificate of the moment.
pub(crate) struct CertificateMetrics {
    identity: TlsIdentity,
    expiry: Gauge,
}

impl CertificateMetrics {
    /// The metric of `identity`.
    ///
    /// # Errors
    /// When the metric cannot be made; a mistake in this file.
    pub(crate) fn new(identity: TlsIdentity) -> prometheus::Result<Self> {
        let name = "firmquote_tls_certificate_expiry_timestamp_seconds";
        let help = "When the certificate that clients are shown runs out, in Unix time.";
        Ok(Self { identity, expiry: Gauge::with_opts(Opts::new(name, help))? })
    }
}

impl Collector for CertificateMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.expiry.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let Some(expires_at) = self.identity.expires_at() else { return Vec::new() };
        self.expiry.set(super::float(expires_at));
        self.expiry.collect()
    }
}
