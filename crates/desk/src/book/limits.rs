//! The remaining room under the limits on outstanding swaps, and when it grows.

use firmquote_domain::{Address, Amount, Client, Quote, SwapState, Timestamp, U256, U512};

use crate::{DeskError, ServedPool};

/// Seconds from the end of its validity until a swap has lapsed at the latest, if blocks or the clock go on.
pub(crate) const LAPSE_SECONDS: u32 = 60;

/// Returns the refusal of a quote that would leave the bounds of guaranteed swaps.
pub(super) fn guarantee_limit_error(pool: &ServedPool, quote: &Quote, now: Timestamp) -> DeskError {
    let retry = first_lapse(pool, quote.output.token, None, now);
    let limit = "swaps that are guaranteed to others leave no room for this one";
    DeskError::OutstandingLimit { limit, room: None, retry_after_seconds: retry }
}

/// Returns the remaining room of a limit; `None` for nothing.
pub(super) fn room(limit: Option<U256>, outflow: U512) -> Option<Amount> {
    let outflow = U256::checked_from_limbs_slice(outflow.as_limbs())?;
    limit?.checked_sub(outflow).and_then(Amount::new)
}

/// Seconds until the first swap lapses that takes out `output`, of `client` or of all clients; `None` if there is none.
pub(super) fn first_lapse(pool: &ServedPool, output: Address, client: Option<&Client>, now: Timestamp) -> Option<u32> {
    let outstanding = pool.book().swaps_where(|state| state == SwapState::Outstanding);
    let counted = outstanding
        .into_iter()
        .map(|booked| booked.swap)
        .filter(|swap| swap.offer.output_token == output && client.is_none_or(|client| swap.client == *client));
    let first = counted.map(|swap| swap.offer.good_until.expires_at().get()).min()?;
    Some(first.saturating_add(LAPSE_SECONDS).saturating_sub(now.seconds().get()).max(1))
}
