//! The limits of one pool's signatures.

use firmquote_domain::{Quote, Terms, Usd};
use firmquote_pricing::worth;

use super::{AccountRule, Limit, TradeLimits};
use crate::DeskError;

/// What one pool may sign; the default sets no limit.
///
/// Values are those at the quote's own prices, rounded up, of whichever side is worth more. Totals are of the last 60
/// seconds, over all replicas that share a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SigningPolicy {
    /// The largest single trade. Larger ones are not quoted either, as are those that no total has room for.
    pub max_trade: Limit,
    /// The largest total that is signed in a minute.
    pub max_per_minute: Limit,
    /// The largest total that is signed in a minute for one client.
    pub max_per_minute_of_client: Limit,
    /// The largest total that is signed in a minute for all clients without credentials together.
    pub max_per_minute_of_anonymous: Limit,
    /// The value of the pool that shares of it are taken of at most; that at the start when absent.
    pub max_pool_value: Option<Usd>,
    /// Who may receive the output.
    pub destinations: AccountRule,
    /// Whose tokens may be the input.
    pub senders: AccountRule,
}

impl SigningPolicy {
    /// Whether what needs no counting lets `quote` be signed for `terms` under `limits`; returns what the trade counts for.
    ///
    /// # Errors
    /// [`DeskError::DestinationDenied`] and [`DeskError::SenderDenied`] for an account that may not stand where it does,
    /// [`DeskError::AboveLimit`] for a trade above [`Self::max_trade`].
    pub(crate) fn check(&self, quote: &Quote, terms: &Terms, limits: &TradeLimits) -> Result<Usd, DeskError> {
        if !self.destinations.lets_pass(&terms.destination) {
            return Err(DeskError::DestinationDenied);
        }
        if !self.senders.lets_pass(&terms.sender) {
            return Err(DeskError::SenderDenied);
        }
        let value = value(quote);
        match limits.max_trade.filter(|most| value > *most) {
            Some(limit) => Err(DeskError::AboveLimit { value, limit }),
            None => Ok(value),
        }
    }
}

/// What a quote counts for.
fn value(quote: &Quote) -> Usd {
    let worth = [&quote.input, &quote.output].map(|leg| worth(leg.amount, leg.price, leg.decimals));
    worth.into_iter().max().unwrap_or_default()
}
