//! The policy of one pool's signatures: limits as they are configured, and the accounts that it signs for.

use std::collections::BTreeSet;

use firmquote_domain::{Address, BasisPoints, Usd};

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

/// The most that may be signed, as it is configured. The default sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// There is none.
    #[default]
    None,
    /// So much.
    Usd(Usd),
    /// A share of the pool's value.
    Share(BasisPoints),
}

impl Limit {
    /// What it comes to for a pool of this value, rounded down.
    pub fn at(self, pool_value: Usd) -> Option<Usd> {
        match self {
            Self::None => None,
            Self::Usd(limit) => Some(limit),
            Self::Share(share) => {
                let one = u128::from(BasisPoints::ONE_HUNDREDTHS);
                let steps = u128::from(pool_value.steps()) * u128::from(share.hundredths()) / one;
                // A share is less than the whole.
                Some(Usd::new(u64::try_from(steps).unwrap_or(u64::MAX)))
            }
        }
    }
}

/// Which accounts may stand in one place of a request. The default lets all of them pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountRule {
    /// Those that pass; all of them when absent. Empty: none.
    pub allowed: Option<BTreeSet<Address>>,
    /// Those that do not pass, also when they are among the allowed.
    pub denied: BTreeSet<Address>,
}

impl AccountRule {
    /// Whether `account` passes.
    pub fn permits(&self, account: &Address) -> bool {
        !self.denied.contains(account) && self.allowed.as_ref().is_none_or(|allowed| allowed.contains(account))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_denied_does_not_pass_even_when_allowed() {
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
