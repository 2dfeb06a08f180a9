//! The chains with their pools, assets, pairs and trade size limits, as a response.

use firmquote_api as api;
use firmquote_desk::{ChainView, TradedPool};

/// Returns the response about all chains.
pub(crate) fn chains_response(chains: &[ChainView]) -> api::Chains {
    api::Chains { chains: chains.iter().map(chain).collect() }
}

fn chain(chain: &ChainView) -> api::Chain {
    api::Chain {
        chain_id: chain.chain_id.into(),
        native_symbol: chain.native_symbol.clone().into(),
        wrapped_native_symbol: chain.wrapped_symbol.clone().map(Into::into),
        wrapped_native_address: chain.wrapped_native.into(),
        pools: chain.pools.iter().map(pool).collect(),
    }
}

fn pool(TradedPool { pool, largest_trade }: &TradedPool) -> api::TradedPool {
    let spec = pool.spec();
    let assets = spec.assets.iter().map(|asset| api::TradedAsset {
        name: asset.symbol.clone().into(),
        address: asset.address.into(),
        decimals: asset.decimals.into(),
    });
    api::TradedPool {
        address: spec.id.address.into(),
        swaps_enabled: spec.swaps_enabled,
        smallest_trade_in_usd: spec.min_trade.into(),
        largest_trade_in_usd: largest_trade.map(Into::into),
        assets: assets.collect(),
        pairs: spec.pairs.iter().map(|pair| pair.assets.clone().into()).collect(),
    }
}
