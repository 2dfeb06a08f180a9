//! Metrics of the process, named as by the official Prometheus clients and read from `/proc` at each scrape, and of its
//! certificate.

use std::fs;

use firmquote_http::TlsIdentity;
use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float, set_value},
};

/// Metrics of this process. Exports nothing if `/proc` cannot be read.
pub(crate) struct ProcessMetrics;

/// Values of `/proc/self/stat`, in its own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    cpu_ticks: u64,
    threads: u64,
    start_ticks: u64,
    virtual_bytes: u64,
    resident_pages: u64,
}

impl ScrapeMetrics for ProcessMetrics {
    fn collect(&self, set: &mut FamilySet) -> prometheus::Result<()> {
        let cpu = set.counter("process_cpu_seconds_total", "CPU time, user and system, in seconds.", &[])?;
        let mut gauge = |name, help| set.gauge(name, help, &[]);
        let resident = gauge("process_resident_memory_bytes", "Resident memory in bytes.")?;
        let size = gauge("process_virtual_memory_bytes", "Virtual memory in bytes.")?;
        let open_files = gauge("process_open_fds", "Open file descriptors.")?;
        let max_files = gauge("process_max_fds", "Maximum number of open file descriptors.")?;
        let threads = gauge("process_threads", "Threads.")?;
        let started = gauge("process_start_time_seconds", "Start time of the process, in Unix seconds.")?;
        let text = |path: &str| fs::read_to_string(path).ok();
        let stat = text("/proc/self/stat").and_then(|text| Stat::parse(&text));
        let boot_time = text("/proc/stat").and_then(|text| boot_time(&text));
        // Reading the directory opens one descriptor itself.
        let open = fs::read_dir("/proc/self/fd").ok().map(|files| files.count().saturating_sub(1));
        let (Some(stat), Some(boot_time), Some(open)) = (stat, boot_time, open) else { return Ok(()) };
        let ticks_per_second = float(clock_ticks_per_second());
        cpu.with_label_values::<&str>(&[]).inc_by(float(stat.cpu_ticks) / ticks_per_second);
        set_value(&resident, float(stat.resident_pages.saturating_mul(u64::try_from(page_size()).unwrap_or(u64::MAX))));
        set_value(&size, float(stat.virtual_bytes));
        set_value(&open_files, float(open));
        set_value(&max_files, getrlimit(Resource::Nofile).current.map_or(f64::INFINITY, float));
        set_value(&threads, float(stat.threads));
        set_value(&started, float(boot_time) + float(stat.start_ticks) / ticks_per_second);
        Ok(())
    }
}

/// The expiry of the certificate that the server presents.
pub(crate) struct CertificateMetrics(pub(crate) TlsIdentity);

impl ScrapeMetrics for CertificateMetrics {
    fn collect(&self, set: &mut FamilySet) -> prometheus::Result<()> {
        let expiry = set.gauge(
            "firmquote_tls_certificate_expiry_timestamp_seconds",
            "Expiry of the TLS certificate presented to clients, in Unix seconds.",
            &[],
        )?;
        self.0.expires_at().into_iter().for_each(|expires_at| set_value(&expiry, float(expires_at)));
        Ok(())
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

#[cfg(test)]
mod tests {
    use prometheus::Registry;

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
        let registry = Registry::new();
        ProcessMetrics.register(&registry).unwrap();
        assert_eq!(registry.gather().len(), 7);
    }
}
