//! The configured pools, in the form that the market writer takes.

use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::{Asset, Pair, Price, Symbol};
use firmquote_market::{PoolInputs, PriceInput, ReserveInput, Reserves};

/// Returns the initial state of the pools, before any update.
pub(super) fn pools(config: &Config) -> Vec<PoolInputs> {
    config.pools.iter().map(|pool| live_pool(pool, config)).collect()
}

/// Returns the initial state of a pool: prices without a source are the configured ones, and so are reserves that are
/// not read from the chain.
fn live_pool(pool: &PoolConfig, config: &Config) -> PoolInputs {
    let spec = pool.pool.spec();
    let is_live = |symbol: &Symbol| config.prices.assets.iter().any(|(other, _)| other == symbol);
    let input = |(asset, price): (&Asset, &Price)| {
        let input = match is_live(&asset.symbol) {
            true => PriceInput::Live(asset.symbol.clone()),
            false => PriceInput::Fixed(*price),
        };
        (asset.address, input)
    };
    let tokens = spec.assets.iter().map(|asset| asset.address);
    let reserves = match &pool.reserves {
        ReservesConfig::Static(reserves, pool_tokens) => ReserveInput::Fixed(Reserves {
            balances: tokens.zip(reserves.iter().map(|reserve| reserve.base_units())).collect(),
            pool_tokens: *pool_tokens,
            ..Reserves::default()
        }),
        ReservesConfig::Chain => ReserveInput::Live,
    };
    // The assets of a pair are always listed; an invalid position would never be sampled.
    let position = |symbol: &Symbol| pool.pool.asset(symbol.as_str()).map_or(usize::MAX, |(position, _)| position);
    let positions = |pair: &Pair| pair.assets.each_ref().map(position);
    PoolInputs {
        id: spec.id,
        assets: spec.assets.iter().zip(&pool.prices).map(input).collect(),
        reserves,
        pairs: spec.pairs.iter().map(positions).zip(pool.volatilities.iter().copied()).collect(),
    }
}
