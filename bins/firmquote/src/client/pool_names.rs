//! Symbols and decimals of the tokens of pools.

use firmquote_domain::{Address, Amount, WholeTokens};
use firmquote_verify::PublishedPool;

/// Symbols and decimals of tokens, from the published data of these pools; empty without pool data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolNames<'p>(pub(crate) &'p [PublishedPool]);

impl PoolNames<'_> {
    /// Returns the symbol of a token, empty if unknown.
    pub(crate) fn symbol(self, token: Address) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        named.map(|one| one.asset.symbol.to_string()).unwrap_or_default()
    }

    /// Formats an amount in whole tokens with the token's symbol; empty if the token is unknown.
    pub(crate) fn tokens(self, token: Address, amount: Amount) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        let whole = |decimals| WholeTokens(amount.base_units(), decimals);
        named.map(|one| format!("{} {}", whole(one.asset.decimals), one.asset.symbol)).unwrap_or_default()
    }

    /// Formats an amount in whole tokens if the token is known, else in base units.
    pub(crate) fn amount(self, token: Address, amount: Amount) -> String {
        let tokens = self.tokens(token, amount);
        if tokens.is_empty() { format!("{amount} base units of {token}") } else { tokens }
    }
}
