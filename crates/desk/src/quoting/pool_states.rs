//! The states that quotes of a pool were priced on, by id, retained so that clients can recompute their quotes.

use std::{collections::VecDeque, iter, sync::Arc};

use alloy_primitives::map::HashMap;
use arc_swap::ArcSwap;
use firmquote_domain::{
    Address, BasisPoints, BookTotals, FeeAdjustment, GoodUntilKind, Pool, PoolSpec, StateId, Symbol, Timestamp,
    TokenFlows,
};
use firmquote_market::PoolState;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// Maximum number of retained states of a pool and an adjustment of fees: those of 70 seconds at up to 234 a second.
const MAX_STATES: usize = 16_384;

/// Maximum number of adjustments of fees whose newest state is found without a lock.
const MAX_NEWEST: usize = 64;

/// How long a state is retained after it was last returned to a client, in seconds.
const RETENTION_SECONDS: u32 = 60;

/// The age at which a state that is still current is stored again, in seconds.
const RENEWAL_SECONDS: u32 = 10;

/// The usual length of what a state is hashed from, for a pool of a few assets, in bytes.
const STATE_CAPACITY: usize = 256;

/// The latest states of a pool that were returned to clients, also those before its last reconfiguration.
#[derive(Debug, Default)]
pub(crate) struct PoolStates {
    /// The newest of each adjustment of fees. Read without a lock: most quotes are made in the same state as the previous
    /// one.
    newest: ArcSwap<Vec<Arc<RetainedState>>>,
    /// Those of each adjustment, so that the states of some clients do not displace those of others.
    retained: Mutex<HashMap<FeeAdjustment, Retained>>,
}

#[derive(Debug, Default)]
struct Retained {
    /// Oldest first. A state that was stored again is contained twice.
    by_age: VecDeque<Arc<RetainedState>>,
    /// The latest state with each id.
    by_id: HashMap<StateId, Arc<RetainedState>>,
}

/// The inputs of all prices of a pool.
#[derive(Clone, Debug)]
pub(crate) struct PricingInputs {
    pub(crate) pool: Arc<Pool>,
    /// The block depth at which an execution makes room.
    pub(crate) confirmations: u64,
    pub(crate) market: Arc<PoolState>,
    pub(crate) totals: Arc<BookTotals>,
}

/// A state of a pool, with its id.
#[derive(Debug)]
pub(crate) struct RetainedState {
    pub(crate) id: StateId,
    /// When it was returned to a client.
    pub(crate) returned_at: Timestamp,
    pub(crate) inputs: PricingInputs,
}

impl PricingInputs {
    /// Whether these are the same inputs. Does not compare contents: equal inputs may differ.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.totals, &other.totals)
            && Arc::ptr_eq(&self.market, &other.market)
            && Arc::ptr_eq(&self.pool, &other.pool)
            && self.confirmations == other.confirmations
    }

    /// Hashes everything that prices of the pool depend on. `pricing_hash` is the [`hash_pricing`] of the pool.
    pub(crate) fn state_id(&self, pricing_hash: &[u8; 32]) -> StateId {
        let market = &self.market;
        let mut text = Vec::with_capacity(STATE_CAPACITY);
        text.extend_from_slice(pricing_hash);
        text.extend_from_slice(&market.block.unwrap_or(u64::MAX).to_be_bytes());
        for (asset, state) in self.pool.spec().assets.iter().zip(&market.assets) {
            text.extend_from_slice(&state.price.as_ref().map_or(0, |price| price.value.steps()).to_be_bytes());
            let reserve = state.reserve.as_ref().map(|reserve| reserve.value.base_units());
            let flows = self.flows(asset.address);
            push_integer(&mut text, reserve.unwrap_or_default().as_le_slice());
            push_integer(&mut text, flows.inflow.as_le_slice());
            push_integer(&mut text, flows.outflow.as_le_slice());
        }
        for volatility in &market.volatilities {
            let quoted = volatility.map_or(u64::MAX, |estimated| estimated.quoted.steps().into());
            text.extend_from_slice(&quoted.to_be_bytes());
        }
        if market.fee_increase != BasisPoints::default() {
            text.extend_from_slice(&market.fee_increase.hundredths().to_be_bytes());
        }
        if !market.fee_adjustment.is_none() {
            text.push(market.fee_adjustment.is_discount().into());
            text.extend_from_slice(&market.fee_adjustment.size().hundredths().to_be_bytes());
        }
        let mut bytes = [0; 16];
        Sha256::digest(&text).iter().zip(&mut bytes).for_each(|(digit, byte)| *byte = *digit);
        StateId::from_bytes(bytes)
    }

    /// Returns the flows that may move the reserve of `token` against a swap.
    pub(crate) fn flows(&self, token: Address) -> TokenFlows {
        self.totals.adverse_flows(token, self.market.block, self.confirmations)
    }
}

impl RetainedState {
    /// Whether the state was returned to a client less than `seconds` ago.
    fn is_newer_than(&self, seconds: u32, now: Timestamp) -> bool {
        now < self.returned_at.plus_seconds(seconds)
    }

    /// Whether a state with these inputs, returned at `now`, need not be stored.
    fn is_current(&self, inputs: &PricingInputs, now: Timestamp) -> bool {
        self.inputs.is_same(inputs) && self.is_newer_than(RENEWAL_SECONDS, now)
    }
}

impl PoolStates {
    /// Returns the state of a pool with these inputs, and remembers it. Nothing is hashed or locked unless anything
    /// differs from the last call. `pricing_hash` is the [`hash_pricing`] of the pool.
    pub(crate) fn remember(
        &self,
        inputs: PricingInputs,
        pricing_hash: &[u8; 32],
        now: Timestamp,
    ) -> Arc<RetainedState> {
        let fee_adjustment = inputs.market.fee_adjustment;
        let is_adjusted_so = |newest: &&Arc<RetainedState>| newest.inputs.market.fee_adjustment == fee_adjustment;
        let newest = self.newest.load();
        if let Some(current) = newest.iter().find(is_adjusted_so).filter(|newest| newest.is_current(&inputs, now)) {
            return Arc::clone(current);
        }
        let id = inputs.state_id(pricing_hash);
        let mut all = self.retained.lock();
        all.retain(|_, retained| retained.has_newer_than(RETENTION_SECONDS + RENEWAL_SECONDS, now));
        let retained = all.entry(fee_adjustment).or_default();
        // Another thread may have stored it meanwhile.
        let stored = retained.by_id.get(&id).filter(|stored| stored.is_current(&inputs, now)).cloned();
        let state = stored.unwrap_or_else(|| {
            let state = Arc::new(RetainedState { id, returned_at: now, inputs });
            retained.push(Arc::clone(&state), now);
            state
        });
        let others = newest.iter().filter(|newest| !is_adjusted_so(newest)).cloned();
        self.newest.store(Arc::new(iter::once(Arc::clone(&state)).chain(others).take(MAX_NEWEST).collect()));
        state
    }

    /// Returns the state with this id, if it was returned to a client with this adjustment of fees, or with none, in the
    /// last minute.
    pub(crate) fn find(
        &self,
        id: StateId,
        fee_adjustment: FeeAdjustment,
        now: Timestamp,
    ) -> Option<Arc<RetainedState>> {
        let all = self.retained.lock();
        let mut visible = [fee_adjustment, FeeAdjustment::default()].into_iter().filter_map(|of| all.get(&of));
        let found = visible.find_map(|retained| retained.by_id.get(&id)).cloned();
        found.filter(|state| state.is_newer_than(RETENTION_SECONDS + RENEWAL_SECONDS, now))
    }
}

impl Retained {
    /// Whether any state was returned to a client less than `seconds` ago.
    fn has_newer_than(&self, seconds: u32, now: Timestamp) -> bool {
        self.by_age.back().is_some_and(|newest| newest.is_newer_than(seconds, now))
    }

    /// Adds a state, and removes those that are too old or too many.
    fn push(&mut self, state: Arc<RetainedState>, now: Timestamp) {
        self.by_id.insert(state.id, Arc::clone(&state));
        self.by_age.push_back(state);
        let retention = RETENTION_SECONDS + RENEWAL_SECONDS;
        let is_over = |states: &VecDeque<Arc<RetainedState>>| {
            states.len() > MAX_STATES || states.front().is_some_and(|oldest| !oldest.is_newer_than(retention, now))
        };
        while is_over(&self.by_age)
            && let Some(oldest) = self.by_age.pop_front()
        {
            if self.by_id.get(&oldest.id).is_some_and(|latest| Arc::ptr_eq(latest, &oldest)) {
                self.by_id.remove(&oldest.id);
            }
        }
    }
}

/// Appends an integer to what is hashed: the number of its bytes and these, least significant first, without the zeros
/// at its end.
fn push_integer(text: &mut Vec<u8>, little_endian: &[u8]) {
    let length = little_endian.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    text.push(u8::try_from(length).unwrap_or(u8::MAX));
    text.extend(little_endian.iter().take(length));
}

/// Hashes the configuration that prices of a pool depend on: with equal market data and flows, pools with equal hashes
/// give equal quotes.
pub(crate) fn hash_pricing(spec: &PoolSpec) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(spec.id.chain_id.get().to_be_bytes());
    hash.update(spec.id.address);
    hash.update(spec.k.steps().to_be_bytes());
    // Whether the contract checks the curve, which may lower amounts.
    hash.update([u8::from(spec.pricing_kind() == GoodUntilKind::Verified)]);
    // States without a bound of the offer keep their ids.
    if let Some(max_improvement) = spec.max_improvement {
        hash.update(max_improvement.hundredths().to_be_bytes());
    }
    // Fees depend on the window, too.
    hash.update(spec.acceptance_window_seconds.to_be_bytes());
    let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX).to_be_bytes();
    hash.update(count(spec.assets.len()));
    for asset in &spec.assets {
        hash.update(asset.address);
        hash.update([asset.decimals.get()]);
        hash.update(asset.weight.get().to_be_bytes());
    }
    let position = |symbol: &Symbol| spec.assets.iter().position(|asset| asset.symbol == *symbol).unwrap_or(usize::MAX);
    for pair in &spec.pairs {
        pair.assets.iter().for_each(|symbol| hash.update(count(position(symbol))));
        hash.update(pair.fee.base.hundredths().to_be_bytes());
        hash.update(pair.fee.annual_volatility.steps().to_be_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{
        Amount, Asset, BasisPoints, Chain, ChainId, Decimals, FeeCurve, Pair, PoolConstant, PoolId, Price,
        SigningDomain, U256, Usd, Volatility, Weight,
    };

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn spec() -> PoolSpec {
        let asset = |symbol, byte| Asset {
            symbol: Symbol::new(symbol).unwrap(),
            address: Address::repeat_byte(byte),
            decimals: Decimals::new(18).unwrap(),
            weight: Weight::new(100).unwrap(),
        };
        let fee = FeeCurve { base: "5".parse().unwrap(), annual_volatility: "0.6".parse().unwrap() };
        let assets = vec![asset("ETH", 1), asset("USDC", 2)];
        let pairs = vec![Pair { assets: [assets[0].symbol.clone(), assets[1].symbol.clone()], fee }];
        let chain = Chain {
            name: "Ethereum".into(),
            native_symbol: Symbol::new("ETH").unwrap(),
            wrapped_native: Address::repeat_byte(1),
        };
        PoolSpec {
            min_fee_share: BasisPoints::default(),
            max_time_in_seconds: 600,
            min_trade: Usd::new(1),
            ..PoolSpec::new(
                PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
                chain,
                SigningDomain { name: "pool".into(), version: "1".into() },
                GoodUntilKind::Verified,
                "0.06".parse().unwrap(),
                assets,
                pairs,
            )
        }
    }

    fn market(price: u64) -> Arc<PoolState> {
        let side = |price| (Price::new(price).unwrap(), Amount::new(U256::from(1_000)).unwrap());
        Arc::new(PoolState::fixed([side(price), side(1)], U256::ZERO))
    }

    fn inputs(spec: PoolSpec, market: &Arc<PoolState>) -> PricingInputs {
        let pool = Arc::new(Pool::new(spec).unwrap());
        PricingInputs { pool, confirmations: 0, market: Arc::clone(market), totals: Arc::default() }
    }

    #[test]
    fn a_changed_pricing_parameter_changes_the_id() {
        let market = market(1);
        let id = |change: fn(&mut PoolSpec)| {
            let mut spec = spec();
            change(&mut spec);
            let hash = hash_pricing(&spec);
            inputs(spec, &market).state_id(&hash)
        };
        let changes: [fn(&mut PoolSpec); 8] = [
            |_| (),
            |spec| spec.k = "0.05".parse::<PoolConstant>().unwrap(),
            |spec| spec.assets[1].weight = Weight::new(101).unwrap(),
            |spec| spec.assets[1].decimals = Decimals::new(6).unwrap(),
            |spec| spec.pairs[0].fee.base = "6".parse::<BasisPoints>().unwrap(),
            |spec| spec.pairs[0].fee.annual_volatility = "0.5".parse::<Volatility>().unwrap(),
            |spec| spec.acceptance_window_seconds = 13,
            |spec| spec.good_until = GoodUntilKind::Plain,
        ];
        let ids: std::collections::HashSet<_> = changes.map(id).into_iter().collect();
        assert_eq!(ids.len(), changes.len());
        // What no price depends on is not part of a state.
        assert_eq!(id(|spec| spec.max_time_in_seconds = 700), id(|_| ()));
    }

    #[test]
    fn a_state_that_returns_is_stored_once_and_found_until_it_is_too_old() {
        let (states, [first, second]) = (PoolStates::default(), [market(1), market(2)].map(|it| inputs(spec(), &it)));
        let hash = hash_pricing(&spec());
        let remember = |inputs: &PricingInputs, now| states.remember(inputs.clone(), &hash, now);
        let ids = [remember(&first, NOW).id, remember(&second, NOW).id];
        // A thread that still has the older snapshot.
        assert_eq!(remember(&first, NOW).id, ids[0]);
        assert_eq!(remember(&second, NOW).id, ids[1]);
        let stored = || states.retained.lock()[&FeeAdjustment::default()].by_age.len();
        assert_eq!(stored(), 2);
        let renewed_at = NOW.plus_seconds(RENEWAL_SECONDS);
        remember(&second, renewed_at);
        assert_eq!(stored(), 3);
        let late = NOW.plus_seconds(RETENTION_SECONDS + RENEWAL_SECONDS);
        assert!(states.find(ids[0], FeeAdjustment::default(), late).is_none());
        assert_eq!(
            states.find(ids[1], FeeAdjustment::default(), late).unwrap().returned_at,
            renewed_at,
            "the latest with this id"
        );
        remember(&second, late);
        assert_eq!(stored(), 2, "the oldest are gone");
        assert_eq!(states.retained.lock()[&FeeAdjustment::default()].by_id.len(), 1);
    }
}
