//! Notices changes of the service: other configurations, paused pools.

use std::{collections::BTreeSet, sync::Arc};

use firmquote_desk::Desk;
use firmquote_domain::{PoolId, Timestamp};
use firmquote_tape::{Change, ChangeRow};

/// What was in effect at the last look.
pub(super) struct ServiceChanges {
    desk: Arc<Desk>,
    paused: BTreeSet<PoolId>,
}

impl ServiceChanges {
    pub(super) const fn new(desk: Arc<Desk>) -> Self {
        Self { desk, paused: BTreeSet::new() }
    }

    /// Returns the changes since the last look.
    pub(super) fn since_last_look(&mut self, desk: &Arc<Desk>, now: Timestamp) -> Vec<ChangeRow> {
        let row = |change, pool| ChangeRow { time: now, change, pool };
        let mut rows = Vec::new();
        if !Arc::ptr_eq(&self.desk, desk) {
            self.desk = Arc::clone(desk);
            rows.push(row(Change::Reload, None));
        }
        let pools = desk.pools.iter().map(|pool| pool.id());
        let is_paused = |pool| desk.pauses.is_paused(pool, now).unwrap_or_else(|| self.paused.contains(&pool));
        let paused: BTreeSet<PoolId> = pools.filter(|pool| is_paused(*pool)).collect();
        rows.extend(paused.difference(&self.paused).map(|pool| row(Change::Pause, Some(*pool))));
        rows.extend(self.paused.difference(&paused).map(|pool| row(Change::Resume, Some(*pool))));
        self.paused = paused;
        rows
    }
}
