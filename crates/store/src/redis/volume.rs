//! Volume totals of the last minute, in Redis: one script on the node of the pool, which adds one round trip to a
//! signature.
//!
//! Seconds are those of the calling replica, as everywhere; expiry is by the clock of Redis. The script never waits for
//! Redis replicas: if a restart or a failover may have lost trades, nothing is counted until those have left the
//! minute.

use firmquote_domain::{Timestamp, Usd};

use super::{RedisStore, connection::Connection, generation::Generation};
use crate::{
    StoreError, VolumeCharge, VolumeOutcome,
    volume::{LimitScope, VolumeWindow, WINDOW_SECONDS},
};

impl RedisStore {
    /// Adds the trade to all totals that have a limit, or to none.
    pub(super) async fn add_to_totals(
        &self,
        charge: &VolumeCharge,
        now: Timestamp,
    ) -> Result<VolumeOutcome, StoreError> {
        let limits: Vec<_> = charge.limits().collect();
        if limits.is_empty() {
            return Ok(VolumeOutcome::Within);
        }
        let now = now.seconds().get();
        let keys: Vec<String> = limits.iter().map(|(side, _)| self.prefix.minute(side)).collect();
        let generation_key = self.prefix.minute_generation(charge.pool);
        let numbers =
            [u64::from(now), u64::from(WINDOW_SECONDS), charge.value.steps()].map(|number| number.to_string());
        let counted_by = self.totals.last(charge.pool);
        let mosts: Vec<String> = limits.iter().map(|(_, most)| most.steps().to_string()).collect();
        let mut arguments: Vec<&[u8]> = numbers.iter().map(String::as_bytes).collect();
        arguments.push(counted_by.as_ref().map_or(&[], |generation| generation.as_bytes()));
        arguments.extend(mosts.iter().map(String::as_bytes));
        let names: Vec<&str> = [&generation_key].into_iter().chain(&keys).map(String::as_str).collect();
        let call =
            async |mut connection: Connection| connection.call(&self.scripts.charge_volume, &names, &arguments).await;
        let mut response = self.query::<Vec<Vec<u8>>, _>(call).await?.into_iter();
        let (generation, word) = (response.next().unwrap_or_default(), response.next().unwrap_or_default());
        let generation = Generation::try_from(generation.as_slice()).map_err(|_| unexpected(&generation))?;
        if counted_by != Some(generation) {
            self.totals.store(charge.pool, generation);
        }
        match word.as_slice() {
            b"counted" => Ok(VolumeOutcome::Within),
            b"wait" => {
                let whole_from = response.next().unwrap_or_default();
                let whole_from = str::from_utf8(&whole_from).ok().and_then(|second| second.parse::<u32>().ok());
                let wait = whole_from.map(|second| second.saturating_sub(now).clamp(1, WINDOW_SECONDS + 1));
                Ok(VolumeOutcome::TotalsUnknown { retry_after_seconds: wait.ok_or_else(|| unexpected(&word))? })
            }
            b"refused" => refused(charge, limits, keys, response, now),
            _ => Err(unexpected(&word)),
        }
    }
}

/// Builds the refusal from the stored totals.
fn refused(
    charge: &VolumeCharge,
    limits: Vec<(LimitScope, Usd)>,
    keys: Vec<String>,
    totals: impl Iterator<Item = Vec<u8>>,
    now: u32,
) -> Result<VolumeOutcome, StoreError> {
    let mut excesses: Vec<(LimitScope, _)> = Vec::new();
    for (((side, most), key), total) in limits.into_iter().zip(keys).zip(totals) {
        let minute = decoded(&total).ok_or(StoreError::Unreadable { key })?;
        excesses.extend(minute.excess(charge.value, most, now).map(|excess| (side, excess)));
    }
    VolumeOutcome::refused(excesses)
        .ok_or_else(|| StoreError::Unavailable("Redis refused a trade within its limits".into()))
}

fn unexpected(response: &[u8]) -> StoreError {
    StoreError::Unavailable(format!("Redis answered {:?} to a trade", String::from_utf8_lossy(response)).into())
}

/// Decodes a stored total; `None` if it has another format. [`VolumeWindow`] relies on every line having a later second than
/// the line before.
pub(super) fn decoded(lines: &[u8]) -> Option<VolumeWindow> {
    let lines = str::from_utf8(lines).ok()?;
    let counter = |line: &str| {
        let (second, steps) = line.strip_suffix('\n')?.split_once(' ')?;
        Some((second.parse().ok()?, steps.parse().ok()?))
    };
    let counters: Vec<(u32, u64)> = lines.split_inclusive('\n').map(counter).collect::<Option<_>>()?;
    counters.is_sorted_by(|(earlier, _), (later, _)| earlier < later).then(|| counters.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_read_from_lines_of_ever_later_seconds_alone() {
        let minute = VolumeWindow::from_iter([(1_763_700_000, 5), (1_763_700_007, u64::MAX)]);
        assert_eq!(decoded(b"1763700000 5\n1763700007 18446744073709551615\n"), Some(minute));
        assert_eq!(decoded(b""), Some(VolumeWindow::default()));
        for lines in [
            "1763700007 5\n1763700000 5\n",
            "1763700000 5\n1763700000 5\n",
            "1763700000 5",
            "1763700000  5\n",
            "1763700000 18446744073709551616\n",
            "4294967296 5\n",
            "\n",
        ] {
            assert_eq!(decoded(lines.as_bytes()), None, "{lines:?}");
        }
    }
}
