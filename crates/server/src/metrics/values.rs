//! Values of metrics: floats, as the text format requires, and ages in seconds.

use std::time::Duration;

use firmquote_domain::Timestamp;
use prometheus::GaugeVec;

/// Returns the float nearest to a decimal.
pub(super) fn float(decimal: impl ToString) -> f64 {
    decimal.to_string().parse().unwrap_or(f64::NAN)
}

/// Sets the series of these labels.
pub(super) fn set(gauge: &GaugeVec, labels: &[&str], value: f64) {
    gauge.get_metric_with_label_values(labels).into_iter().for_each(|gauge| gauge.set(value));
}

/// Sets the age in seconds of a value of `time`; leaves it unset without a time, and sets zero for a future time.
pub(super) fn set_age(gauge: &GaugeVec, labels: &[&str], time: Option<Timestamp>, now: Timestamp) {
    if let Some(time) = time {
        let age = Duration::from_micros(now.micros_since(time));
        set(gauge, labels, age.as_secs_f64());
    }
}
