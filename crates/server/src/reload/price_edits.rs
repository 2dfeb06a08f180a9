//! Prices of the file that an edit moves too far, as a missing digit does.

use firmquote_config::{Config, PoolConfig};
use firmquote_domain::{Price, Symbol};
use firmquote_market::Change;

/// The first price of `next` that is further from the one in force than its rule in force lets a price jump, and that
/// `confirm_price_usd` does not repeat: what is wrong and what is allowed.
pub(super) fn unconfirmed(in_force: &Config, next: &Config) -> Option<String> {
    for (pool_position, pool) in next.pools.iter().enumerate() {
        let prices = pool.prices.iter().zip(&pool.confirmed_prices);
        for (position, (asset, (new, confirmed))) in pool.pool.spec().assets.iter().zip(prices).enumerate() {
            let symbol = &asset.symbol;
            if *confirmed == Some(*new) || !next.prices.is_of_file(symbol) {
                continue;
            }
            let Some(old) = price_in_force(in_force, pool, symbol) else { continue };
            let moved = Change::between(old.steps(), new.steps());
            let most = Change::of(in_force.prices.rules_of(symbol).max_jump_per_second);
            if moved > most {
                return Some(format!(
                    "pool[{pool_position}].asset[{position}].price_usd moves {symbol} from {old} to {new} by {moved} bp, \
                     allowed: {most} bp, or more with confirm_price_usd = \"{new}\" beside it"
                ));
            }
        }
    }
    None
}

/// The file's price of an asset in the same pool, else in any.
fn price_in_force(in_force: &Config, pool: &PoolConfig, symbol: &Symbol) -> Option<Price> {
    let same = in_force.pools.iter().find(|known| known.id() == pool.id());
    same.and_then(|known| known.price_of(symbol))
        .or_else(|| in_force.pools.iter().find_map(|known| known.price_of(symbol)))
}
