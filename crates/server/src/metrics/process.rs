//! Metrics of the process, named as by the official Prometheus clients and read from `/proc` at each scrape; and the
//! expiry of its certificate.

use std::fs;

use firmquote_http::TlsIdentity;
use prometheus::{
    Counter, Gauge, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};
use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use super::families::float;

/// Collector of the metrics of this process. Exports nothing if `/proc` cannot be read.
pub(crate) struct ProcessMetrics(Vec<Desc>);

/// The exported metrics, created anew for each scrape.
struct Families {
    cpu: Counter,
    gauges: [Gauge; 6],
}

/// Values of `/proc/self/stat`, in its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    cpu_ticks: u64,
    threads: u64,
    start_ticks: u64,
    virtual_bytes: u64,
    resident_pages: u64,
}

impl ProcessMetrics {
    /// Creates the collector.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new() -> prometheus::Result<Self> {
        Ok(Self(Families::new()?.all().into_iter().flat_map(Collector::desc).cloned().collect()))
    }
}

impl Families {
    fn new() -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| Gauge::with_opts(Opts::new(name, help));
        Ok(Self {
            cpu: Counter::new("process_cpu_seconds_total", "CPU time, user and system, in seconds.")?,
            gauges: [
                gauge("process_resident_memory_bytes", "Resident memory in bytes.")?,
                gauge("process_virtual_memory_bytes", "Virtual memory in bytes.")?,
                gauge("process_open_fds", "Open file descriptors.")?,
                gauge("process_max_fds", "Maximum number of open file descriptors.")?,
                gauge("process_threads", "Threads.")?,
                gauge("process_start_time_seconds", "Start time of the process, in Unix seconds.")?,
            ],
        })
    }

    fn all(&self) -> Vec<&dyn Collector> {
        let gauges = self.gauges.iter().map(|gauge| gauge as &dyn Collector);
        std::iter::once(&self.cpu as &dyn Collector).chain(gauges).collect()
    }
}

impl Collector for ProcessMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.0.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let read = |path: &str| fs::read_to_string(path).ok();
        let stat = read("/proc/self/stat").and_then(|text| Stat::parse(&text));
        let boot_time = read("/proc/stat").and_then(|text| boot_time(&text));
        // Reading the directory opens one descriptor itself.
        let open = fs::read_dir("/proc/self/fd").ok().map(|files| files.count().saturating_sub(1));
        let (Some(stat), Some(boot_time), Some(open), Ok(families)) = (stat, boot_time, open, Families::new()) else {
            return Vec::new();
        };
        let ticks_per_second = float(clock_ticks_per_second());
        families.cpu.inc_by(float(stat.cpu_ticks) / ticks_per_second);
        let most = getrlimit(Resource::Nofile).current.map_or(f64::INFINITY, float);
        let values = [
            float(stat.resident_pages.saturating_mul(u64::try_from(page_size()).unwrap_or(u64::MAX))),
            float(stat.virtual_bytes),
            float(u64::try_from(open).unwrap_or(u64::MAX)),
            most,
            float(stat.threads),
            float(boot_time) + float(stat.start_ticks) / ticks_per_second,
        ];
        families.gauges.iter().zip(values).for_each(|(gauge, value)| gauge.set(value));
        families.all().into_iter().flat_map(Collector::collect).collect()
    }
}

impl Stat {
    /// Parses the fields after the program name (proc(5)): the name may contain anything and ends at the last `)`.
    fn parse(text: &str) -> Option<Self> {
        let (_, behind) = text.rsplit_once(')')?;
        let fields: Vec<&str> = behind.split_ascii_whitespace().collect();
        // The first of these fields is field 3 of the line.
        let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        Some(Self {
            cpu_ticks: field(14)?.saturating_add(field(15)?),
            threads: field(20)?,
            start_ticks: field(22)?,
            virtual_bytes: field(23)?,
            resident_pages: field(24)?,
        })
    }
}

/// Returns the boot time in Unix seconds: the `btime` line of `/proc/stat`.
fn boot_time(text: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix("btime ")).and_then(|seconds| seconds.trim().parse().ok())
}

/// Collector of the expiry of the current certificate.
pub(crate) struct CertificateMetrics {
    identity: TlsIdentity,
    expiry: Gauge,
}

impl CertificateMetrics {
    /// Creates the collector of `identity`.
    ///
    /// # Errors
    /// When the metric cannot be created; a bug in this file.
    pub(crate) fn new(identity: TlsIdentity) -> prometheus::Result<Self> {
        let name = "firmquote_tls_certificate_expiry_timestamp_seconds";
        let help = "Expiry of the TLS certificate presented to clients, in Unix seconds.";
        Ok(Self { identity, expiry: Gauge::with_opts(Opts::new(name, help))? })
    }
}

impl Collector for CertificateMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.expiry.desc()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let Some(expires_at) = self.identity.expires_at() else { return Vec::new() };
        self.expiry.set(float(expires_at));
        self.expiry.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_names_do_not_affect_parsing() {
        let line =
            "42 (a ) b) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 7 0 123456 8192000 512 18446744073709551615";
        let expected =
            Stat { cpu_ticks: 300, threads: 7, start_ticks: 123_456, virtual_bytes: 8_192_000, resident_pages: 512 };
        assert_eq!(Stat::parse(line), Some(expected));
        assert_eq!(Stat::parse("42 (a) S 1"), None);
        assert_eq!(boot_time("cpu 1 2 3\nbtime 1700000000\n"), Some(1_700_000_000));
    }

    #[test]
    fn all_metrics_are_available_for_this_process() {
        let gathered = ProcessMetrics::new().unwrap().collect();
        assert_eq!(gathered.len(), 7);
    }
}
