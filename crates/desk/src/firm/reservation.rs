//! How long the input of a firm quote counts as used: an unsigned quote releases it at its `must_accept_by`, a lapsed
//! swap when it lapses, an executed one when all levels published before it have expired.

use firmquote_domain::{PoolId, Quote, QuoteId, SignedSwap, SwapOutcome, Timestamp, UnixSeconds, latest_lapse};
use firmquote_store::LevelBudget;

use super::FirmLevelsPolicy;
use crate::{Desk, DeskError, ServedPool};

/// The budget that a quote takes its input from.
pub(crate) fn budget_of(quote: &Quote) -> LevelBudget {
    let tokens = [quote.input.token, quote.output.token];
    LevelBudget { pool: quote.pool, tokens, client: quote.client.clone() }
}

/// The time until which the input of a swap that is valid until `expires_at` counts, if its outcome is unknown.
pub(crate) fn reserved_until(expires_at: UnixSeconds) -> Timestamp {
    Timestamp::from_seconds(latest_lapse(expires_at).get())
}

impl Desk {
    /// Returns the firm levels policy of a pool.
    pub(crate) fn firm_policy(&self, pool: PoolId) -> Option<FirmLevelsPolicy> {
        self.pool(pool)?.policy.firm_levels
    }

    /// Releases the input of a quote that was not returned. If that fails, it counts until the quote would have
    /// expired or lapsed.
    pub(super) async fn release_reservation(&self, budget: &LevelBudget, id: QuoteId, now: Timestamp) {
        self.firm_levels.count_failure(self.store.set_reserved_until(budget, id, now, now).await);
    }

    /// Updates the time until which the input of a signed swap counts, after it ended or was reopened.
    pub(crate) async fn update_reservation(
        &self,
        pool: &ServedPool,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let current = pool.policy.firm_levels.map_or(0, |policy| policy.micros());
        let max_promise_micros = self.firm_levels.max_promise_micros(current, now);
        if max_promise_micros == 0 {
            return Ok(());
        }
        let until = match outcome {
            Some(SwapOutcome::Settled(_)) => now.plus_micros(max_promise_micros),
            Some(SwapOutcome::Lapsed) => now,
            None => reserved_until(swap.offer.good_until.expires_at()),
        };
        let tokens = [swap.offer.input_token, swap.offer.output_token];
        let budget = LevelBudget { pool: swap.offer.pool, tokens, client: swap.client.clone() };
        // Swaps of other quotes are not reserved.
        let updated = self.store.set_reserved_until(&budget, swap.quote_id, until, now).await;
        updated.map(|_| ()).map_err(DeskError::from_store)
    }
}
