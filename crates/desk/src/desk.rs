//! The desk: combines pools, their keys and policies, the market, the store and the clock.

use std::{collections::HashMap, sync::Arc};

use arc_swap::Guard;
use firmquote_domain::{
    Address, Asset, BookTotals, Client, Clock, FeeAdjustment, Pool, PoolId, PoolSpec, Symbol, Timestamp, TokenFlows,
    Usd,
};
use firmquote_market::{Market, Snapshot};
use firmquote_pricing::value_rounded_down;
use firmquote_signer::{NoKey, PoolSigner};
use firmquote_store::Store;

use crate::{
    ClientTerms, DeskError, FirmLevelsState, InitialPoolValue, OperatorView, OutstandingPolicy, Pauses, PoolBook,
    PricedState, RequestRecorder, SigningPolicy,
    policy::{ClientTermsTable, TradeLimits},
    quoting::pair_cache::PairCache,
    quoting::pool_states::{PoolStates, PricingInputs, RetainedState, hash_pricing},
};

/// A served pool with its key, its signing policy and cached evaluations of its pairs.
#[derive(Clone, Debug)]
pub struct ServedPool {
    /// Limits and account rules for signatures.
    pub policy: SigningPolicy,
    signer: PoolSigner,
    pair_cache: Arc<PairCache>,
    initial_value: Arc<InitialPoolValue>,
    client_terms: Arc<ClientTermsTable>,
    book: Arc<PoolBook>,
    states: Arc<PoolStates>,
    pricing_hash: [u8; 32],
}

/// The use cases of quoting, signing and pool data. Shared by all requests; no quote waits for a lock.
pub struct Desk {
    /// The pools to quote for. The first pool of each chain is that chain's default.
    pub pools: Vec<ServedPool>,
    /// Pause state of the pools.
    pub pauses: Arc<Pauses>,
    /// Current prices and reserves.
    pub market: Arc<Market>,
    /// Quotes, books and firm levels.
    pub store: Arc<dyn Store>,
    /// State of firm levels.
    pub firm_levels: Arc<FirmLevelsState>,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Recent signatures and price sources, for the operator's page.
    pub operator_view: Arc<OperatorView>,
    /// Receives each request with its result, if requests are recorded.
    pub recorder: Option<Arc<dyn RequestRecorder>>,
}

impl Desk {
    /// The pool with this id, if it is served.
    pub fn pool(&self, id: PoolId) -> Option<&ServedPool> {
        self.pools.iter().find(|pool| pool.id() == id)
    }
}

impl Desk {
    /// Replaces the terms of the clients that have any, for all pools.
    pub fn set_client_terms(&self, terms: &HashMap<Arc<str>, ClientTerms>) {
        self.pools.iter().for_each(|pool| pool.client_terms.replace(terms));
    }

    /// Returns the terms of `client`; `None` if it has none of its own.
    pub(crate) fn client_terms(&self, client: &Client) -> Option<Arc<ClientTerms>> {
        self.pools.first()?.client_terms.find(client)
    }

    /// Returns how the fees of `client` are adjusted.
    pub(crate) fn fee_adjustment(&self, client: &Client) -> FeeAdjustment {
        self.client_terms(client).map(|terms| terms.fee_adjustment).unwrap_or_default()
    }

    /// Returns the newest snapshot of the market, with the fees of `client`.
    pub(crate) fn snapshot_for(&self, client: &Client) -> Guard<Arc<Snapshot>> {
        self.market.adjusted_snapshot(self.fee_adjustment(client))
    }
}

impl From<PoolSigner> for ServedPool {
    /// A pool without signing limits.
    fn from(signer: PoolSigner) -> Self {
        Self::new(signer, SigningPolicy::default())
    }
}

impl ServedPool {
    /// Creates a served pool from its signing key and policy.
    pub fn new(signer: PoolSigner, policy: SigningPolicy) -> Self {
        let pair_cache = Arc::new(PairCache::new(signer.pool()));
        let pricing_hash = hash_pricing(signer.pool().spec());
        Self {
            policy,
            signer,
            pair_cache,
            initial_value: Arc::default(),
            client_terms: Arc::default(),
            book: Arc::default(),
            states: Arc::default(),
            pricing_hash,
        }
    }

    /// Creates a pool that is quoted and never signed for.
    pub fn without_key(pool: Arc<Pool>, policy: SigningPolicy) -> Self {
        Self::new(PoolSigner::new(pool, Arc::new(NoKey)), policy)
    }

    /// Replaces the initial value, so that limits stay capped by a pool value that was known earlier.
    #[must_use]
    pub fn with_initial_value(mut self, initial_value: Arc<InitialPoolValue>) -> Self {
        self.initial_value = initial_value;
        self
    }

    /// Replaces the copy of the pool's book by one that is followed already.
    #[must_use]
    pub fn with_book(mut self, book: Arc<PoolBook>) -> Self {
        self.book = book;
        self
    }

    /// Continues with the states that `previous` returned to clients, so that these stay available, also those of
    /// another configuration of the pool.
    #[must_use]
    pub fn with_states_of(mut self, previous: &Self) -> Self {
        self.states = Arc::clone(&previous.states);
        self
    }

    /// Chain and contract.
    pub fn id(&self) -> PoolId {
        self.spec().id
    }

    /// This replica's copy of the pool's book.
    pub const fn book(&self) -> &Arc<PoolBook> {
        &self.book
    }

    /// Returns the flows that may move the reserve of `token` against a swap, as of `block`: outstanding swaps, and
    /// those that a reorganization of the latest blocks would undo.
    pub(crate) fn flows(&self, totals: &BookTotals, token: Address, block: Option<u64>) -> TokenFlows {
        totals.adverse_flows(token, block, self.policy.outstanding.confirmations)
    }

    /// Returns what outstanding swaps may move of `token`, as of `block`.
    pub fn outstanding_flows(&self, token: Address, block: Option<u64>) -> TokenFlows {
        self.book.totals().flows(token, block)
    }

    /// The pool's value when the value of all its assets was first known; bounds the limits.
    pub const fn initial_value(&self) -> &Arc<InitialPoolValue> {
        &self.initial_value
    }

    /// Returns the limits for `client`, at the value in `snapshot` of the prices and reserves trusted at `now`.
    pub(crate) fn limits(&self, snapshot: &Snapshot, client: &Client, now: Timestamp) -> TradeLimits {
        self.limits_at(client, self.limit_value(snapshot, now))
    }

    /// Returns the limits for `client` at a value of the pool.
    pub(crate) fn limits_at(&self, client: &Client, pool_value: Usd) -> TradeLimits {
        TradeLimits::new(&self.policy, client, self.client_terms.find(client).as_deref(), pool_value)
    }

    /// Returns the limits for a client with credentials and these terms, as [`Self::limits`] does. Clients of the version
    /// with levels have credentials, and these limits are the same for all of them.
    pub(crate) fn limits_of_named(&self, terms: &ClientTerms, snapshot: &Snapshot, now: Timestamp) -> TradeLimits {
        let client = Client::Named(Arc::from(""));
        TradeLimits::new(&self.policy, &client, Some(terms), self.limit_value(snapshot, now))
    }

    /// Returns the limits on outstanding swaps of `client`.
    pub(crate) fn outstanding_policy(&self, client: &Client) -> OutstandingPolicy {
        self.policy.outstanding.of_client(self.client_terms.find(client).as_deref())
    }

    /// Checks that the terms of `client` allow it to trade these assets with this pool.
    ///
    /// # Errors
    /// [`DeskError::ClientTerms`] if they do not.
    pub(crate) fn check_terms(&self, client: &Client, assets: [&Symbol; 2]) -> Result<(), DeskError> {
        let is_allowed = self.client_terms.find(client).is_none_or(|terms| terms.allows(self.id(), assets));
        if is_allowed { Ok(()) } else { Err(DeskError::ClientTerms) }
    }

    /// Returns the pool value to which limits refer.
    pub(crate) fn limit_value(&self, snapshot: &Snapshot, now: Timestamp) -> Usd {
        let (current, is_complete) = self.value(snapshot, now);
        match self.policy.max_pool_value {
            Some(max) => max.min(current),
            None => self.initial_value.cap(current, is_complete),
        }
    }

    /// Returns the value of the trusted reserves, rounded down, and whether these are all reserves of the pool.
    fn value(&self, snapshot: &Snapshot, now: Timestamp) -> (Usd, bool) {
        let (state, assets) = (snapshot.pool(self.spec().id), &self.spec().assets);
        let worth_of = |(position, asset): (usize, &Asset)| {
            let (price, reserve) = state?.assets.get(position)?.at(now).ok()?;
            Some(value_rounded_down(reserve, price, asset.decimals))
        };
        let add = |(total, is_complete): (u64, bool), worth: Option<Usd>| match worth {
            Some(worth) => (total.saturating_add(worth.steps()), is_complete),
            None => (total, false),
        };
        let (steps, is_complete) = assets.iter().enumerate().map(worth_of).fold((0, true), add);
        (Usd::new(steps), is_complete)
    }

    /// The pool and its signing key.
    pub const fn signer(&self) -> &PoolSigner {
        &self.signer
    }

    pub(crate) fn states(&self) -> &PoolStates {
        &self.states
    }

    /// Returns the state of the pool in `snapshot` with the book of `totals`, and remembers it; `None` if the snapshot
    /// does not have the pool.
    pub(crate) fn remember_state(
        &self,
        snapshot: &Snapshot,
        totals: &Arc<BookTotals>,
        now: Timestamp,
    ) -> Option<Arc<RetainedState>> {
        Some(self.states.remember(self.pricing_inputs(snapshot, totals)?, &self.pricing_hash, now))
    }

    /// Returns the state of the pool in `snapshot` with the book of `totals`, to be recorded; `None` if the snapshot does
    /// not have the pool.
    pub(crate) fn priced_state(
        &self,
        snapshot: &Snapshot,
        totals: &Arc<BookTotals>,
        pool_value: Usd,
    ) -> Option<PricedState> {
        Some(PricedState { inputs: self.pricing_inputs(snapshot, totals)?, pool_value })
    }

    fn pricing_inputs(&self, snapshot: &Snapshot, totals: &Arc<BookTotals>) -> Option<PricingInputs> {
        Some(PricingInputs {
            pool: Arc::clone(self.signer.pool()),
            confirmations: self.policy.outstanding.confirmations,
            market: Arc::clone(snapshot.pool(self.id())?),
            totals: Arc::clone(totals),
        })
    }

    pub(crate) fn pair_cache(&self) -> &PairCache {
        &self.pair_cache
    }

    pub(crate) fn spec(&self) -> &PoolSpec {
        self.signer.pool().spec()
    }
}
