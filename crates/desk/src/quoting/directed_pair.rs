//! Resolves symbols to the pools that trade them, and to the state that a price is computed from.

use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, BookTotals, ChainId, Client, FeeCurve, Pair, PoolId, PoolSpec, Price,
    SwapAmount, Symbol, Timestamp, U256, Usd,
};
use firmquote_market::{EstimatedVolatility, PoolState, Snapshot};
use firmquote_pricing::{
    PairAsset, PairState, PreparedPair, PricingError, Swap, fee, max_amount_worth, share_of_fee, sound_bounds,
    value_rounded_down,
};

use crate::{
    AssetKey, Desk, DeskError, ServedPool, UnsupportedInput,
    book::conservative_reserves,
    policy::{TradeLimits, min_discounted_fee},
    quoting::pair_cache::Direction,
};

/// Two assets that trade in a pool, in the direction of a swap, each with its position in the pool.
#[derive(Clone, Copy)]
pub(crate) struct DirectedPair<'a> {
    pub(crate) pool: &'a ServedPool,
    pub(crate) input: (usize, &'a Asset),
    pub(crate) output: (usize, &'a Asset),
    /// The configured pair with its position in the pool.
    pair: (usize, &'a Pair),
}

impl<'a> DirectedPair<'a> {
    /// Returns the directed pair of two assets of the pool, or `None` if they do not trade there.
    pub(crate) fn new(pool: &'a ServedPool, input: (usize, &'a Asset), output: (usize, &'a Asset)) -> Option<Self> {
        let pair = pool.signer().pool().pair(&input.1.symbol, &output.1.symbol)?;
        Some(Self { pool, input, output, pair })
    }

    /// Returns the directed pair of two assets of the pool, or `None` if they do not trade there.
    fn find(pool: &'a ServedPool, [input, output]: [AssetKey<'_>; 2]) -> Option<Self> {
        let listed = pool.signer().pool();
        Self::new(pool, input.find(listed)?, output.find(listed)?)
    }

    pub(crate) fn spec(&self) -> &'a PoolSpec {
        self.pool.spec()
    }

    /// Returns the state that a quote is priced on: that of the pair in `snapshot` with the fee for `time_in_seconds`,
    /// as if the swaps that `totals` sums up had moved the reserves against the quote. Fails if a price or reserve is
    /// not trusted at `now`, and if nothing is left of the output.
    pub(crate) fn state(
        &self,
        snapshot: &Snapshot,
        totals: &BookTotals,
        time_in_seconds: u32,
        now: Timestamp,
    ) -> Result<PairState, DeskError> {
        let reserves = self.reserves(snapshot, time_in_seconds, now)?;
        let block = self.block(snapshot);
        let flows = self.tokens().map(|token| self.pool.flows(totals, token, block));
        conservative_reserves(reserves, flows).ok_or(DeskError::Exhausted)
    }

    /// The input symbol and the output symbol.
    pub(crate) const fn symbols(&self) -> [&'a Symbol; 2] {
        [&self.input.1.symbol, &self.output.1.symbol]
    }

    /// The input token and the output token.
    pub(crate) const fn tokens(&self) -> [Address; 2] {
        [self.input.1.address, self.output.1.address]
    }

    /// Returns the block of the reserves in `snapshot`.
    pub(crate) fn block(&self, snapshot: &Snapshot) -> Option<u64> {
        snapshot.pool(self.spec().id).and_then(|state| state.block)
    }

    /// Returns the age of the reserves in `snapshot`, in seconds, rounded up; 0 for those that do not age.
    pub(crate) fn reserves_age_seconds(&self, snapshot: &Snapshot, now: Timestamp) -> u32 {
        let asset = snapshot.pool(self.spec().id).and_then(|state| state.assets.get(self.input.0));
        let time = asset.and_then(|asset| asset.reserve.as_ref().ok()?.time());
        time.map_or(0, |time| u32::try_from(now.millis_since(time).div_ceil(1_000)).unwrap_or(u32::MAX))
    }

    /// Returns the state of the pair in `snapshot` with the reserves themselves, otherwise like [`Self::state`].
    pub(crate) fn reserves(
        &self,
        snapshot: &Snapshot,
        time_in_seconds: u32,
        now: Timestamp,
    ) -> Result<PairState, DeskError> {
        let spec = self.spec();
        let state = snapshot.pool(spec.id).ok_or(DeskError::Market(spec.id))?;
        Ok(PairState {
            input: side(spec.id, self.input, state, now)?,
            output: side(spec.id, self.output, state, now)?,
            k: spec.k,
            fee: self.fee(state, time_in_seconds),
            max_improvement: spec.max_improvement,
        })
    }

    /// Returns the state of the pair in `snapshot` with the reserves themselves, at these prices and without a fee;
    /// `None` if a reserve is not trusted at `now`.
    pub(crate) fn reserves_at_prices(
        &self,
        snapshot: &Snapshot,
        [input_price, output_price]: [Price; 2],
        now: Timestamp,
    ) -> Option<PairState> {
        let spec = self.spec();
        let state = snapshot.pool(spec.id)?;
        let side = |(position, asset): (usize, &Asset), price| {
            let reserve = state.assets.get(position)?.reserve.as_ref().ok()?.at(now).ok()?;
            Some(PairAsset { reserve, price, weight: asset.weight, decimals: asset.decimals })
        };
        let (input, output) = (side(self.input, input_price)?, side(self.output, output_price)?);
        Some(PairState { input, output, k: spec.k, fee: BasisPoints::default(), max_improvement: spec.max_improvement })
    }

    /// Returns the fee for `time_in_seconds` in `state`.
    pub(crate) fn fee(&self, state: &PoolState, time_in_seconds: u32) -> BasisPoints {
        let (position, pair) = self.pair;
        charged_fee(self.spec(), &fee_curve(position, pair, state), state, time_in_seconds)
    }

    /// Evaluates a state of the pair, reusing the last evaluation of the same state.
    pub(crate) fn prepare(&self, state: &PairState) -> PreparedPair {
        let (position, Pair { assets: [first, _], .. }) = self.pair;
        let direction = if self.input.1.symbol == *first { Direction::Forward } else { Direction::Backward };
        self.pool.pair_cache().prepare(position, direction, state)
    }

    /// Whether a swap priced in `state` would be signed in it: the pool gains with the least share of the fee, also from
    /// a push that pays for more than the stated amounts.
    pub(crate) fn is_sound(&self, state: &PairState, swap: &Swap) -> Result<bool, DeskError> {
        let kept = PairState { fee: share_of_fee(state.fee, self.spec().min_fee_share), ..*state };
        let is_sound = self.prepare(&kept).is_sound(self.spec().pricing_kind(), swap);
        is_sound.map_err(|error| DeskError::Internal(error.to_string()))
    }

    /// Returns the value of the largest trade in `state` that would be signed alone within `limits`; `None` if only the
    /// reserves limit it. Where a push of the largest would not be sound, half of what would be at least.
    pub(crate) fn largest_trade(&self, state: &PairState, limits: &TradeLimits) -> Option<Usd> {
        let output = &state.output;
        let largest = limits.largest_trade(output)?;
        let Some(max) = max_amount_worth(output.price, output.decimals, largest) else { return Some(largest) };
        let prepared = self.prepare(state);
        let [input, output_bound] = sound_bounds(state, share_of_fee(state.fee, self.spec().min_fee_share));
        let sound = match Amount::new(input).map(|input| prepared.offered_output(input)) {
            Some(Ok(output)) => output_bound.min(output.base_units()),
            Some(Err(PricingError::TooLarge { .. })) => output_bound,
            Some(Err(_)) | None => U256::ZERO,
        };
        let is_sound = || {
            let swap = prepared.price(self.spec().pricing_kind(), SwapAmount::ExactOutput(max)).ok()?;
            self.is_sound(state, &swap).ok()
        };
        if max.base_units() <= sound || is_sound() == Some(true) {
            return Some(largest);
        }
        let sound = Amount::new(sound).map(|sound| value_rounded_down(sound, output.price, output.decimals));
        Some(largest.min(sound.unwrap_or_default()))
    }

    /// Returns the lowest fee at which a swap of `time_in_seconds` may have been priced in `snapshot`; `None` if the
    /// volatility is not estimated. The charged fee may be higher, so that it changes rarely.
    pub(crate) fn min_fee(&self, snapshot: &Snapshot, time_in_seconds: u32) -> Option<BasisPoints> {
        let (position, pair) = self.pair;
        let state = snapshot.pool(self.spec().id)?;
        let estimated = estimated(position, state)?;
        let least = FeeCurve { annual_volatility: estimated.estimate, ..fee_curve(position, pair, state) };
        Some(charged_fee(self.spec(), &least, state, time_in_seconds))
    }
}

/// Returns the fee of a swap of `time_in_seconds` with these parameters, adjusted for the client of `state`.
pub(crate) fn charged_fee(spec: &PoolSpec, curve: &FeeCurve, state: &PoolState, time_in_seconds: u32) -> BasisPoints {
    let fee = fee(curve, spec.acceptance_window_seconds, time_in_seconds);
    state.fee_adjustment.apply(fee, min_discounted_fee(spec))
}

/// Returns the fee parameters of a pair: with the current volatility estimate if there is one, otherwise as configured;
/// and with what breakers add to the fee.
pub(crate) fn fee_curve(position: usize, pair: &Pair, state: &PoolState) -> FeeCurve {
    let quoted = estimated(position, state).map(|estimated| estimated.quoted);
    FeeCurve {
        base: pair.fee.base.saturating_add(state.fee_increase),
        annual_volatility: quoted.unwrap_or(pair.fee.annual_volatility),
    }
}

fn estimated(position: usize, state: &PoolState) -> Option<EstimatedVolatility> {
    state.volatilities.get(position).copied().flatten()
}

/// Returns the pricing input of an asset. Fails if its price or reserve is not trusted at `now`.
pub(crate) fn side(
    pool: PoolId,
    (position, asset): (usize, &Asset),
    state: &PoolState,
    now: Timestamp,
) -> Result<PairAsset, DeskError> {
    let asset_state = state.assets.get(position).ok_or(DeskError::Market(pool))?;
    let untrusted = |reason| DeskError::Untrusted { asset: asset.symbol.clone(), reason };
    let (price, reserve) = asset_state.at(now).map_err(untrusted)?;
    Ok(PairAsset { reserve, price, weight: asset.weight, decimals: asset.decimals })
}

impl ServedPool {
    /// Returns the value of the largest trade that would be signed for `client` in an empty book, of any tokens; `None`
    /// if only the reserves limit it.
    pub(crate) fn largest_trade(&self, snapshot: &Snapshot, client: &Client, now: Timestamp) -> Option<Usd> {
        let (limits, time) = (self.limits(snapshot, client, now), self.spec().default_time_in_seconds);
        let largest = |pair: DirectedPair<'_>| pair.largest_trade(&pair.reserves(snapshot, time, now).ok()?, &limits);
        let directions = self.spec().pairs.iter().flat_map(Pair::directions);
        let pairs = directions.filter_map(|symbols| DirectedPair::find(self, symbols.map(AssetKey::from)));
        let largest = pairs.filter_map(largest).max();
        limits.has_limits().then(|| largest.unwrap_or_default())
    }
}

impl Desk {
    /// Returns the symbol of an asset, if any pool of any chain lists it.
    pub fn find_symbol(&self, key: AssetKey<'_>) -> Option<&Symbol> {
        self.pools.iter().find_map(|pool| key.find(pool.signer().pool())).map(|(_, asset)| &asset.symbol)
    }

    /// Whether any pool of the chain trades `input` for `output`.
    pub fn trades(&self, chain_id: ChainId, keys: [AssetKey<'_>; 2]) -> bool {
        let mut chain_pools = self.pools.iter().filter(|pool| pool.spec().id.chain_id == chain_id);
        chain_pools.any(|pool| DirectedPair::find(pool, keys).is_some())
    }

    /// Returns the symbol under which `pool` lists `token`.
    pub fn symbol_of(&self, pool: PoolId, token: Address) -> Option<&Symbol> {
        let pool = self.pool(pool)?.spec();
        pool.assets.iter().find(|asset| asset.address == token).map(|asset| &asset.symbol)
    }

    /// Returns the pools of a chain in configured order, or only the one at `address`; at least one.
    pub(crate) fn pools_of(
        &self,
        chain_id: ChainId,
        address: Option<Address>,
    ) -> Result<impl Iterator<Item = &ServedPool> + Clone, DeskError> {
        let chain_pools = self.pools.iter().filter(move |pool| pool.spec().id.chain_id == chain_id);
        if chain_pools.clone().next().is_none() {
            return Err(unsupported(UnsupportedInput::Chain, &chain_id));
        }
        let matching = chain_pools.filter(move |pool| address.is_none_or(|address| pool.spec().id.address == address));
        match address {
            Some(address) if matching.clone().next().is_none() => Err(unsupported(UnsupportedInput::Pool, &address)),
            _ => Ok(matching),
        }
    }

    /// Returns the pools at an address, on every chain or only on `chain`, in configured order; at least one.
    pub(crate) fn pools_at(&self, address: Address, chain: Option<ChainId>) -> Result<Vec<&ServedPool>, DeskError> {
        if let Some(chain) = chain {
            return Ok(self.pools_of(chain, Some(address))?.collect());
        }
        let matching: Vec<_> = self.pools.iter().filter(|pool| pool.spec().id.address == address).collect();
        if matching.is_empty() { Err(unsupported(UnsupportedInput::Pool, &address)) } else { Ok(matching) }
    }
}

/// Returns every directed pair in these pools that swaps the input for the output; at least one.
pub(crate) fn directed_pairs<'a>(
    pools: impl Iterator<Item = &'a ServedPool> + Clone,
    keys: [AssetKey<'_>; 2],
) -> Result<impl Iterator<Item = DirectedPair<'a>>, DeskError> {
    let mut found = pools.clone().filter_map(move |pool| DirectedPair::find(pool, keys)).peekable();
    if found.peek().is_some() {
        return Ok(found);
    }
    let [input, output] = keys;
    let lists = |key: AssetKey<'_>| pools.clone().any(|pool| key.find(pool.signer().pool()).is_some());
    Err(if !lists(input) {
        unsupported(input.unsupported(true), &input)
    } else if !lists(output) {
        unsupported(output.unsupported(false), &output)
    } else {
        unsupported(UnsupportedInput::Pair, &format_args!("{input}/{output}"))
    })
}

pub(crate) fn unsupported(input: UnsupportedInput, value: &dyn std::fmt::Display) -> DeskError {
    DeskError::Unsupported { input, value: value.to_string() }
}
