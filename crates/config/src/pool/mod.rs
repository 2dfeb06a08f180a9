//! `[[pool]]`: the pool contracts that the service quotes and signs for.

use crate::{
    chain::{ChainConfig, chain_id},
    document::{
        error::KeyError,
        reader::{Field, Keys, Table},
        values::one_of,
    },
    signer::SignerConfig,
};

pub(crate) mod accounts;
mod asset;
mod invalid;
mod levels;
mod pair;
mod signing;
mod spec;

use std::sync::Arc;

use firmquote_desk::SigningPolicy;
use firmquote_domain::{Amount, InvalidValue, MAX_REORG_DEPTH, Pool, PoolId, Price, Symbol, U256, parse_decimal};
use firmquote_market::{PoolState, VolatilityParameters};

/// A `[[pool]]`.
#[derive(Clone)]
pub struct PoolConfig {
    /// The pool. `chain_id` names a `[[chain]]`; `address`, `domain` (`name` and `version`, 1 to 128 characters each),
    /// `good_until` (`verified` or `plain`), `k` (0 to below 1, 18 decimals), two `[[pool.asset]]` or more and one
    /// `[[pool.pair]]` or more are required. Defaults: `acceptance_window_seconds` 12 (1 to 3600),
    /// `min_time_in_seconds` 1, `default_time_in_seconds` 60, `max_time_in_seconds` 120, or `default_time_in_seconds`
    /// if that is more (1 to 86400 each, in this order), `last_look_tolerance_bps` 0 (below 10000), `min_trade_usd`
    /// 0.10, `settlement` `curve`, `single_use` false, `least_fee_share` 0.5 (0 to below 1), `confirmations` 0 (to 64),
    /// `swaps_enabled` true.
    pub pool: Arc<Pool>,
    /// `price_usd` of its assets, in order. A `[[price_source]]` replaces the price.
    pub prices: Vec<Price>,
    /// `confirm_price_usd` of its assets, in order: confirms a price that is far from the previous one.
    pub confirmed_prices: Vec<Option<Price>>,
    /// Its configured reserves, or that they are read from the chain.
    pub reserves: ReservesConfig,
    /// How the volatility of each of its pairs is estimated, in order; `None` where `annual_volatility` applies.
    pub volatilities: Vec<Option<VolatilityParameters>>,
    /// `signer`: the `[[signer]]` that signs for it; required.
    pub signer: SignerConfig,
    /// `accept_unproved`: what holds for its contract although the nodes give no proof, by default nothing.
    pub accepted: AcceptedUnproved,
    /// `signing`: limits on its signatures. Default: shares of its value. `levels`: its firm levels. Default: none.
    pub policy: SigningPolicy,
}

/// What the operator vouches for: the service refuses a pool for which the nodes of its chain cannot prove it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptedUnproved {
    /// `"single_use"`: the contract executes each signature once.
    pub single_use: bool,
    /// `"domain"`: the contract accepts signatures of the configured key under the configured domain.
    pub domain: bool,
}

/// `reserves` of a `[[pool]]`.
#[derive(Clone, PartialEq, Eq)]
pub enum ReservesConfig {
    /// `static`, the default: `reserve` of each asset in order, and `pool_tokens` in circulation, in base units,
    /// default 0.
    Static(Vec<Amount>, U256),
    /// `chain`: the balances on the contract's own books, read over the `rpc_urls` of the chain. The configured numbers
    /// are not used.
    Chain,
}

pub(crate) const KEYS: Keys = Keys::new(&[
    "chain_id",
    "address",
    "signer",
    "domain",
    "good_until",
    "k",
    "acceptance_window_seconds",
    "min_time_in_seconds",
    "default_time_in_seconds",
    "max_time_in_seconds",
    "last_look_tolerance_bps",
    "min_trade_usd",
    "settlement",
    "single_use",
    "accept_unproved",
    "least_fee_share",
    "confirmations",
    "swaps_enabled",
    "pool_tokens",
    "reserves",
    "signing",
    "levels",
    "asset",
    "pair",
]);

impl PoolConfig {
    /// Reads all tables.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key, for a duplicate pool, and when there is none.
    pub(crate) fn read_all(
        field: Field<'_>,
        chains: &[ChainConfig],
        signers: &[SignerConfig],
    ) -> Result<Vec<Self>, KeyError> {
        let none = field.not_allowed("one [[pool]] or more");
        let mut pools: Vec<Self> = Vec::new();
        for table in field.tables(&KEYS)? {
            let pool = Self::read(&table, chains, signers)?;
            if pools.iter().any(|earlier| earlier.id() == pool.id()) {
                return Err(table.field("address").not_allowed("an address that no other pool of the chain has"));
            }
            pools.push(pool);
        }
        if pools.is_empty() { Err(none) } else { Ok(pools) }
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

    fn read(table: &Table<'_>, chains: &[ChainConfig], signers: &[SignerConfig]) -> Result<Self, KeyError> {
        let chain = chain_of(&table.field("chain_id"), chains)?;
        let signer = signer_of(&table.field("signer"), signers)?;
        let is_on_chain = is_on_chain(table.field("reserves"), chain)?;
        let assets = table.field("asset").tables(&asset::KEYS)?;
        let assets = assets.iter().map(|asset| asset::read(asset, is_on_chain)).collect::<Result<Vec<_>, _>>()?;
        let (assets, states): (Vec<_>, Vec<_>) = assets.into_iter().unzip();
        let prices = states.iter().map(|state| state.price).collect();
        let confirmed_prices = states.iter().map(|state| state.confirmed_price).collect();
        let pairs = table.field("pair").tables(&pair::KEYS)?;
        let (pairs, volatilities): (Vec<_>, Vec<_>) =
            pairs.iter().map(pair::read).collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let spec = spec::read(table, chain, assets, pairs)?;
        let pool_tokens = table.field("pool_tokens").or(U256::ZERO, |field| field.base_units(whole))?;
        let pool = Pool::new(spec.clone()).map_err(|error| invalid::key_error(table.path(), &spec, &error))?;
        spec::check_native(table.path(), chain, &spec.assets)?;
        let reserves = match is_on_chain {
            true => ReservesConfig::Chain,
            false => ReservesConfig::Static(states.iter().filter_map(|state| state.reserve).collect(), pool_tokens),
        };
        let mut policy = signing::read(&table.field("signing").table(&signing::KEYS)?)?;
        let confirmations =
            table.field("confirmations").or(0, |field| field.integer(0..=MAX_REORG_DEPTH, " blocks"))?;
        policy.outstanding.confirmations = confirmations;
        policy.firm_levels = levels::read(&table.field("levels").table(&levels::KEYS)?)?;
        let accepted = accepted_unproved(&table.field("accept_unproved"))?;
        // Executions of pools whose reserves are in the file are not seen.
        policy.is_unproved = accepted.domain && is_on_chain;
        Ok(Self { pool: Arc::new(pool), prices, confirmed_prices, reserves, volatilities, signer, accepted, policy })
    }
}

fn accepted_unproved(field: &Field<'_>) -> Result<AcceptedUnproved, KeyError> {
    let mut accepted = AcceptedUnproved::default();
    if !field.is_present() {
        return Ok(accepted);
    }
    for item in field.list("\"single_use\" and \"domain\"")? {
        match item.word(&[("single_use", true), ("domain", false)])? {
            true => accepted.single_use = true,
            false => accepted.domain = true,
        }
    }
    Ok(accepted)
}

fn chain_of<'c>(field: &Field<'_>, chains: &'c [ChainConfig]) -> Result<&'c ChainConfig, KeyError> {
    let id = chain_id(field)?;
    let chain = chains.iter().find(|chain| chain.id == id);
    chain.ok_or_else(|| field.not_allowed(one_of("the id of a [[chain]]", chains.iter().map(|chain| chain.id))))
}

fn signer_of(field: &Field<'_>, signers: &[SignerConfig]) -> Result<SignerConfig, KeyError> {
    let allowed = one_of("the name of a [[signer]]", signers.iter().map(|signer| &signer.name));
    field.text(&allowed, |text| signers.iter().find(|signer| signer.name == text).cloned().ok_or(()))
}

/// Whether reserves are read from the chain, which requires nodes.
fn is_on_chain(field: Field<'_>, chain: &ChainConfig) -> Result<bool, KeyError> {
    let kinds = [("static", false), ("chain", true)];
    let is_on_chain = field.clone().or(false, |field| field.word(&kinds))?;
    match is_on_chain && chain.nodes.is_none() {
        true => Err(field.not_allowed("\"static\", or rpc_urls in the [[chain]]")),
        false => Ok(is_on_chain),
    }
}

/// Parses an amount in base units, zero included.
fn whole(text: &str) -> Result<U256, InvalidValue> {
    match parse_decimal(text, 0)? {
        (_, true) => Err(InvalidValue::Malformed { expected: "a decimal integer of base units" }),
        (base_units, false) => Ok(base_units),
    }
}
