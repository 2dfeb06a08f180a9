//! Firm levels in memory, with their usage by clients.

use std::collections::BTreeSet;

use alloy_primitives::map::HashMap;
use firmquote_domain::{Amount, FirmLevels, LevelsId, PoolId, QuoteId, Timestamp, U256};

use crate::{LevelBudget, LevelsLookup, Reservation, ReservationOutcome};

/// The firm levels of all pools.
#[derive(Debug, Default)]
pub(super) struct FirmLevelTable {
    /// Each with the time at which it was stored first.
    levels: HashMap<(PoolId, LevelsId), (FirmLevels, Timestamp)>,
    expiry: BTreeSet<(Timestamp, PoolId, LevelsId)>,
    used: HashMap<LevelBudget, Reservations>,
}

/// The reservations in one budget.
#[derive(Debug, Default)]
struct Reservations {
    inputs: HashMap<QuoteId, (Amount, Timestamp)>,
    expiry: BTreeSet<(Timestamp, QuoteId)>,
    /// The sum of the inputs, which the limits keep below 2^256.
    total: U256,
}

impl FirmLevelTable {
    pub(super) fn store_levels(&mut self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> bool {
        while let Some(expired) = self.expiry.first().copied().filter(|(until, ..)| *until <= now) {
            self.expiry.remove(&expired);
            let (_, pool, id) = expired;
            self.levels.remove(&(pool, id));
        }
        let key = (levels.pool, levels.id);
        let stored_at = match self.levels.get(&key) {
            Some((known, stored_at)) => {
                self.expiry.remove(&(known.valid_until, levels.pool, levels.id));
                *stored_at
            }
            None if renewal => return false,
            None => now,
        };
        self.expiry.insert((levels.valid_until, levels.pool, levels.id));
        self.levels.insert(key, (levels.clone(), stored_at));
        true
    }

    pub(super) fn find(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> LevelsLookup {
        // Not after a step of the clock back either: it would extend the promise.
        match self.levels.get(&(pool, id)).filter(|(levels, stored_at)| (*stored_at..levels.valid_until).contains(&now))
        {
            Some((levels, _)) => LevelsLookup::Live(Box::new(levels.clone())),
            None => LevelsLookup::Expired,
        }
    }

    pub(super) fn reserve(&mut self, reservation: &Reservation<'_>, now: Timestamp) -> ReservationOutcome {
        let Reservation { budget, levels_id, limit, quote_id, input, until } = *reservation;
        if !self.levels.contains_key(&(budget.pool, levels_id)) {
            return ReservationOutcome::Lost;
        }
        let reserved = self.used.entry(budget.clone()).or_default();
        reserved.expire(now);
        let own = reserved.inputs.get(&quote_id).map_or(U256::ZERO, |(input, _)| input.base_units());
        let used = reserved.total - own;
        match used.checked_add(input.base_units()) {
            Some(total) if total <= limit.base_units() => {
                reserved.remove(quote_id);
                reserved.insert(quote_id, input, until);
                ReservationOutcome::Reserved { used }
            }
            _ => ReservationOutcome::LimitExceeded { used },
        }
    }

    /// Whether the input of a quote is reserved in `budget`.
    pub(super) fn is_reserved(&mut self, budget: &LevelBudget, id: QuoteId, now: Timestamp) -> bool {
        let Some(reserved) = self.used.get_mut(budget) else { return false };
        reserved.expire(now);
        reserved.inputs.contains_key(&id)
    }

    pub(super) fn set_until(&mut self, budget: &LevelBudget, id: QuoteId, until: Timestamp, now: Timestamp) -> bool {
        let Some(reserved) = self.used.get_mut(budget) else { return false };
        reserved.expire(now);
        let removed = reserved.remove(id);
        if let Some(input) = removed.filter(|_| now < until) {
            reserved.insert(id, input, until);
        }
        if reserved.inputs.is_empty() {
            self.used.remove(budget);
        }
        removed.is_some()
    }
}

impl Reservations {
    fn insert(&mut self, id: QuoteId, input: Amount, until: Timestamp) {
        self.inputs.insert(id, (input, until));
        self.expiry.insert((until, id));
        self.total += input.base_units();
    }

    fn remove(&mut self, id: QuoteId) -> Option<Amount> {
        let (input, until) = self.inputs.remove(&id)?;
        self.expiry.remove(&(until, id));
        self.total -= input.base_units();
        Some(input)
    }

    fn expire(&mut self, now: Timestamp) {
        while let Some((_, id)) = self.expiry.first().copied().filter(|(until, _)| *until <= now) {
            self.remove(id);
        }
    }
}
