//! The names of tokens.

use std::collections::HashMap;

use firmquote_domain::{Address, ChainId, PoolSpec, Symbol};

/// The symbols of tokens, for reports; a token without one is shown by its address.
#[derive(Clone, Debug, Default)]
pub struct TokenNames(HashMap<(ChainId, Address), Symbol>);

impl FromIterator<((ChainId, Address), Symbol)> for TokenNames {
    fn from_iter<I: IntoIterator<Item = ((ChainId, Address), Symbol)>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

impl<'p> FromIterator<&'p PoolSpec> for TokenNames {
    /// The symbols of the tokens of these pools.
    fn from_iter<I: IntoIterator<Item = &'p PoolSpec>>(pools: I) -> Self {
        let tokens = |spec: &'p PoolSpec| {
            let chain_id = spec.id.chain_id;
            spec.assets.iter().map(move |asset| ((chain_id, asset.address), asset.symbol.clone()))
        };
        pools.into_iter().flat_map(tokens).collect()
    }
}

impl TokenNames {
    /// Returns the symbol of a token, if it has one.
    pub(super) fn symbol(&self, chain_id: ChainId, token: Address) -> Option<&Symbol> {
        self.0.get(&(chain_id, token))
    }

    /// Returns the symbol of a token, or else its address.
    pub(super) fn name(&self, chain_id: ChainId, token: Address) -> String {
        self.symbol(chain_id, token).map_or_else(|| token.to_string(), Symbol::to_string)
    }
}
