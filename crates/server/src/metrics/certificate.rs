//! Expiry of the certificate that the server presents.

use firmquote_http::TlsIdentity;
use prometheus::GaugeVec;

use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float, set},
};

/// The expiry of the current certificate.
pub(crate) struct CertificateMetrics(pub(crate) TlsIdentity);

impl ScrapeMetrics for CertificateMetrics {
    type Families = GaugeVec;

    fn families(set: &mut FamilySet) -> prometheus::Result<GaugeVec> {
        set.gauge(
            "firmquote_tls_certificate_expiry_timestamp_seconds",
            "Expiry of the TLS certificate presented to clients, in Unix seconds.",
            &[],
        )
    }

    fn read(&self, expiry: &GaugeVec) {
        if let Some(expires_at) = self.0.expires_at() {
            set(expiry, &[], float(expires_at));
        }
    }
}
