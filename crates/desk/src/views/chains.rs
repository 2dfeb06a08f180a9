//! The served chains and pools, with the trade sizes that a client can trade.

use std::sync::Arc;

use firmquote_domain::{Address, Asset, ChainId, Client, Leg, Pool, Quote, Symbol, Usd};

use firmquote_pricing::{PairAsset, PairState};

use crate::{Desk, ServedPool, quoting::last_look::resolve};

/// A chain with its pools.
#[derive(Clone, Debug)]
pub struct ChainView {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// The symbol of its native coin.
    pub native_symbol: Symbol,
    /// The contract that wraps the native coin.
    pub wrapped_native: Address,
    /// The symbol under which its pools list the wrapped-native contract; `None` if no pool lists it.
    pub wrapped_symbol: Option<Symbol>,
    /// Its pools in configured order; the first is the default.
    pub pools: Vec<TradedPool>,
}

/// A pool with the trade sizes available to one client.
#[derive(Clone, Debug)]
pub struct TradedPool {
    /// The pool as configured.
    pub pool: Arc<Pool>,
    /// The largest trade that would be signed for the client at the pool's current value; `None` if only the reserves
    /// limit it, zero if that value is unknown.
    pub largest_trade: Option<Usd>,
}

impl Desk {
    /// Returns the value of the largest trade of the tokens of `quote`, in its state, that its pool would sign for its
    /// client at the pool's current value; `None` if only the reserves limit it, or if the pool is not served.
    pub fn largest_trade(&self, quote: &Quote) -> Option<Usd> {
        let pool = self.pool_of(quote).ok()?;
        let limits = pool.limits(&self.market.snapshot(), &quote.client, self.clock.now());
        let directed_pair = resolve(pool, quote)?;
        let side = |asset: &Asset, leg: &Leg| PairAsset {
            reserve: leg.reserve,
            price: leg.price,
            weight: asset.weight,
            decimals: leg.decimals,
        };
        let (input, output) = (side(directed_pair.input.1, &quote.input), side(directed_pair.output.1, &quote.output));
        directed_pair.largest_trade(
            &PairState {
                input,
                output,
                k: pool.spec().k,
                fee: quote.fee,
                max_improvement: pool.spec().max_improvement,
            },
            &limits,
        )
    }

    /// Returns every served chain in configured order, with the trade sizes for `client`. Performs no I/O.
    pub fn chains(&self, client: &Client) -> Vec<ChainView> {
        let (snapshot, now) = (self.snapshot_for(client), self.clock.now());
        let traded = |pool: &ServedPool| TradedPool {
            pool: Arc::clone(pool.signer().pool()),
            largest_trade: pool.largest_trade(&snapshot, client, now),
        };
        let mut chains: Vec<ChainView> = Vec::new();
        for pool in &self.pools {
            let spec = pool.spec();
            let chain_id = spec.id.chain_id;
            let wrapped = spec.assets.iter().find(|asset| asset.address == spec.chain.wrapped_native);
            let wrapped_symbol = wrapped.map(|asset| asset.symbol.clone());
            match chains.iter_mut().find(|chain| chain.chain_id == chain_id) {
                Some(chain) => {
                    chain.wrapped_symbol = chain.wrapped_symbol.take().or(wrapped_symbol);
                    chain.pools.push(traded(pool));
                }
                None => chains.push(ChainView {
                    chain_id,
                    native_symbol: spec.chain.native_symbol.clone(),
                    wrapped_native: spec.chain.wrapped_native,
                    wrapped_symbol,
                    pools: vec![traded(pool)],
                }),
            }
        }
        chains
    }
}
