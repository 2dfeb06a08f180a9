//! Edits that do not take effect: price jumps without confirmation, and another source of reserves, or none, while
//! swaps are outstanding.

use firmquote_config::{Config, PoolConfig, ReservesConfig};
use firmquote_domain::{BookEntry, PoolId, Price, SwapState, Symbol, is_lapsed};
use firmquote_market::Deviation;

use crate::assembly::ServerState;

/// Returns an error message for the first pool whose `reserves` change between `static` and `chain`, or that is on a
/// chain and removed, while swaps are outstanding. Swaps that were signed at a block end with an event of the contract,
/// which would no longer be read; events would match none of the others.
pub(super) fn edit_with_outstanding_swaps(state: &ServerState, next: &Config) -> Option<String> {
    let now = state.clock.now();
    let is_on_chain = |pool: &PoolConfig| matches!(pool.reserves, ReservesConfig::Chain);
    state.config.pools.iter().find_map(|pool| {
        let id = pool.id();
        let change = match (is_on_chain(pool), pool_of(next, id).map(is_on_chain)) {
            (was_on_chain, Some(is_on_chain)) if is_on_chain != was_on_chain => {
                format!("the reserves of pool {id} cannot be changed between \"static\" and \"chain\"")
            }
            (true, None) => format!("pool {id} cannot be removed"),
            _ => return None,
        };
        let is_affected = |entry: &BookEntry| {
            // With a block, only a later one ends it.
            let is_over = entry.swap.block.is_none() && is_lapsed(entry.swap.offer.good_until.expires_at(), now);
            entry.state == SwapState::Outstanding && !is_over
        };
        let affected: Vec<BookEntry> = state.desk.pool(id)?.book().swaps().into_iter().filter(is_affected).collect();
        let last = affected.iter().map(|entry| entry.swap.offer.good_until.expires_at()).max()?;
        Some(format!(
            "{change} while swaps are outstanding: {} are, valid until {} at the latest; pause the pool, and the change takes \
             effect once they are over, on a chain by a later block, or restart the service",
            affected.len(),
            last.get(),
        ))
    })
}

/// Returns an error message for the first price of `next` that differs from the active one by more than the asset's
/// active rule lets a price jump, and that `confirm_price_usd` does not repeat. If the active price is that of a source,
/// and the source is not trusted at present, every price of the file must be confirmed.
pub(super) fn unconfirmed_price_edit(state: &ServerState, next: &Config) -> Option<String> {
    let current = &state.config;
    let live = state.prices.writer().status(state.clock.now()).assets;
    for (pool_position, pool) in next.pools.iter().enumerate() {
        let prices = pool.prices.iter().zip(&pool.confirmed_prices);
        for (position, (asset, (new, confirmed))) in pool.pool.spec().assets.iter().zip(prices).enumerate() {
            let symbol = &asset.symbol;
            if *confirmed == Some(*new) || !next.prices.is_from_file(symbol) {
                continue;
            }
            let old = match live.iter().find(|live| live.symbol == *symbol && !current.prices.is_from_file(symbol)) {
                None => current_price(current, pool, symbol),
                Some(live) => match &live.price {
                    Ok(trusted) => Some(trusted.value),
                    Err(_) => {
                        return Some(format!(
                            "pool[{pool_position}].asset[{position}].price_usd takes the place of the price of {symbol} from \
                             its sources, none of which is trusted now: set confirm_price_usd = \"{new}\" beside it"
                        ));
                    }
                },
            };
            let Some(old) = old else { continue };
            let moved = Deviation::between(old.steps(), new.steps());
            let max_move = Deviation::from_basis_points(current.prices.rules_of(symbol).max_jump_per_second);
            if moved > max_move {
                return Some(format!(
                    "pool[{pool_position}].asset[{position}].price_usd moves {symbol} from {old} to {new} by {moved}, \
                     allowed: {max_move}, or more with confirm_price_usd = \"{new}\" beside it"
                ));
            }
        }
    }
    None
}

/// Returns the configured price of an asset in the same pool, otherwise in any pool.
fn current_price(current: &Config, pool: &PoolConfig, symbol: &Symbol) -> Option<Price> {
    pool_of(current, pool.id())
        .and_then(|current| current.price_of(symbol))
        .or_else(|| current.pools.iter().find_map(|current| current.price_of(symbol)))
}

fn pool_of(config: &Config, id: PoolId) -> Option<&PoolConfig> {
    config.pools.iter().find(|pool| pool.id() == id)
}
