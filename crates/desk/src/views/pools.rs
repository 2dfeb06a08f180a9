//! Pool data, and pausing of pools.

use std::sync::Arc;

use firmquote_domain::{Address, Asset, BasisPoints, ChainId, Client, Pair, PoolId, StateId, Symbol, U256, Usd};
use firmquote_pricing::{PairAsset, target_values_in_usd, value_in_usd};
use firmquote_store::{Actor, BreakerStep};

use crate::{
    AssetView, Desk, DeskError, PoolView, ServedPool,
    quoting::directed_pair::{charged_fee, fee_curve, side},
    quoting::pool_states::RetainedState,
    quoting::price::validate_time,
};

impl Desk {
    /// Returns the chain's default pool, the first one configured, as seen by `client`.
    ///
    /// # Errors
    /// Those of [`Self::pools`].
    pub fn default_pool(
        &self,
        chain_id: ChainId,
        time_in_seconds: Option<u32>,
        client: &Client,
    ) -> Result<PoolView, DeskError> {
        let first =
            self.pools_of(chain_id, None)?.next().ok_or_else(|| DeskError::Internal("a chain without pools".into()))?;
        self.current_view(first, time_in_seconds, client)
    }

    /// Returns the pools of a chain in configured order, or only the one at `pool_address`, as seen by `client`. A pool
    /// that does not allow `time_in_seconds`, or currently has nothing to quote, is omitted; if no pool remains, an
    /// error is returned.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] for an unknown chain or pool, [`DeskError::NotAllowed`] for a `time_in_seconds`
    /// outside every pool's range, [`DeskError::Market`] and [`DeskError::Untrusted`] if no pair of any pool has known
    /// and trusted prices and reserves. If the reasons differ, that of the first pool is returned.
    pub fn pools(
        &self,
        chain_id: ChainId,
        pool_address: Option<Address>,
        time_in_seconds: Option<u32>,
        client: &Client,
    ) -> Result<Vec<PoolView>, DeskError> {
        let (mut views, mut refusal) = (Vec::new(), None);
        for pool in self.pools_of(chain_id, pool_address)? {
            match self.current_view(pool, time_in_seconds, client) {
                Ok(view) => views.push(view),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        refusal.filter(|_| views.is_empty()).map_or(Ok(views), Err)
    }

    /// Returns the pool at `pool_address` in the state `id`, which a quote or pool data returned in the last minute:
    /// with the configuration that it had then. The largest trade is not part of a state; it has its current value.
    ///
    /// # Errors
    /// Those of [`Self::pools`]; [`DeskError::NotAllowed`] if this replica has returned no such state.
    pub fn pool_in_state(
        &self,
        chain_id: ChainId,
        pool_address: Option<Address>,
        id: StateId,
        time_in_seconds: Option<u32>,
        client: &Client,
    ) -> Result<PoolView, DeskError> {
        let (now, fee_adjustment) = (self.clock.now(), self.fee_adjustment(client));
        let retained = |pool: &ServedPool| pool.states().find(id, fee_adjustment, now);
        let found = self.pools_of(chain_id, pool_address)?.find_map(|pool| Some((pool, retained(pool)?)));
        let reason =
            || "is unknown: a state is kept for one minute, and only by the replica that returned it".to_owned();
        let (pool, state) = found.ok_or_else(|| DeskError::NotAllowed { field: "state_id", reason: reason() })?;
        let largest_trade = pool.largest_trade(&self.snapshot_for(client), client, now);
        view(pool, &state, time_in_seconds, largest_trade)
    }

    /// Pauses or resumes the pool at `address` on every replica that shares the store; on every chain that has a pool
    /// at this address, or only on `chain`; records that `actor` did so. Returns the affected pools.
    ///
    /// A paused pool is neither quoted nor signed for. Signatures already released stay valid on chain and are returned
    /// again on request.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] for an unknown pool; those of [`Pauses::set`](crate::Pauses::set).
    pub async fn set_paused(
        &self,
        address: Address,
        chain: Option<ChainId>,
        is_paused: bool,
        actor: Actor,
    ) -> Result<Vec<PoolId>, DeskError> {
        let pool_ids: Vec<PoolId> = self.pools_at(address, chain)?.iter().map(|pool| pool.spec().id).collect();
        self.pauses.set(&pool_ids, is_paused, Some(actor), self.clock.now()).await?;
        Ok(pool_ids)
    }

    /// Whether resuming the pool at `address`, on every chain or only on `chain`, ends a pause of a breaker.
    pub fn is_stopped_by_breaker(&self, address: Address, chain: Option<ChainId>) -> bool {
        let is_meant = |pool: PoolId| pool.address == address && chain.is_none_or(|chain| chain == pool.chain_id);
        let trips = self.pauses.trips(self.clock.now());
        trips.iter().any(|trip| is_meant(trip.key.pool) && trip.step == BreakerStep::Pause)
    }

    fn current_view(
        &self,
        pool: &ServedPool,
        time_in_seconds: Option<u32>,
        client: &Client,
    ) -> Result<PoolView, DeskError> {
        let (now, snapshot) = (self.clock.now(), self.snapshot_for(client));
        let largest_trade = pool.largest_trade(&snapshot, client, now);
        let state = pool.remember_state(&snapshot, &pool.book().totals(), now);
        view(pool, &*state.ok_or(DeskError::Market(pool.id()))?, time_in_seconds, largest_trade)
    }
}

/// Returns `pool` in a state, with the values that were trusted when it was returned to a client.
fn view(
    served: &ServedPool,
    retained: &RetainedState,
    time_in_seconds: Option<u32>,
    largest_trade: Option<Usd>,
) -> Result<PoolView, DeskError> {
    let (inputs, now) = (&retained.inputs, retained.returned_at);
    let (pool, state) = (&inputs.pool, &inputs.market);
    let spec = pool.spec();
    let time_in_seconds = validate_time(spec, time_in_seconds)?;
    let sides = spec.assets.iter().enumerate().map(|asset| side(spec.id, asset, state, now));
    let sides: Vec<Result<PairAsset, DeskError>> = sides.collect();
    let is_quoted = |symbol: &Symbol| {
        pool.asset(symbol.as_str()).and_then(|(position, _)| sides.get(position)).is_some_and(Result::is_ok)
    };
    let fee_of = |(position, pair): (usize, &Pair)| {
        let charged = || charged_fee(spec, &fee_curve(position, pair, state), state, time_in_seconds);
        pair.assets.iter().all(is_quoted).then(charged)
    };
    let fees: Vec<Option<BasisPoints>> = spec.pairs.iter().enumerate().map(fee_of).collect();
    if fees.iter().all(Option::is_none) {
        return Err(sides.into_iter().find_map(Result::err).unwrap_or(DeskError::Market(spec.id)));
    }
    let all_sides: Option<Vec<PairAsset>> = sides.into_iter().map(Result::ok).collect();
    let targets = all_sides.map(|sides| target_values_in_usd(&sides)).unwrap_or_default();
    let asset = |(position, asset): (usize, &Asset)| {
        let asset_state = state.assets.get(position)?;
        let (price, reserve) = (asset_state.price_at(now).ok(), asset_state.reserve_at(now).ok());
        let value = price.zip(reserve).map(|(price, reserve)| value_in_usd(reserve, price, asset.decimals));
        let target_value_in_usd = targets.get(position).copied();
        let flows = inputs.flows(asset.address).with_push_excess();
        let [outstanding_inflow, outstanding_outflow] = [flows.inflow, flows.outflow].map(U256::saturating_from);
        Some(AssetView {
            price,
            reserve,
            outstanding_inflow,
            outstanding_outflow,
            value_in_usd: value,
            target_value_in_usd,
        })
    };
    let assets = spec.assets.iter().enumerate().map(|entry| asset(entry).unwrap_or_default());
    let assets: Vec<AssetView> = assets.collect();
    Ok(PoolView {
        pool: Arc::clone(pool),
        signer: served.signer().address(),
        value_in_usd: assets.iter().map(|asset| asset.value_in_usd).sum(),
        assets,
        largest_trade,
        state_id: retained.id,
        block_number: state.block,
        block_time: state.assets.iter().find_map(|asset| asset.reserve.as_ref().ok()?.time()),
        pool_tokens: state.pool_tokens,
        time_in_seconds,
        fees,
    })
}
