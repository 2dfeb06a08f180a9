//! Volume totals of the last minute, in memory.

use std::collections::HashMap;

use firmquote_domain::Timestamp;

use crate::{
    VolumeCharge, VolumeOutcome, VolumeRefusal,
    volume::{LimitScope, VolumeWindow, WINDOW_SECONDS},
};

/// One [`VolumeWindow`] per scope with a limit: at most one per pool, and one per client of a pool.
#[derive(Debug, Default)]
pub(super) struct VolumeTotals {
    windows: HashMap<LimitScope, VolumeWindow>,
    /// The second of the last sweep.
    swept_at: u32,
}

impl VolumeTotals {
    /// Adds the trade to all totals with a limit, or to none.
    pub(super) fn charge_volume(&mut self, charge: &VolumeCharge, now: Timestamp) -> VolumeOutcome {
        let now = now.seconds().get();
        self.sweep(now);
        let excesses = charge.limits().filter_map(|(scope, limit)| {
            let window = self.windows.entry(scope.clone()).or_default();
            window.reset_if_clock_set_back(now);
            Some((scope, window.excess(charge.value, limit, now)?))
        });
        if let Some(refusal) = VolumeRefusal::from_excesses(excesses) {
            return VolumeOutcome::Refused(refusal);
        }
        for (scope, _) in charge.limits() {
            self.windows.entry(scope).or_default().add(charge.value, now);
        }
        VolumeOutcome::Within
    }

    /// Drops totals once per minute, a minute after their last counter stopped counting, so that nothing is lost if the
    /// clock is then set back slightly.
    fn sweep(&mut self, now: u32) {
        if now.abs_diff(self.swept_at) > WINDOW_SECONDS {
            self.windows.retain(|_, window| !window.is_over(now.saturating_sub(WINDOW_SECONDS)));
            self.swept_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Address, ChainId, Client, PoolId, Usd};

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn charge(client: u32) -> VolumeCharge {
        VolumeCharge {
            pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
            client: Client::Named(client.to_string().into()),
            value: Usd::new(10),
            pool_limit: Some(Usd::new(1_000_000)),
            client_limit: Some(Usd::new(10)),
        }
    }

    #[test]
    fn inactive_clients_are_forgotten() {
        let mut totals = VolumeTotals::default();
        for client in 0..1_000 {
            assert_eq!(totals.charge_volume(&charge(client), NOW.plus_seconds(client / 10)), VolumeOutcome::Within);
        }
        assert!(totals.windows.len() <= 10 * 3 * 61 + 1, "{}", totals.windows.len());
        totals.charge_volume(&charge(0), NOW.plus_seconds(10_000));
        assert_eq!(totals.windows.len(), 2);
    }

    #[test]
    fn a_clock_set_back_an_hour_extends_a_total_by_a_minute() {
        let mut totals = VolumeTotals::default();
        assert_eq!(totals.charge_volume(&charge(1), NOW.plus_seconds(3_600)), VolumeOutcome::Within);
        assert!(matches!(totals.charge_volume(&charge(1), NOW), VolumeOutcome::Refused(VolumeRefusal::ClientLimit(_))));
        assert!(matches!(
            totals.charge_volume(&charge(1), NOW.plus_seconds(60)),
            VolumeOutcome::Refused(VolumeRefusal::ClientLimit(_))
        ));
        assert_eq!(totals.charge_volume(&charge(1), NOW.plus_seconds(61)), VolumeOutcome::Within);
    }
}
