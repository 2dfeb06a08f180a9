//! Quoting: the best swap of the pools that can serve a request, as a quote that is stored until it expires.

use std::sync::Arc;

use arc_swap::Guard;
use firmquote_domain::{
    Address, BookTotals, ChainId, Client, Leg, LevelsId, Quote, QuoteId, SignedQuote, SourceNetwork, StateId,
    SwapAmount, Terms, Timestamp,
};
use firmquote_market::Snapshot;
use firmquote_pricing::{PairState, Swap};

use crate::{
    AssetKey, Desk, DeskError,
    policy::TradeLimits,
    quoting::directed_pair::{DirectedPair, directed_pairs},
    quoting::price::{best_of, good_until, price, validate_time},
    quoting::request_recorder::{Inquiry, Operation, StateLog},
};

/// A request for a firm quote.
#[derive(Clone, Debug)]
pub struct QuoteRequest<'a> {
    /// The requesting client, which will own the quote.
    pub client: Client,
    /// Where a request without credentials came from, if that is known.
    pub source_network: Option<SourceNetwork>,
    /// The chain to swap on.
    pub chain_id: ChainId,
    /// The input asset.
    pub input: AssetKey<'a>,
    /// The output asset.
    pub output: AssetKey<'a>,
    /// Which amount is fixed, and its size.
    pub amount: SwapAmount,
    /// Seconds between accepting and landing on chain; the pool's default when absent.
    pub time_in_seconds: Option<u32>,
    /// The pool to quote; the best one when absent.
    pub pool_address: Option<Address>,
    /// Firm levels that the quote must honor.
    pub levels_id: Option<LevelsId>,
    /// The id of the quote, such as [`quote_id_of_key`](crate::quote_id_of_key): a request to quote and sign with the id of an
    /// earlier one gets its answer. Random when absent, and not with firm levels.
    pub quote_id: Option<QuoteId>,
}

impl QuoteRequest<'_> {
    /// Returns the id of the quote.
    pub(crate) fn quote_id(&self) -> QuoteId {
        self.quote_id.unwrap_or_else(|| QuoteId::from_bytes(uuid::Uuid::new_v4().into_bytes()))
    }
}

impl Desk {
    /// Makes a quote and stores it until its `must_accept_by`: one store call, no lock, no other I/O.
    ///
    /// Selects the pool with the largest output or, for a fixed output, the smallest input. A quote that names firm
    /// levels takes two more store calls, and is signed regardless of prices.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`], [`DeskError::NotAllowed`], [`DeskError::TooLarge`], [`DeskError::TooSmall`],
    /// [`DeskError::Exhausted`], [`DeskError::SwapsDisabled`] if the request cannot be served; [`DeskError::Paused`] if
    /// the operator paused the pool; [`DeskError::TooManyQuotes`] for a client that holds its share of the store;
    /// [`DeskError::Levels`] if the named levels do not apply; [`DeskError::Market`], [`DeskError::Untrusted`] and
    /// [`DeskError::Store`] for temporary failures.
    pub async fn quote(&self, request: &QuoteRequest<'_>) -> Result<Quote, DeskError> {
        self.quote_for(request, Operation::Quote).await
    }

    /// Quotes for an operation of a client, or of the desk itself.
    pub(crate) async fn quote_for(
        &self,
        request: &QuoteRequest<'_>,
        operation: fn(Inquiry) -> Operation,
    ) -> Result<Quote, DeskError> {
        let (now, mut states) = (self.clock.now(), self.state_log());
        let quote = self.quote_at(request, now, &mut states).await;
        self.record(|| operation(self.inquiry(request)), &request.client, now, states, quote.as_ref());
        quote
    }

    async fn quote_at(
        &self,
        request: &QuoteRequest<'_>,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<Quote, DeskError> {
        let quote = match request.levels_id {
            None => self.make_quote(request, now, states)?,
            Some(id) => Box::pin(self.make_firm_quote(request, id, now, states)).await?,
        };
        self.store.insert(&quote, now).await.map_err(DeskError::from_store)?;
        Ok(quote)
    }

    /// Quotes and signs in one step: without an id, the quote is never stored unsigned.
    ///
    /// # Errors
    /// Those of [`Self::quote`] and [`Self::sign`]; for a quote that names firm levels, [`DeskError::Levels`] instead
    /// of [`DeskError::Conflict`].
    pub async fn quote_and_sign(&self, request: &QuoteRequest<'_>, terms: Terms) -> Result<SignedQuote, DeskError> {
        let (now, mut states) = (self.clock.now(), self.state_log());
        let signed = match (request.quote_id, request.levels_id) {
            (Some(id), _) => Box::pin(self.sign_once(request, id, &terms, now, &mut states)).await,
            (None, Some(levels)) => Box::pin(self.sign_firm_quote(request, levels, &terms, now, &mut states)).await,
            (None, None) => match self.make_quote(request, now, &mut states) {
                Ok(quote) => self.sign_unsigned(&quote, &terms, false, &mut StateLog::disabled()).await,
                Err(error) => Err(error),
            },
        };
        if signed.as_ref().is_ok_and(|signed| signed.quote.created_at != now) {
            // Made for an earlier request, on other states.
            states.clear();
        }
        let quote = signed.as_ref().map(|signed| &signed.quote);
        self.record(|| Operation::QuoteAndSign(self.inquiry(request)), &request.client, now, states, quote);
        signed
    }

    /// Returns the best quote at `now`, without storing it: it cannot be signed. Firm levels are not considered.
    ///
    /// # Errors
    /// Those of [`Self::quote`], but for the store.
    pub fn price(&self, request: &QuoteRequest<'_>, now: Timestamp) -> Result<Quote, DeskError> {
        self.make_quote(request, now, &mut StateLog::disabled())
    }

    pub(crate) fn make_quote(
        &self,
        request: &QuoteRequest<'_>,
        now: Timestamp,
        states: &mut StateLog,
    ) -> Result<Quote, DeskError> {
        let pools = self.pools_of(request.chain_id, request.pool_address)?;
        let snapshot = self.snapshot_for(&request.client);
        let candidates = directed_pairs(pools, [request.input, request.output])?.map(|directed_pair| {
            let pool = directed_pair.pool;
            pool.check_terms(&request.client, directed_pair.symbols())?;
            self.pauses.check(pool.id(), directed_pair.output.1.address, now)?;
            let (totals, pool_value) = (pool.book().totals(), pool.limit_value(&snapshot, now));
            states.push(|| pool.priced_state(&snapshot, &totals, pool_value));
            let limits = pool.limits_at(&request.client, pool_value);
            OfferCandidate::new(directed_pair, request, &snapshot, totals, limits, now)
        });
        let best = best_of(candidates, |one, other| one.swap.is_better_than(&other.swap))?;
        let state_id = best.state_id(&snapshot, now)?;
        let must_accept_by = now.plus_seconds(best.directed_pair.spec().acceptance_window_seconds);
        best.into_quote(request, state_id, must_accept_by, now)
    }
}

/// The swap that one pool would offer.
pub(crate) struct OfferCandidate<'a> {
    pub(crate) directed_pair: DirectedPair<'a>,
    pub(crate) state: PairState,
    pub(crate) totals: Guard<Arc<BookTotals>>,
    pub(crate) block: Option<u64>,
    pub(crate) time_in_seconds: u32,
    pub(crate) swap: Swap,
}

impl<'a> OfferCandidate<'a> {
    pub(crate) fn new(
        directed_pair: DirectedPair<'a>,
        request: &QuoteRequest<'_>,
        snapshot: &Snapshot,
        totals: Guard<Arc<BookTotals>>,
        limits: TradeLimits,
        now: Timestamp,
    ) -> Result<Self, DeskError> {
        let spec = directed_pair.spec();
        if !spec.swaps_enabled {
            return Err(DeskError::SwapsDisabled);
        }
        let time_in_seconds = validate_time(spec, request.time_in_seconds)?;
        let state = directed_pair.state(snapshot, &totals, time_in_seconds, now)?;
        let swap = price(&directed_pair, &state, request.amount, &limits)?;
        Ok(Self { directed_pair, state, totals, block: directed_pair.block(snapshot), time_in_seconds, swap })
    }

    /// Returns the id of the state in `snapshot`, which is remembered.
    pub(crate) fn state_id(&self, snapshot: &Snapshot, now: Timestamp) -> Result<StateId, DeskError> {
        let retained = self.directed_pair.pool.remember_state(snapshot, &self.totals, now);
        retained.map(|state| state.id).ok_or(DeskError::Market(self.directed_pair.spec().id))
    }

    /// Returns the quote, computed in the state `state_id`.
    pub(crate) fn into_quote(
        self,
        request: &QuoteRequest<'_>,
        state_id: StateId,
        must_accept_by: Timestamp,
        now: Timestamp,
    ) -> Result<Quote, DeskError> {
        let Self { directed_pair, state, block, time_in_seconds, swap, .. } = self;
        let spec = directed_pair.spec();
        let expires_at = must_accept_by.seconds().checked_add(time_in_seconds);
        let expires_at = expires_at.ok_or_else(|| DeskError::Internal("the clock is past the year 2106".into()))?;
        Ok(Quote {
            id: request.quote_id(),
            client: request.client.clone(),
            source_network: request.source_network,
            pool: spec.id,
            input: Leg {
                token: directed_pair.input.1.address,
                decimals: state.input.decimals,
                amount: swap.input,
                price: state.input.price,
                reserve: state.input.reserve,
            },
            output: Leg {
                token: directed_pair.output.1.address,
                decimals: state.output.decimals,
                amount: swap.output,
                price: state.output.price,
                reserve: state.output.reserve,
            },
            fixed: request.amount.side(),
            fee: state.fee,
            time_in_seconds,
            block,
            state_id,
            levels: None,
            created_at: now,
            must_accept_by,
            good_until: good_until(spec, &state, &swap, expires_at)?,
        })
    }
}
