//! Maps validation errors of a pool to the invalid key.

use firmquote_domain::{Asset, InvalidPool, Pair, PoolSpec, Symbol};

use crate::document::{error::KeyError, path::KeyPath};

/// Returns the key error for `error`, which [`Pool::new`](firmquote_domain::Pool::new) returned for `spec`, read from
/// the table at `pool`.
pub(super) fn key_error(pool: &KeyPath, spec: &PoolSpec, error: &InvalidPool) -> KeyError {
    match error {
        InvalidPool::OutOfRange { field: "asset.address", value, allowed } => {
            let is_wrong = |asset: &Asset| asset.address == spec.id.address || asset.address.is_zero();
            let position = spec.assets.iter().position(is_wrong).unwrap_or_default();
            KeyError::not_allowed(pool.key("asset").index(position).key("address"), value, *allowed)
        }
        InvalidPool::OutOfRange { field, value, allowed } => {
            let allowed = with_values(allowed, spec);
            KeyError::not_allowed(pool.key(field), value, allowed)
        }
        InvalidPool::Duplicate { what } => {
            let repeated = repeated_asset(pool, spec).or_else(|| repeated_pair(pool, spec));
            repeated.unwrap_or_else(|| KeyError::not_allowed(pool.clone(), what, "each one once"))
        }
        InvalidPool::UnknownPair { first, second } => {
            let (key, value) = (pair_path(pool, spec, first, second).key("assets"), format!("{first}/{second}"));
            KeyError::not_allowed(key, value, "two different symbols of the pool's assets")
        }
        InvalidPool::TooManyDecimals { symbol, decimals } => {
            let position = spec.assets.iter().position(|asset| asset.symbol == *symbol).unwrap_or_default();
            let key = pool.key("asset").index(position).key("decimals");
            KeyError::not_allowed(key, decimals, "at most 18 in a verified pool, whose contract computes with 18")
        }
        InvalidPool::UncheckedPrice => {
            let allowed = "price only with good_until = \"verified\" and single_use = true";
            KeyError::not_allowed(pool.key("settlement"), "price", allowed)
        }
        InvalidPool::FreePair { first, second } => {
            let key = pair_path(pool, spec, first, second).key("base_fee_bps");
            KeyError::not_allowed(key, "0 without volatility", "a fee above zero in a verified pool")
        }
    }
}

/// Adds their values to the keys that serve as bounds.
fn with_values(allowed: &str, spec: &PoolSpec) -> String {
    [("min_time_in_seconds", spec.min_time_in_seconds), ("max_time_in_seconds", spec.max_time_in_seconds)]
        .iter()
        .fold(allowed.to_owned(), |text, (key, value)| text.replace(key, &format!("{key} ({value})")))
}

fn pair_path(pool: &KeyPath, spec: &PoolSpec, first: &Symbol, second: &Symbol) -> KeyPath {
    let is_pair = |pair: &Pair| pair.assets == [first.clone(), second.clone()];
    pool.key("pair").index(spec.pairs.iter().position(is_pair).unwrap_or_default())
}

/// Returns an error for the first duplicate symbol or token.
fn repeated_asset(pool: &KeyPath, spec: &PoolSpec) -> Option<KeyError> {
    spec.assets.iter().enumerate().find_map(|(position, asset)| {
        let path = pool.key("asset").index(position);
        let mut earlier = spec.assets.iter().take(position);
        let earlier = earlier.find(|one| one.symbol == asset.symbol || one.address == asset.address)?;
        Some(match earlier.symbol == asset.symbol {
            true => KeyError::not_allowed(path.key("symbol"), &asset.symbol, "a symbol not used by an earlier asset"),
            false => KeyError::not_allowed(path.key("address"), asset.address, "a token not listed earlier"),
        })
    })
}

/// Returns an error for the first duplicate pair, in either order of its symbols.
fn repeated_pair(pool: &KeyPath, spec: &PoolSpec) -> Option<KeyError> {
    spec.pairs.iter().enumerate().find_map(|(position, pair)| {
        let [first, second] = &pair.assets;
        let reversed = [second.clone(), first.clone()];
        let mut earlier = spec.pairs.iter().take(position);
        let key = pool.key("pair").index(position).key("assets");
        earlier.find(|one| one.assets == pair.assets || one.assets == reversed)?;
        Some(KeyError::not_allowed(key, format_args!("{first}/{second}"), "a pair not listed earlier"))
    })
}
