//! Volume totals of the last minute, in Redis.
//!
//! Seconds are those of the calling replica, as everywhere; expiry is by the clock of Redis. The script never waits for
//! Redis replicas: if a restart or a failover may have lost trades, nothing is counted until those have left the
//! minute.

use firmquote_domain::Timestamp;

use super::{RedisStore, reply::ScriptReply, scripts::ScriptCall};
use crate::{
    LimitExceeded, StoreError, VolumeCharge, VolumeRefusal,
    volume::{LimitScope, VolumeWindow, WINDOW_SECONDS},
};

impl RedisStore {
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

    /// Why a trade is not counted, from the reply of the script.
    pub(super) fn volume_refusal(
        &self,
        charge: &VolumeCharge,
        reply: &ScriptReply,
        now: Timestamp,
    ) -> Result<VolumeRefusal, StoreError> {
        self.totals.store(charge.pool, reply.generation(reply.status())?);
        let (refused, now) = (reply.inner(0), now.seconds().get());
        match refused.status() {
            b"wait" => {
                let complete_from: u32 = refused.number(0)?;
                let retry_after_seconds = complete_from.saturating_sub(now).clamp(1, WINDOW_SECONDS + 1);
                Ok(VolumeRefusal::VolumeUnknown { retry_after_seconds })
            }
            b"refused" => {
                let mut excesses: Vec<(LimitScope, LimitExceeded)> = Vec::new();
                for ((scope, limit), total) in charge.limits().zip(refused.values()) {
                    let unreadable = || StoreError::Unreadable { key: self.prefix.volume_total(&scope) };
                    let window = decode_window(total).ok_or_else(unreadable)?;
                    excesses.extend(window.excess(charge.value, limit, now).map(|excess| (scope, excess)));
                }
                VolumeRefusal::from_excesses(excesses)
                    .ok_or_else(|| StoreError::Unavailable("Redis refused a trade within its limits".into()))
            }
            _ => Err(refused.unexpected()),
        }
    }
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
