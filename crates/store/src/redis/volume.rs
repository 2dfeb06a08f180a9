//! Volume totals of the last minute, in Redis: one script on the node of the pool, which adds one round trip to a
//! signature.
//!
//! Seconds are those of the calling replica, as everywhere; expiry is by the clock of Redis. The script never waits for
//! Redis replicas: if a restart or a failover may have lost trades, nothing is counted until those have left the
//! minute.

use firmquote_domain::{Timestamp, Usd};

use super::{RedisStore, reply::ScriptReply, scripts::ScriptCall};
use crate::{
    StoreError, VolumeCharge, VolumeOutcome, VolumeRefusal,
    volume::{LimitScope, VolumeWindow, WINDOW_SECONDS},
};

impl RedisStore {
    /// Adds the trade to all totals that have a limit, or to none.
    pub(super) async fn add_to_totals(
        &self,
        charge: &VolumeCharge,
        now: Timestamp,
    ) -> Result<VolumeOutcome, StoreError> {
        match self.charge_call(charge, now) {
            None => Ok(VolumeOutcome::Within),
            Some(call) => self.charge_outcome(charge, &self.read(&self.scripts.charge_volume, &call).await?, now),
        }
    }

    /// Keys and arguments of a charge; `None` without limits.
    pub(super) fn charge_call(&self, charge: &VolumeCharge, now: Timestamp) -> Option<ScriptCall> {
        let numbers = [u64::from(now.seconds().get()), u64::from(WINDOW_SECONDS), charge.value.steps()];
        let mut call = ScriptCall {
            keys: vec![self.prefix.volume_generation(charge.pool)],
            arguments: numbers.iter().map(|number| number.to_string().into_bytes()).collect(),
        };
        call.arguments.push(self.totals.as_argument(charge.pool));
        for (scope, limit) in charge.limits() {
            call.keys.push(self.prefix.volume_total(&scope));
            call.arguments.push(limit.steps().to_string().into_bytes());
        }
        (call.keys.len() > 1).then_some(call)
    }

    /// The outcome of a charge, from the reply of its script.
    pub(super) fn charge_outcome(
        &self,
        charge: &VolumeCharge,
        reply: &ScriptReply,
        now: Timestamp,
    ) -> Result<VolumeOutcome, StoreError> {
        self.totals.store(charge.pool, reply.generation(reply.status())?);
        let (counted, now) = (reply.inner(0), now.seconds().get());
        match counted.status() {
            b"counted" => Ok(VolumeOutcome::Within),
            b"wait" => {
                let complete_from: u32 = counted.number(0)?;
                let retry_after_seconds = complete_from.saturating_sub(now).clamp(1, WINDOW_SECONDS + 1);
                Ok(VolumeOutcome::Refused(VolumeRefusal::VolumeUnknown { retry_after_seconds }))
            }
            b"refused" => {
                let limits: Vec<_> = charge.limits().collect();
                let keys = limits.iter().map(|(scope, _)| self.prefix.volume_total(scope)).collect();
                refusal(charge, limits, keys, counted.values(), now)
            }
            _ => Err(counted.unexpected()),
        }
    }
}

/// Builds the refusal from the stored totals.
fn refusal(
    charge: &VolumeCharge,
    limits: Vec<(LimitScope, Usd)>,
    keys: Vec<String>,
    totals: &[Vec<u8>],
    now: u32,
) -> Result<VolumeOutcome, StoreError> {
    let mut excesses: Vec<(LimitScope, _)> = Vec::new();
    for (((scope, limit), key), total) in limits.into_iter().zip(keys).zip(totals) {
        let window = decode_window(total).ok_or(StoreError::Unreadable { key })?;
        excesses.extend(window.excess(charge.value, limit, now).map(|excess| (scope, excess)));
    }
    VolumeRefusal::from_excesses(excesses)
        .map(VolumeOutcome::Refused)
        .ok_or_else(|| StoreError::Unavailable("Redis refused a trade within its limits".into()))
}

/// Decodes a stored total; `None` if it has another format. [`VolumeWindow`] relies on every line having a later second
/// than the line before.
pub(super) fn decode_window(lines: &[u8]) -> Option<VolumeWindow> {
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
    fn a_total_requires_lines_in_ascending_seconds() {
        let window = VolumeWindow::from_iter([(1_763_700_000, 5), (1_763_700_007, u64::MAX)]);
        assert_eq!(decode_window(b"1763700000 5\n1763700007 18446744073709551615\n"), Some(window));
        assert_eq!(decode_window(b""), Some(VolumeWindow::default()));
        for lines in [
            "1763700007 5\n1763700000 5\n",
            "1763700000 5\n1763700000 5\n",
            "1763700000 5",
            "1763700000  5\n",
            "1763700000 18446744073709551616\n",
            "4294967296 5\n",
            "\n",
        ] {
            assert_eq!(decode_window(lines.as_bytes()), None, "{lines:?}");
        }
    }
}
