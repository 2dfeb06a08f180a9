//! What is traded where, and in which sizes.

use std::sync::Arc;

use firmquote_domain::{Address, ChainId, Client, Pool, PoolId, Symbol, Usd};

use crate::{Desk, ServedPool};

/// A chain with its pools.
#[derive(Clone, Debug)]
pub struct ChainView {
    /// The chain.
    pub chain_id: ChainId,
    /// The symbol of its native coin.
    pub native_symbol: Symbol,
    /// The contract that wraps the native coin.
    pub wrapped_native: Address,
    /// The symbol by which its pools list that contract; `None` if none does.
    pub wrapped_symbol: Option<Symbol>,
    /// Its pools in configured order; the first is the default.
    pub pools: Vec<TradedPool>,
}

/// A pool with the sizes that one client can trade.
#[derive(Clone, Debug)]
pub struct TradedPool {
    /// The pool as configured.
    pub pool: Arc<Pool>,
    /// The largest trade that would be signed for the client at the pool's present value; `None` where nothing but the
    /// reserves limits it, and zero where that value is not known.
    pub largest_trade: Option<Usd>,
}

impl Desk {
    /// The largest trade that `pool` would sign for `client` at once, at the pool's present value; `None` where nothing but the
    /// reserves limits it, and for a pool that is not served.
    pub fn largest_trade(&self, pool: PoolId, client: &Client) -> Option<Usd> {
        let served = self.pools.iter().find(|served| served.spec().id == pool)?;
        served.limits(&self.market.snapshot(), client, self.clock.now()).largest_trade()
    }

    /// Every chain that is served, in configured order, as it is for `client`. Asks nobody.
    pub fn chains(&self, client: &Client) -> Vec<ChainView> {
        let (snapshot, now) = (self.market.snapshot(), self.clock.now());
        let traded = |served: &ServedPool| TradedPool {
            pool: Arc::clone(served.signer().pool()),
            largest_trade: served.limits(&snapshot, client, now).largest_trade(),
        };
        let mut chains: Vec<ChainView> = Vec::new();
        for served in &self.pools {
            let spec = served.spec();
            let chain_id = spec.id.chain_id;
            let wrapped = spec.assets.iter().find(|asset| asset.address == spec.wrapped_native);
            let wrapped_symbol = wrapped.map(|asset| asset.symbol.clone());
            match chains.iter_mut().find(|chain| chain.chain_id == chain_id) {
                Some(chain) => {
                    chain.wrapped_symbol = chain.wrapped_symbol.take().or(wrapped_symbol);
                    chain.pools.push(traded(served));
                }
                None => chains.push(ChainView {
                    chain_id,
                    native_symbol: spec.native_symbol.clone(),
                    wrapped_native: spec.wrapped_native,
                    wrapped_symbol,
                    pools: vec![traded(served)],
                }),
            }
        }
        chains
    }
}
