//! The output of the harness: medians of the rounds, and the ratios that are the performance targets of the service.

use std::collections::BTreeMap;

use crate::measure::{Operation, Sample, Target};

/// All samples by operation, connections and target, in the order of the rounds.
pub(crate) type Samples = BTreeMap<(Operation, u16, Target), Vec<Sample>>;

/// Formats the two tables in Markdown.
pub(crate) fn tables(samples: &Samples) -> String {
    let mut text = String::from(
        "| operation | connections | answered by | per second | p50 us | p99 us | p99.9 us | CPU us | Redis CPU us | MB |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for ((operation, connections, target), rounds) in samples {
        let of = |figure: fn(&Sample) -> f64| median(rounds.iter().map(figure));
        text.push_str(&format!(
            "| {operation:?} | {connections} | {target:?} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} |\n",
            of(|sample| sample.wrk.per_second()),
            of(|sample| sample.wrk.p50_us),
            of(|sample| sample.wrk.p99_us),
            of(|sample| sample.wrk.p999_us),
            of(|sample| sample.cpu_us),
            of(|sample| sample.redis_cpu_us),
            of(|sample| sample.resident_mb),
        ));
    }
    text.push_str(
        "\n| operation | connections | ratio | throughput | p99 | CPU |\n\
         |---|---|---|---|---|---|\n",
    );
    for ((operation, connections, target), rounds) in samples {
        let (name, base) = match target {
            Target::Bare => continue,
            Target::Memory => ("memory / bare", Target::Bare),
            Target::Redis => ("Redis / memory", Target::Memory),
        };
        let Some(base) = samples.get(&(*operation, *connections, base)) else { continue };
        let ratio = |figure: fn(&Sample) -> f64| {
            median(rounds.iter().zip(base).map(|(sample, base)| figure(sample) / figure(base)))
        };
        text.push_str(&format!(
            "| {operation:?} | {connections} | {name} | {:.2} | {:.2} | {:.2} |\n",
            ratio(|sample| sample.wrk.per_second()),
            ratio(|sample| sample.wrk.p99_us),
            ratio(|sample| sample.cpu_us),
        ));
    }
    text
}

/// Returns the median; the upper one for an even count.
fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
