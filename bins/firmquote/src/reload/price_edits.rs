//! Prices of the file that an edit moves too far, as a missing digit does.

use firmquote_domain::{Price, Symbol};
use firmquote_market::Change;

use crate::config::{Config, PoolConfig};

/// The first price of `next` that is further from the one in force than its rule in force lets a price jump, and that
/// `confirm_price_usd` does not repeat: what is wrong and what is allowed.
pub(super) fn unconfirmed(in_force: &Config, next: &Config) -> Option<String> {
    next.pools.iter().enumerate().find_map(|(pool_position, pool)| {
        let assets = pool.pool.spec().assets.iter().zip(pool.prices.iter().zip(&pool.confirmed_prices)).enumerate();
        assets.filter(|(_, (asset, _))| next.prices.is_of_file(&asset.symbol)).find_map(|(position, (asset, (new, confirmed)))| {
            let old = price_in_force(in_force, pool, &asset.symbol)?;
            let (moved, most) = (
                Change::between(old.steps(), new.steps()),
                Change::of(in_force.prices.rules_of(&asset.symbol).max_jump_per_second),
            );
            (moved > most && *confirmed != Some(*new)).then(|| {
                format!(
                    "pool[{pool_position}].asset[{position}].price_usd moves {} from {old} to {new} by {moved} bp, allowed: \
                     {most} bp, or more with confirm_price_usd = \"{new}\" beside it",
                    asset.symbol
                )
            })
        })
    })
}

/// The file's price of an asset in the same pool, else in any.
fn price_in_force(in_force: &Config, pool: &PoolConfig, symbol: &Symbol) -> Option<Price> {
    let same = in_force.pools.iter().find(|known| known.id() == pool.id());
    same.and_then(|known| known.price_of(symbol))
        .or_else(|| in_force.pools.iter().find_map(|known| known.price_of(symbol)))
}
