//! The limits that a pool's policy sets at the pool's current value, and the check of a trade against them.

use std::sync::atomic::{AtomicU64, Ordering};

use firmquote_domain::{Amount, BasisPoints, Client, Quote, Terms, U256, Usd};
use firmquote_pricing::{PairAsset, value_rounded_down, value_rounded_up};

use super::{ClientTerms, outstanding::share_of, signing::SigningPolicy};
use crate::DeskError;

/// What one pool may sign for one client, at the pool's current value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TradeLimits {
    /// The largest single trade.
    pub(crate) max_trade: Option<Usd>,
    /// The largest total per minute, for all clients.
    pub(crate) max_per_minute: Option<Usd>,
    /// The largest total per minute, for this client.
    pub(crate) max_per_minute_of_client: Option<Usd>,
    /// The largest share of the reserve of an output token that one trade may take out.
    pub(crate) max_outflow: Option<BasisPoints>,
}

impl TradeLimits {
    /// Creates the limits of `policy` for `client`, who may have `terms` of its own. All clients without credentials count
    /// as one client.
    pub(crate) fn new(policy: &SigningPolicy, client: &Client, terms: Option<&ClientTerms>, pool_value: Usd) -> Self {
        let client_limit = policy.max_per_minute_of_client.resolve(pool_value);
        let max_per_minute_of_client = match client {
            Client::Named(_) => client_limit,
            Client::Anonymous => {
                let anonymous_limit = policy.max_per_minute_of_anonymous.resolve(pool_value);
                client_limit.into_iter().chain(anonymous_limit).min()
            }
        };
        let lower = |limit: Option<Usd>, of_client: Option<Usd>| limit.into_iter().chain(of_client).min();
        Self {
            max_trade: lower(policy.max_trade.resolve(pool_value), terms.and_then(|terms| terms.max_trade)),
            max_per_minute: policy.max_per_minute.resolve(pool_value),
            max_per_minute_of_client: lower(max_per_minute_of_client, terms.and_then(|terms| terms.max_per_minute)),
            max_outflow: policy.outstanding.of_client(terms).max_share_at_once(client),
        }
    }

    /// Removes the limits per minute, for a caller that prices a trade without requesting a signature.
    pub(crate) const fn without_volume_limits(self) -> Self {
        Self { max_per_minute: None, max_per_minute_of_client: None, ..self }
    }

    /// Returns the largest value of a trade that could ever be signed.
    pub(crate) fn max_value(&self) -> Option<Usd> {
        [self.max_trade, self.max_per_minute, self.max_per_minute_of_client].into_iter().flatten().min()
    }

    /// Returns the largest output that could ever be signed from `reserve`, beside nothing else; rounded down.
    pub(crate) fn max_output(&self, reserve: Amount) -> Option<U256> {
        self.max_outflow.map(|share| share_of(reserve, share))
    }

    /// Returns the value of the largest trade that pays out `output`, rounded down; `None` if only reserves limit trades.
    pub(crate) fn largest_trade(&self, output: &PairAsset) -> Option<Usd> {
        let by_output = self.max_output(output.reserve).map(|largest| {
            Amount::new(largest)
                .map_or(Usd::default(), |largest| value_rounded_down(largest, output.price, output.decimals))
        });
        by_output.into_iter().chain(self.max_value()).min()
    }

    /// Whether anything but the reserves limits a trade.
    pub(crate) fn has_limits(&self) -> bool {
        self.max_outflow.is_some() || self.max_value().is_some()
    }

    /// Whether signatures count towards a total.
    pub(crate) const fn has_volume_limits(&self) -> bool {
        self.max_per_minute.is_some() || self.max_per_minute_of_client.is_some()
    }
}

impl SigningPolicy {
    /// Checks `quote` and `terms` against everything but the totals. Returns the value that the trade counts for.
    ///
    /// # Errors
    /// [`DeskError::DestinationDenied`] and [`DeskError::SenderDenied`] for an account that is not allowed in that
    /// role, [`DeskError::TradeValueAboveLimit`] for a trade above [`Self::max_trade`].
    pub(crate) fn check(&self, quote: &Quote, terms: &Terms, limits: &TradeLimits) -> Result<Usd, DeskError> {
        if !self.destinations.permits(&terms.destination) {
            return Err(DeskError::DestinationDenied);
        }
        if !self.senders.permits(&terms.sender) {
            return Err(DeskError::SenderDenied);
        }
        let value = value(quote);
        match limits.max_trade.filter(|limit| value > *limit) {
            Some(limit) => Err(DeskError::TradeValueAboveLimit { value, limit }),
            None => Ok(value),
        }
    }
}

/// Returns the value that a quote counts for: that of the more valuable side.
fn value(quote: &Quote) -> Usd {
    let values = [&quote.input, &quote.output].map(|leg| value_rounded_up(leg.amount, leg.price, leg.decimals));
    values.into_iter().max().unwrap_or_default()
}

/// The value of a pool when all of it was first known. Tokens donated to the pool later do not raise a limit beyond it.
#[derive(Debug, Default)]
pub struct InitialPoolValue(AtomicU64);

impl InitialPoolValue {
    /// Returns the value; `None` until it is known.
    pub fn value(&self) -> Option<Usd> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            steps => Some(Usd::new(steps)),
        }
    }

    /// Returns the smaller of `current` and the initial value. If there is none yet and `is_complete`, `current`
    /// becomes the initial value.
    pub(crate) fn cap(&self, current: Usd, is_complete: bool) -> Usd {
        if self.value().is_none() && is_complete {
            // Another thread may have been first; either value will do.
            _ = self.0.compare_exchange(0, current.steps(), Ordering::Relaxed, Ordering::Relaxed);
        }
        self.value().map_or(current, |first| first.min(current))
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::BasisPoints;

    use super::{super::Limit, *};

    const fn usd(dollars: u64) -> Usd {
        Usd::new(dollars * 100_000_000)
    }

    fn percent(percent: u32) -> Limit {
        Limit::Share(BasisPoints::from_hundredths(percent * 10_000).unwrap())
    }

    #[test]
    fn shares_scale_with_the_pool_value_and_round_down() {
        assert_eq!(percent(10).resolve(usd(2_000_000)), Some(usd(200_000)));
        assert_eq!(percent(1).resolve(Usd::new(199)), Some(Usd::new(1)));
        assert_eq!(percent(50).resolve(Usd::new(u64::MAX)), Some(Usd::new(u64::MAX / 2)));
        assert_eq!(Limit::Usd(usd(5)).resolve(usd(1)), Some(usd(5)));
        assert_eq!(Limit::None.resolve(usd(1)), None);
    }

    #[test]
    fn clients_without_credentials_share_the_smaller_limit() {
        let policy = SigningPolicy {
            max_trade: percent(10),
            max_per_minute: percent(50),
            max_per_minute_of_client: percent(20),
            max_per_minute_of_anonymous: percent(1),
            ..SigningPolicy::default()
        };
        let largest = |client| TradeLimits::new(&policy, &client, None, usd(1_000_000)).max_value();
        assert_eq!(largest(Client::Anonymous), Some(usd(10_000)));
        assert_eq!(largest(Client::Named("acme".into())), Some(usd(100_000)));
    }

    #[test]
    fn the_terms_of_a_client_lower_limits_and_raise_none() {
        let policy =
            SigningPolicy { max_trade: percent(10), max_per_minute_of_client: percent(20), ..Default::default() };
        let limits = |max_trade, max_per_minute, max_outstanding| {
            let terms = ClientTerms { max_trade, max_per_minute, max_outstanding, ..ClientTerms::default() };
            let client = Client::Named("acme".into());
            let limits = TradeLimits::new(&policy, &client, Some(&terms), usd(1_000));
            (limits.max_trade, limits.max_per_minute_of_client, limits.max_outflow)
        };
        let share = BasisPoints::from_hundredths(7);
        assert_eq!(limits(Some(usd(50)), Some(usd(500)), share), (Some(usd(50)), Some(usd(200)), share));
        assert_eq!(limits(Some(usd(500)), Some(usd(50)), None), (Some(usd(100)), Some(usd(50)), None));
    }

    #[test]
    fn a_donation_raises_no_limit_above_the_first_value() {
        let initial = InitialPoolValue::default();
        assert_eq!(initial.cap(usd(50), false), usd(50), "a price is missing");
        assert_eq!(initial.cap(usd(100), true), usd(100));
        assert_eq!(initial.cap(usd(1_000), true), usd(100));
        assert_eq!(initial.cap(usd(40), true), usd(40));
        assert_eq!(initial.value(), Some(usd(100)));
    }
}
