//! The signing policy of a pool: limits as configured, and the accounts that it signs for.

use std::collections::BTreeSet;

use firmquote_domain::{Address, BasisPoints, Usd};

use super::OutstandingPolicy;
use crate::FirmLevelsPolicy;

/// What a pool may sign; the default sets no limit.
///
/// A trade counts with the value of its more valuable side at the quote's own prices, rounded up. Totals cover the last
/// 60 seconds, over all replicas that share a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SigningPolicy {
    /// The largest single trade. Larger trades are not quoted either, nor are trades that exceed a total on their own.
    pub max_trade: Limit,
    /// The largest total signed per minute.
    pub max_per_minute: Limit,
    /// The largest total signed per minute for one client.
    pub max_per_minute_of_client: Limit,
    /// The largest total signed per minute for all clients without credentials together.
    pub max_per_minute_of_anonymous: Limit,
    /// Limits on outstanding swaps.
    pub outstanding: OutstandingPolicy,
    /// What published levels promise; if absent, nothing.
    pub firm_levels: Option<FirmLevelsPolicy>,
    /// Cap on the pool value that [`Limit::Share`] refers to; if absent, the cap is the value when it was first known.
    pub max_pool_value: Option<Usd>,
    /// Whether the pool is paused once its contract has executed a signature again and nothing on it bounds the loss.
    pub pause_on_replay: bool,
    /// Whether one swap at a time is signed until the contract has executed one: that it accepts the signatures is not
    /// proved.
    pub is_unproved: bool,
    /// The accounts that may receive the output.
    pub destinations: AccountRule,
    /// The accounts whose tokens may be the input.
    pub senders: AccountRule,
}

/// A limit as configured. The default sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    #[default]
    None,
    /// A fixed value.
    Usd(Usd),
    /// A share of the pool's value.
    Share(BasisPoints),
}

impl Limit {
    /// Returns the limit for a pool of this value, rounded down; `None` if there is none.
    pub fn resolve(self, pool_value: Usd) -> Option<Usd> {
        match self {
            Self::None => None,
            Self::Usd(limit) => Some(limit),
            Self::Share(share) => {
                let one = u128::from(BasisPoints::SCALE);
                let steps = u128::from(pool_value.steps()) * u128::from(share.hundredths()) / one;
                // A share is less than the whole.
                Some(Usd::new(u64::try_from(steps).unwrap_or(u64::MAX)))
            }
        }
    }
}

/// A rule for the accounts allowed in one role of a request. The default allows all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountRule {
    /// The allowed accounts; all if absent, none if empty.
    pub allowed: Option<BTreeSet<Address>>,
    /// The denied accounts; takes precedence over `allowed`.
    pub denied: BTreeSet<Address>,
}

impl AccountRule {
    /// Whether `account` is allowed.
    pub fn permits(&self, account: &Address) -> bool {
        !self.denied.contains(account) && self.allowed.as_ref().is_none_or(|allowed| allowed.contains(account))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deny_list_overrides_the_allow_list() {
        let [one, two, three] = [1, 2, 3].map(Address::repeat_byte);
        let passes = |allowed: Option<&[Address]>, denied: &[Address]| {
            let allowed = allowed.map(|accounts| accounts.iter().copied().collect());
            let rule = AccountRule { allowed, denied: denied.iter().copied().collect() };
            [one, two, three].map(|account| rule.permits(&account))
        };
        assert_eq!(passes(None, &[]), [true; 3]);
        assert_eq!(passes(None, &[two]), [true, false, true]);
        assert_eq!(passes(Some(&[one, two]), &[]), [true, true, false]);
        assert_eq!(passes(Some(&[one, two]), &[two]), [true, false, false]);
        assert_eq!(passes(Some(&[]), &[]), [false; 3]);
    }
}
