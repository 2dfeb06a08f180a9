//! The response that lists the chains with their pools, assets, pairs and trade size limits.

use firmquote_desk::{ChainView, TradedPool};
use firmquote_domain::{Address, Symbol, Usd};
use serde::Serialize;

use super::number::{Exact, Text};

/// The response about all chains.
#[derive(Debug, Serialize)]
pub(crate) struct ChainsResponse<'v> {
    chains: Vec<ChainRecord<'v>>,
}

#[derive(Debug, Serialize)]
struct ChainRecord<'v> {
    chain_id: u64,
    native_symbol: &'v str,
    wrapped_native_symbol: Option<&'v str>,
    wrapped_native_address: Text<Address>,
    pools: Vec<PoolRecord<'v>>,
}

#[derive(Debug, Serialize)]
struct PoolRecord<'v> {
    address: Text<Address>,
    swaps_enabled: bool,
    smallest_trade_in_usd: Exact<Usd>,
    largest_trade_in_usd: Option<Exact<Usd>>,
    assets: Vec<AssetRecord<'v>>,
    pairs: Vec<[&'v str; 2]>,
}

#[derive(Debug, Serialize)]
struct AssetRecord<'v> {
    name: &'v str,
    address: Text<Address>,
    decimals: u8,
}

impl<'v> ChainsResponse<'v> {
    /// Builds the response about `chains`.
    pub(crate) fn new(chains: &'v [ChainView]) -> Self {
        Self { chains: chains.iter().map(ChainRecord::new).collect() }
    }
}

impl<'v> ChainRecord<'v> {
    fn new(chain: &'v ChainView) -> Self {
        Self {
            chain_id: chain.chain_id.get(),
            native_symbol: chain.native_symbol.as_str(),
            wrapped_native_symbol: chain.wrapped_symbol.as_ref().map(Symbol::as_str),
            wrapped_native_address: Text(chain.wrapped_native),
            pools: chain.pools.iter().map(PoolRecord::new).collect(),
        }
    }
}

impl<'v> PoolRecord<'v> {
    fn new(TradedPool { pool, largest_trade }: &'v TradedPool) -> Self {
        let spec = pool.spec();
        let assets = spec.assets.iter().map(|asset| AssetRecord {
            name: asset.symbol.as_str(),
            address: Text(asset.address),
            decimals: asset.decimals.get(),
        });
        Self {
            address: Text(spec.id.address),
            swaps_enabled: spec.swaps_enabled,
            smallest_trade_in_usd: Exact(spec.min_trade),
            largest_trade_in_usd: largest_trade.map(Exact),
            assets: assets.collect(),
            pairs: spec.pairs.iter().map(|pair| [pair.assets[0].as_str(), pair.assets[1].as_str()]).collect(),
        }
    }
}
