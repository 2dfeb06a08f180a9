//! What a feed of events tells: the entries of the store, and the positions of pools.

use firmquote_domain::{Address, Asset, B256, ChainId, PoolId, QuoteId, Timestamp, TokenFlows, U256};
use firmquote_store::{EventCursor, EventPage};

use crate::{Desk, DeskError, ServedPool};

/// What a pool holds in the newest block that was read, and what signed swaps may still move: everything a hedge is computed
/// from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolPosition {
    /// The pool.
    pub pool: PoolId,
    /// The number of the block.
    pub block_number: u64,
    /// The hash of the block.
    pub block_hash: Option<B256>,
    /// The time of the block.
    pub block_time: Option<Timestamp>,
    /// The number of blocks after which a block counts as final enough.
    pub confirmations: u64,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// Its assets, in the pool's order.
    pub assets: Vec<AssetPosition>,
}

/// The position of an asset. Amounts are in base units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetPosition {
    /// The asset.
    pub asset: Asset,
    /// What the pool holds.
    pub balance: U256,
    /// The most that outstanding swaps can bring in and take out.
    pub outstanding: TokenFlows,
}

impl Desk {
    /// Returns at most `count` entries of each stream after a cursor; only the cursor after all of them with `None`.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached, or keeps none.
    pub async fn events(&self, after: Option<&EventCursor>, count: usize) -> Result<EventPage, DeskError> {
        self.store.events(after, count).await.map_err(DeskError::from_store)
    }

    /// Checks that there are pools on a chain.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] if there are none.
    pub fn check_chain(&self, chain_id: ChainId) -> Result<(), DeskError> {
        self.pools_of(chain_id, None).map(drop)
    }

    /// Returns the input and the output token of a quote that is stored; `None` if it is not.
    pub async fn tokens_of(&self, id: QuoteId) -> Option<[Address; 2]> {
        let found = self.store.find(id, self.clock.now()).await.ok().flatten()?;
        Some([found.quote.input.token, found.quote.output.token])
    }

    /// Returns the positions of the pools whose reserves are read from a chain, as far as they are known.
    pub fn positions(&self) -> Vec<PoolPosition> {
        let snapshot = self.market.snapshot();
        let position = |pool: &ServedPool| {
            let state = snapshot.pool(pool.id())?;
            let block = state.block?;
            let assets = pool.spec().assets.iter().zip(&state.assets).map(|(asset, state)| {
                let balance = state.reserve.as_ref().map(|reserve| reserve.value.base_units()).unwrap_or_default();
                let outstanding = pool.outstanding_flows(asset.address, Some(block)).with_push_excess();
                AssetPosition { asset: asset.clone(), balance, outstanding }
            });
            Some(PoolPosition {
                pool: pool.id(),
                block_number: block,
                block_hash: state.block_hash,
                block_time: state.assets.iter().find_map(|asset| asset.reserve.as_ref().ok()?.time()),
                confirmations: pool.policy.outstanding.confirmations,
                pool_tokens: state.pool_tokens,
                assets: assets.collect(),
            })
        };
        self.pools.iter().filter_map(position).collect()
    }
}
