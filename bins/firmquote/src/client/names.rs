//! Tokens and amounts as people call them, where a pool's data says so.

use firmquote_domain::{Address, Amount};

use firmquote_verify::PublishedPool;

use super::whole_tokens::WholeTokens;

/// The names that some pools publish; none where there is no pool data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'p>(pub(crate) &'p [PublishedPool]);

impl Names<'_> {
    /// The symbol of a token, empty if it is not known.
    pub(crate) fn symbol(self, token: Address) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        named.map(|one| one.asset.symbol.to_string()).unwrap_or_default()
    }

    /// An amount in whole tokens with the token's symbol, empty if it is not known.
    pub(crate) fn tokens(self, token: Address, amount: Amount) -> String {
        let named = self.0.iter().find_map(|pool| pool.token(token));
        let whole = |decimals| WholeTokens(amount.base_units(), decimals);
        named.map(|one| format!("{} {}", whole(one.asset.decimals), one.asset.symbol)).unwrap_or_default()
    }

    /// An amount for people: in whole tokens if its token is known, else in base units.
    pub(crate) fn amount(self, token: Address, amount: Amount) -> String {
        let tokens = self.tokens(token, amount);
        if tokens.is_empty() { format!("{amount} base units of {token}") } else { tokens }
    }
}
