//! Which accounts a pool signs for.

use std::collections::BTreeSet;

use firmquote_domain::Address;

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
    pub fn lets_pass(&self, account: &Address) -> bool {
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
            [one, two, three].map(|account| rule.lets_pass(&account))
        };
        assert_eq!(passes(None, &[]), [true; 3]);
        assert_eq!(passes(None, &[two]), [true, false, true]);
        assert_eq!(passes(Some(&[one, two]), &[]), [true, true, false]);
        assert_eq!(passes(Some(&[one, two]), &[two]), [true, false, false]);
        assert_eq!(passes(Some(&[]), &[]), [false; 3]);
    }
}
