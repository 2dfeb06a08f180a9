//! `[[pool]]`: the pool contracts that the service quotes and signs for.

pub(crate) mod accounts;
mod asset;
pub(crate) mod breakers;
mod invalid;
mod levels;
mod pair;
mod signing;
mod spec;
mod table;

use std::sync::Arc;

use firmquote_desk::SigningPolicy;
use firmquote_domain::{Amount, Pool, PoolId, Price, Symbol, U256};
use firmquote_market::{PoolState, VolatilityParameters};

pub(crate) use self::table::PoolTable;
use self::{
    breakers::BreakerPolicy,
    table::{ReservesSource, Unproved},
};
use crate::{
    MemoryConfig, StoreConfig,
    chain::ChainConfig,
    document::{
        error::KeyError,
        field::Field,
        values::{setting::OptionalSetting as _, text::one_of},
    },
    signer::SignerConfig,
};

/// A pool contract that the service quotes and signs for.
#[derive(Clone)]
pub struct PoolConfig {
    /// The pool.
    pub pool: Arc<Pool>,
    /// The configured prices of its assets, in order. A price source replaces them.
    pub prices: Vec<Price>,
    /// The prices of its assets, in order, that confirm prices far from the previous ones.
    pub confirmed_prices: Vec<Option<Price>>,
    /// Its configured reserves, or that they are read from the chain.
    pub reserves: ReservesConfig,
    /// How the volatility of each of its pairs is estimated, in order; `None` where it is the configured one.
    pub volatilities: Vec<Option<VolatilityParameters>>,
    /// The signer that signs for it.
    pub signer: SignerConfig,
    /// What holds for its contract although the nodes give no proof.
    pub accepted: AcceptedUnproved,
    /// Limits on its signatures, and its firm levels.
    pub policy: SigningPolicy,
    /// What stops it when it loses value.
    pub breakers: BreakerPolicy,
}

/// What the operator vouches for: the service refuses a pool for which the nodes of its chain cannot prove it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptedUnproved {
    /// `"single_use"`: the contract executes each signature once.
    pub single_use: bool,
    /// `"domain"`: the contract accepts signatures of the configured key under the configured domain.
    pub domain: bool,
}

/// The reserves of a pool.
#[derive(Clone, PartialEq, Eq)]
pub enum ReservesConfig {
    /// The configured reserve of each asset in order, and the pool tokens in circulation, in base units.
    Static(Vec<Amount>, U256),
    /// The balances on the contract's own books, read over the `rpc_urls` of the chain. The configured numbers
    /// are not used.
    Chain,
}

impl PoolConfig {
    /// Creates the pools of the tables at `field`.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid pool, for a duplicate one, and when there is none.
    pub(crate) fn read(
        tables: Vec<PoolTable>,
        field: &Field<'_>,
        chains: &[ChainConfig],
        signers: &[SignerConfig],
    ) -> Result<Vec<Self>, KeyError> {
        let mut pools: Vec<Self> = Vec::new();
        for (table, field) in tables.into_iter().zip(field.entries()) {
            let pool = Self::new(table, &field, chains, signers)?;
            if pools.iter().any(|earlier| earlier.id() == pool.id()) {
                return Err(field.key("address").not_allowed("an address that no other pool of the chain has"));
            }
            pools.push(pool);
        }
        if pools.is_empty() { Err(field.not_allowed("one [[pool]] or more")) } else { Ok(pools) }
    }

    /// Turns off the default breakers of pools beside a store that does not retain pauses: a pause that ends with the
    /// process protects nothing.
    ///
    /// # Errors
    /// [`KeyError`] for breakers that the file configures.
    pub(crate) fn check_breakers(pools: &mut [Self], store: &StoreConfig, root: &Field<'_>) -> Result<(), KeyError> {
        if !matches!(store, StoreConfig::Memory(MemoryConfig { state_directory: None, .. })) {
            return Ok(());
        }
        for (pool, field) in pools.iter_mut().zip(root.key("pool").entries()) {
            let breakers = field.key("breakers");
            if pool.breakers.is_on() && breakers::keys().any(|key| breakers.key(key).is_present()) {
                let allowed = format!("a directory, in which [{}] retains its pauses", breakers.path());
                return Err(root.key("store").key("state_dir").not_allowed(allowed));
            }
            pool.breakers = BreakerPolicy::default();
        }
        Ok(())
    }

    /// Returns the chain id and the contract address.
    pub fn id(&self) -> PoolId {
        self.pool.spec().id
    }

    /// Returns the state of the pool at the configured prices with these reserves, in the order of its assets.
    pub fn state_at_config_prices(&self, reserves: &[Amount], pool_tokens: U256) -> PoolState {
        PoolState::fixed(self.prices.iter().copied().zip(reserves.iter().copied()), pool_tokens)
    }

    /// Returns the configured price of an asset, if the pool lists it.
    pub fn price_of(&self, symbol: &Symbol) -> Option<Price> {
        let (position, _) = self.pool.asset(symbol.as_str())?;
        self.prices.get(position).copied()
    }

    fn new(
        mut table: PoolTable,
        field: &Field<'_>,
        chains: &[ChainConfig],
        signers: &[SignerConfig],
    ) -> Result<Self, KeyError> {
        let chain = chains.iter().find(|chain| chain.id == table.chain_id.0).ok_or_else(|| {
            let ids = chains.iter().map(|chain| chain.id);
            field.key("chain_id").not_allowed(one_of("the id of a [[chain]]", ids))
        })?;
        let signer = table.signer.take().value();
        let signer = signers.iter().find(|one| Some(&one.name) == signer.as_ref()).cloned().ok_or_else(|| {
            let names = signers.iter().map(|signer| &signer.name);
            field.key("signer").not_allowed(one_of("the name of a [[signer]]", names))
        })?;
        let is_on_chain = table.reserves.take().value_or(ReservesSource::Static) == ReservesSource::Chain;
        if is_on_chain && chain.nodes.is_none() {
            return Err(field.key("reserves").not_allowed("\"static\", or rpc_urls in the [[chain]]"));
        }
        let accepted = table.accept_unproved.take().map(|accepted| accepted.0).unwrap_or_default();
        let accepted = AcceptedUnproved {
            single_use: accepted.contains(&Unproved::SingleUse),
            domain: accepted.contains(&Unproved::Domain),
        };
        let policy = SigningPolicy {
            firm_levels: levels::policy(std::mem::take(&mut table.levels), &field.key("levels"))?,
            // Executions of pools whose reserves are in the file are not seen.
            is_unproved: accepted.domain && is_on_chain,
            ..signing::policy(
                std::mem::take(&mut table.signing),
                table.confirmations.take().value_or(0),
                &field.key("signing"),
            )?
        };
        let breakers = breakers::policy(std::mem::take(&mut table.breakers), is_on_chain, &field.key("breakers"))?;
        let (mut prices, mut confirmed_prices, mut reserves) = (Vec::new(), Vec::new(), Vec::new());
        let mut assets = Vec::new();
        for (asset, field) in std::mem::take(&mut table.asset.0).into_iter().zip(field.key("asset").entries()) {
            let (asset, values) = asset::read(asset, &field, is_on_chain)?;
            assets.push(asset);
            prices.push(values.price);
            confirmed_prices.push(values.confirmed_price);
            reserves.extend(values.reserve);
        }
        let (mut pairs, mut volatilities) = (Vec::new(), Vec::new());
        for (pair, field) in std::mem::take(&mut table.pair.0).into_iter().zip(field.key("pair").entries()) {
            let (pair, estimate) = pair::read(pair, &field)?;
            pairs.push(pair);
            volatilities.push(estimate);
        }
        let pool_tokens = table.pool_tokens.take().value_or(U256::ZERO);
        let spec = spec::new(table, chain, assets, pairs);
        let pool = Pool::new(spec.clone()).map_err(|error| invalid::key_error(field.path(), &spec, &error))?;
        spec::check_native(field.path(), chain, &spec.assets)?;
        let reserves = if is_on_chain { ReservesConfig::Chain } else { ReservesConfig::Static(reserves, pool_tokens) };
        Ok(Self {
            pool: Arc::new(pool),
            prices,
            confirmed_prices,
            reserves,
            volatilities,
            signer,
            accepted,
            policy,
            breakers,
        })
    }
}
