//! Live prices: `[[price_source]]`, who tells them, and `[[price_rule]]`, what they have to keep to.

mod push;
mod rule;
mod source;

use firmquote_domain::Symbol;
use firmquote_market::PriceRules;

pub(super) use self::push::check as check_push;
pub(crate) use self::source::PriceSourceConfig;
pub(super) use self::{rule::KEYS as RULE_KEYS, source::KEYS as SOURCE_KEYS};
use super::{error::Mistake, pool::PoolConfig, reader::Table};

/// Every `[[price_source]]`, in the order of their priority, and the rules of every asset that has one.
pub(crate) struct PricesConfig {
    /// Who tells prices.
    pub(crate) sources: Vec<PriceSourceConfig>,
    /// Each asset that is live, once, with what its prices have to keep to.
    pub(crate) assets: Vec<(Symbol, PriceRules)>,
}

impl PricesConfig {
    /// Reads every table. Assets of sources are assets of pools, and assets of rules are assets of sources.
    ///
    /// # Errors
    /// [`Mistake`] for the first key that is wrong.
    pub(super) fn read(sources: &[Table<'_>], rules: &[Table<'_>], pools: &[PoolConfig]) -> Result<Self, Mistake> {
        let is_listed = |symbol: &Symbol| {
            let assets = pools.iter().flat_map(|pool| &pool.pool.spec().assets);
            assets.into_iter().any(|asset| asset.symbol == *symbol)
        };
        let sources = sources.iter().map(|table| source::read(table, is_listed)).collect::<Result<Vec<_>, _>>()?;
        let mut assets: Vec<(Symbol, PriceRules)> = Vec::new();
        for symbol in sources.iter().flat_map(PriceSourceConfig::symbols) {
            if assets.iter().all(|(known, _)| known != symbol) {
                assets.push((symbol.clone(), rule::default()));
            }
        }
        rule::read_all(rules, &mut assets)?;
        Ok(Self { sources, assets })
    }
}
