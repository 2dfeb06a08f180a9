//! Instrumented ports: the duration and failures of each call, as metrics and as spans.
//!
//! The implementation of a port is not aware of it. Of a call, only its name, duration and success are recorded.

mod signer;
mod store;

use prometheus::{Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts, Registry};

pub(crate) use signer::InstrumentedSigners;
pub(crate) use store::StoreInstrumentation;

/// Upper bounds of the buckets in seconds: from a call in memory, which takes a microsecond, to a degraded network.
const BUCKETS: [f64; 13] =
    [0.000_005, 0.000_025, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0];

/// A histogram of durations and a counter of failures, by one label.
struct Families {
    durations: HistogramVec,
    failures: IntCounterVec,
}

/// The series of one value of the label.
#[derive(Clone)]
struct Series {
    durations: Histogram,
    failures: IntCounter,
}

impl Families {
    /// Registers both in `registry`, each given as its name and help text.
    fn new(registry: &Registry, label: &str, durations: [&str; 2], failures: [&str; 2]) -> prometheus::Result<Self> {
        let [name, help] = durations;
        let durations = HistogramVec::new(HistogramOpts::new(name, help).buckets(BUCKETS.to_vec()), &[label])?;
        let [name, help] = failures;
        let failures = IntCounterVec::new(Opts::new(name, help), &[label])?;
        registry.register(Box::new(durations.clone()))?;
        registry.register(Box::new(failures.clone()))?;
        Ok(Self { durations, failures })
    }

    fn series(&self, value: &str) -> Series {
        Series {
            durations: self.durations.with_label_values(&[value]),
            failures: self.failures.with_label_values(&[value]),
        }
    }
}
