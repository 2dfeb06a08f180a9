//! Desks on recorded states: real ones, whose market and books are what the tape says.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use firmquote_desk::{Desk, FirmLevelsState, Pauses, PoolBook, ServedPool};
use firmquote_domain::{
    Asset, BookTotals, FirmLevels, LevelsId, ManualClock, Pair, PoolSpec, Symbol, Timestamp, U256, Volatility,
};
use firmquote_market::{
    AssetState, EstimatedVolatility, Market, PoolState, Rejection, Snapshot, Trusted, VolatilityParameters,
};
use firmquote_store::MemoryStore;
use firmquote_tape::{ConfigurationRow, LevelsRow, RecordedAsset, RecordedPair, RequestRow, SegmentFiles, StateRow};

use super::error::ReplayError;
use crate::RecordedConfiguration;

/// The number of desks that are kept for further requests on the same states.
const MAX_DESKS: usize = 64;

/// A pool with the rules of the volatility estimates of its pairs, in their order; `None` where the configured volatility
/// applies.
#[derive(Clone)]
pub struct PoolWithVolatilities {
    /// The pool.
    pub pool: ServedPool,
    /// The rules.
    pub volatilities: Vec<Option<VolatilityParameters>>,
}

/// The desks of the requests of a segment.
pub(crate) struct SegmentDesks<'p> {
    /// The pools of each configuration, by its hash.
    configurations: HashMap<String, Vec<ServedPool>>,
    /// Pools that replace those of every configuration.
    replacements: Option<&'p [PoolWithVolatilities]>,
    states: HashMap<String, StateRow>,
    levels: HashMap<(LevelsId, Timestamp), FirmLevels>,
    desks: HashMap<(String, Vec<String>), Arc<Desk>>,
}

impl<'p> SegmentDesks<'p> {
    /// Reads what the requests of a segment name.
    ///
    /// # Errors
    /// [`ReplayError`] for files that cannot be read.
    pub(crate) fn read(segment: &SegmentFiles) -> Result<Self, ReplayError> {
        let configurations = segment.read::<ConfigurationRow>()?.into_iter().map(|row| {
            let pools = RecordedConfiguration::pools(&row)?;
            Ok((row.hash, pools))
        });
        let configurations = configurations.collect::<Result<_, ReplayError>>()?;
        let states = segment.read::<StateRow>()?.into_iter().map(|row| (row.id.clone(), row)).collect();
        let levels = segment.read::<LevelsRow>()?.into_iter();
        let levels = levels.map(|row| ((row.levels.id, row.levels.valid_until), row.levels)).collect();
        Ok(Self { configurations, replacements: None, states, levels, desks: HashMap::new() })
    }

    /// Returns the firm levels that a request was priced at, and what others used of them; `None` if there were none.
    ///
    /// # Errors
    /// [`ReplayError::Dangling`] if the segment lacks them.
    pub(crate) fn levels(&self, row: &RequestRow) -> Result<Option<(&FirmLevels, U256)>, ReplayError> {
        let Some((id, levels)) = row.levels_id.zip(row.levels) else { return Ok(None) };
        let found = self.levels.get(&(id, levels.valid_until));
        found.map(|found| Some((found, levels.used))).ok_or_else(|| dangling(row, &format!("levels {id}")))
    }

    /// Replaces the pools of every configuration: those that are not among them are not served.
    pub(crate) fn with_pools(self, pools: &'p [PoolWithVolatilities]) -> Self {
        Self { configurations: HashMap::new(), replacements: Some(pools), ..self }
    }

    /// Returns the desk that a request was priced by: the pools that it considered, in their states.
    ///
    /// # Errors
    /// [`ReplayError::Dangling`] if the segment lacks what the request names.
    pub(crate) fn desk(&mut self, row: &RequestRow) -> Result<Arc<Desk>, ReplayError> {
        let key = (row.configuration.clone(), row.states.clone());
        if let Some(desk) = self.desks.get(&key) {
            return Ok(Arc::clone(desk));
        }
        let states =
            row.states.iter().map(|id| self.states.get(id).ok_or_else(|| dangling(row, &format!("state {id}"))));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let desk = match self.replacements {
            Some(pools) => desk(states.iter().filter_map(|state| {
                let replaced = pools.iter().find(|pool| pool.pool.id() == state.pool)?;
                Some((&replaced.pool, Some(&*replaced.volatilities), *state))
            })),
            None => {
                let name = || format!("configuration {}", row.configuration);
                let pools = self.configurations.get(&row.configuration).ok_or_else(|| dangling(row, &name()))?;
                let pool = |state: &StateRow| pools.iter().find(|pool| pool.id() == state.pool);
                let pools =
                    states.iter().map(|state| pool(state).ok_or_else(|| dangling(row, &state.pool.to_string())));
                let pools = pools.collect::<Result<Vec<_>, _>>()?;
                desk(pools.into_iter().zip(&states).map(|(pool, state)| (pool, None, *state)))
            }
        };
        let desk = Arc::new(desk);
        if self.desks.len() >= MAX_DESKS {
            self.desks.clear();
        }
        self.desks.insert(key, Arc::clone(&desk));
        Ok(desk)
    }
}

/// The error of a request that names what its segment lacks.
fn dangling(row: &RequestRow, name: &str) -> ReplayError {
    let quote = row.quote_id.map_or_else(|| "-".to_owned(), |id| id.to_string());
    ReplayError::Dangling { quote, name: name.to_owned() }
}

/// Returns a desk that quotes these pools in these states. It has no keys.
fn desk<'s>(
    states: impl Iterator<Item = (&'s ServedPool, Option<&'s [Option<VolatilityParameters>]>, &'s StateRow)>,
) -> Desk {
    let (mut snapshot, mut pools) = (Snapshot::default(), Vec::new());
    for (pool, rules, state) in states {
        snapshot = snapshot.with(pool.id(), pool_state(pool.signer().pool().spec(), rules, state));
        pools.push(pool_in(pool, state));
    }
    let store = Arc::new(MemoryStore::new(1));
    Desk {
        pools,
        pauses: Arc::new(Pauses::with_paused(Arc::clone(&store) as _, BTreeSet::new())),
        market: Arc::new(Market::new(snapshot)),
        firm_levels: Arc::new(FirmLevelsState::new(Timestamp::from_micros(0))),
        store,
        clock: Arc::new(ManualClock::at(Timestamp::from_micros(0))),
        operator_view: Arc::default(),
        recorder: None,
    }
}

/// Returns the pool beside the outstanding swaps of `state`, with its limits.
fn pool_in(pool: &ServedPool, state: &StateRow) -> ServedPool {
    let asset = |symbol: &Symbol| pool.signer().pool().asset(symbol.as_str());
    let flows = state.assets.iter().filter_map(|recorded| Some((asset(&recorded.symbol)?.1.address, recorded.flows)));
    let book = PoolBook::from(BookTotals::from_outstanding(flows));
    let mut pool = pool.clone().with_book(Arc::new(book));
    // The value that was in force, which is never above that of the state.
    pool.policy.max_pool_value = pool.policy.max_pool_value.into_iter().chain([state.pool_value]).min();
    pool
}

/// Returns the state of a pool: the recorded values of its assets and pairs, by their symbols. With `rules`, those pairs
/// without one have the configured volatility, and the others a recorded one within its bounds.
fn pool_state(spec: &PoolSpec, rules: Option<&[Option<VolatilityParameters>]>, state: &StateRow) -> PoolState {
    let asset = |asset: &Asset| {
        let recorded = state.assets.iter().find(|recorded| recorded.symbol == asset.symbol);
        let unknown = || AssetState { price: Err(Rejection::Silent), reserve: Err(Rejection::Silent) };
        recorded.map_or_else(unknown, asset_state)
    };
    let estimated = |(position, pair): (usize, &Pair)| {
        let is_same = |recorded: &&RecordedPair| pair.assets.iter().all(|symbol| recorded.symbols.contains(symbol));
        let recorded = state.pairs.iter().find(is_same)?;
        let (quoted, estimate) = recorded.volatility.zip(recorded.estimate)?;
        match rules {
            None => Some(EstimatedVolatility { quoted, estimate }),
            Some(rules) => {
                let VolatilityParameters { floor, ceiling, .. } = rules.get(position).copied().flatten()?;
                let within = |volatility: Volatility| volatility.max(floor).min(ceiling);
                Some(EstimatedVolatility { quoted: within(quoted), estimate: within(estimate) })
            }
        }
    };
    PoolState {
        assets: spec.assets.iter().map(asset).collect(),
        block: state.block,
        block_hash: None,
        pool_tokens: state.pool_tokens,
        volatilities: spec.pairs.iter().enumerate().map(estimated).collect(),
        fee_increase: state.fee_increase,
        fee_adjustment: state.fee_adjustment,
    }
}

fn asset_state(asset: &RecordedAsset) -> AssetState {
    let since = |time: Option<Timestamp>| time.unwrap_or(Timestamp::from_micros(0));
    let until = |time: Option<Timestamp>| time.unwrap_or(Timestamp::from_micros(u64::MAX));
    let trusted = |price| Trusted { value: price, since: since(asset.price_time), until: until(asset.price_until) };
    let reserve =
        |amount| Trusted { value: amount, since: since(asset.reserve_time), until: until(asset.reserve_until) };
    AssetState {
        price: asset.price.map(trusted).ok_or(Rejection::Silent),
        reserve: asset.reserve.map(reserve).ok_or(Rejection::Silent),
    }
}
