//! Volume totals of the last minute, in memory.

use alloy_primitives::map::HashMap;
use firmquote_domain::Timestamp;

use crate::{
    VolumeCharge, VolumeRefusal,
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
    /// Checks that no total would exceed its limit with the trade.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn check(&mut self, charge: &VolumeCharge, now: Timestamp) -> Result<(), VolumeRefusal> {
        let now = now.seconds().get();
        self.sweep(now);
        let excesses = charge.limits().filter_map(|(scope, limit)| {
            let window = self.windows.entry(scope.clone()).or_default();
            window.reset_if_clock_set_back(now);
            Some((scope, window.excess(charge.value, limit, now)?))
        });
        VolumeRefusal::from_excesses(excesses).map_or(Ok(()), Err)
    }

    /// Adds the trade to all totals with a limit.
    pub(super) fn add(&mut self, charge: &VolumeCharge, now: Timestamp) {
        for (scope, _) in charge.limits() {
            self.windows.entry(scope).or_default().add(charge.value, now.seconds().get());
        }
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

    /// Adds the trade if it is within the limits.
    fn add(totals: &mut VolumeTotals, charge: &VolumeCharge, now: Timestamp) -> Result<(), VolumeRefusal> {
        totals.check(charge, now).inspect(|()| totals.add(charge, now))
    }

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
            assert_eq!(add(&mut totals, &charge(client), NOW.plus_seconds(client / 10)), Ok(()));
        }
        assert!(totals.windows.len() <= 10 * 3 * 61 + 1, "{}", totals.windows.len());
        add(&mut totals, &charge(0), NOW.plus_seconds(10_000)).unwrap();
        assert_eq!(totals.windows.len(), 2);
    }

    #[test]
    fn a_clock_set_back_an_hour_extends_a_total_by_a_minute() {
        let mut totals = VolumeTotals::default();
        let mut add_at = |seconds| add(&mut totals, &charge(1), NOW.plus_seconds(seconds));
        assert_eq!(add_at(3_600), Ok(()));
        assert!(matches!(add_at(0), Err(VolumeRefusal::ClientLimit(_))));
        assert!(matches!(add_at(60), Err(VolumeRefusal::ClientLimit(_))));
        assert_eq!(add_at(61), Ok(()));
    }
}
