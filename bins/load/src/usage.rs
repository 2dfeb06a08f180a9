//! CPU time and memory of a process, from procfs.

use std::fs;

use anyhow::Context as _;

/// Returns the user and system CPU time of a process in seconds.
pub(crate) fn processor_seconds(pid: u32) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name in parentheses may contain any character; `utime` and `stime` are fields 14 and 15 (proc(5)).
    let (_, fields) = stat.rsplit_once(')').context("/proc/pid/stat has no process name")?;
    let ticks: f64 = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>).sum::<Result<_, _>>()?;
    let ticks_per_second = u32::try_from(rustix::param::clock_ticks_per_second())?;
    Ok(ticks / f64::from(ticks_per_second))
}

/// Returns the resident memory of a process in MB (10^6 bytes).
pub(crate) fn resident_mb(pid: u32) -> anyhow::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
    Ok(resident.context("/proc/pid/status has no VmRSS")?.parse::<f64>()? * 1_024.0 / 1e6)
}
