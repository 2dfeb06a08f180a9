//! What a process takes of the machine, as the kernel counts it.

use std::fs;

use anyhow::Context as _;

/// Processor time of a process, user and system, in seconds.
pub(crate) fn processor_seconds(pid: u32) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name, in parentheses, may hold anything; `utime` and `stime` are the 14th and 15th field (proc(5)).
    let (_, fields) = stat.rsplit_once(')').context("a line of /proc/pid/stat")?;
    let ticks: f64 = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>).sum::<Result<_, _>>()?;
    let ticks_per_second = u32::try_from(rustix::param::clock_ticks_per_second())?;
    Ok(ticks / f64::from(ticks_per_second))
}

/// Resident memory of a process in MB (10^6 bytes).
pub(crate) fn resident_mb(pid: u32) -> anyhow::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next());
    Ok(resident.context("a resident size")?.parse::<f64>()? * 1_024.0 / 1e6)
}
