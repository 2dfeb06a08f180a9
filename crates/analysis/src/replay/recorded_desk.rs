//! Desks on recorded states: real ones, whose market and books are what the tape says.

use std::{collections::HashMap, sync::Arc};

use firmquote_desk::{Desk, FirmLevelsState, Pauses, PoolBook, ServedPool};
use firmquote_domain::{BookTotals, ManualClock, Timestamp};
use firmquote_market::{AssetState, EstimatedVolatility, Market, PoolState, Rejection, Snapshot, Trusted};
use firmquote_store::MemoryStore;
use firmquote_tape::{ConfigurationRow, RecordedAsset, RecordedPair, RequestRow, SegmentFiles, StateRow};

use super::ReplayError;
use crate::RecordedConfiguration;

/// The number of desks that are kept for further requests on the same states.
const MAX_DESKS: usize = 64;

/// The desks of the requests of a segment.
pub(crate) struct SegmentDesks {
    /// The pools of each configuration, by its hash.
    configurations: HashMap<String, Vec<ServedPool>>,
    states: HashMap<String, StateRow>,
    desks: HashMap<(String, Vec<String>), Arc<Desk>>,
}

impl SegmentDesks {
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
        Ok(Self { configurations, states, desks: HashMap::new() })
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
        let dangling = |name: &str| ReplayError::Dangling {
            quote: row.quote_id.map_or_else(|| "-".to_owned(), |id| id.to_string()),
            name: name.to_owned(),
        };
        let pools = self
            .configurations
            .get(&row.configuration)
            .ok_or_else(|| dangling(&format!("configuration {}", row.configuration)))?;
        let state = |id: &String| {
            let state = self.states.get(id)?;
            let pool = pools.iter().find(|pool| pool.id() == state.pool)?;
            Some((pool, state))
        };
        let states = row.states.iter().map(|id| state(id).ok_or_else(|| dangling(&format!("state {id}"))));
        let desk = Arc::new(desk(states.collect::<Result<_, _>>()?));
        if self.desks.len() >= MAX_DESKS {
            self.desks.clear();
        }
        self.desks.insert(key, Arc::clone(&desk));
        Ok(desk)
    }
}

/// Returns a desk that quotes these pools in these states. It has no keys.
fn desk(states: Vec<(&ServedPool, &StateRow)>) -> Desk {
    let snapshot =
        states.iter().fold(Snapshot::default(), |snapshot, (pool, state)| snapshot.with(pool.id(), pool_state(state)));
    let pools = states.iter().map(|(pool, state)| pool_in(pool, state)).collect();
    let store = Arc::new(MemoryStore::new(1));
    Desk {
        pools,
        pauses: Arc::new(Pauses::with_paused(Arc::clone(&store) as _, std::collections::BTreeSet::new())),
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
    let assets = pool.signer().pool().spec().assets.iter();
    let flows = assets.zip(&state.assets).map(|(asset, recorded)| (asset.address, recorded.flows));
    let mut pool = pool.clone().with_book(Arc::new(PoolBook::from(BookTotals::from_outstanding(flows))));
    // The value that was in force: never above that of the state.
    pool.policy.max_pool_value = Some(state.pool_value);
    pool
}

fn pool_state(state: &StateRow) -> PoolState {
    let estimated = |pair: &RecordedPair| {
        let (quoted, estimate) = pair.volatility.zip(pair.estimate)?;
        Some(EstimatedVolatility { quoted, estimate })
    };
    PoolState {
        assets: state.assets.iter().map(asset_state).collect(),
        block: state.block,
        pool_tokens: state.pool_tokens,
        volatilities: state.pairs.iter().map(estimated).collect(),
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
