//! What each pool quotes and signs. The counters of a pool are looked up when it begins to be served, not as it is.

use firmquote_domain::PoolId;
use prometheus::{IntCounter, IntCounterVec, Opts, Registry};

/// The families.
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
    /// Registers them in `registry`.
    ///
    /// # Errors
    /// When a metric of that name is there already; a mistake of this crate.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let labels = &["chain_id", "pool"];
        let family = |name: &str, help: &str| IntCounterVec::new(Opts::new(name, help), labels);
        let quotes = family("firmquote_pool_quotes_total", "Quotes that left the service, by pool.")?;
        let signatures =
            family("firmquote_pool_signatures_total", "Signatures that left the service, repetitions too, by pool.")?;
        registry.register(Box::new(quotes.clone()))?;
        registry.register(Box::new(signatures.clone()))?;
        Ok(Self { quotes, signatures })
    }

    /// The counters of `pool`, which go on where they were if it was served before.
    pub(crate) fn of(&self, pool: PoolId) -> PoolCounters {
        let labels = [&pool.chain_id.to_string(), &pool.address.to_string()];
        PoolCounters {
            quotes: self.quotes.with_label_values(&labels),
            signatures: self.signatures.with_label_values(&labels),
        }
    }
}
