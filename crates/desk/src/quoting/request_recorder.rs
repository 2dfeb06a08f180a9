//! The port to which the desk hands each request to quote or sign: what was requested, the states that it was priced on,
//! and its result; and the firm levels that are published.

use std::sync::Arc;

use firmquote_domain::{
    Address, ChainId, Client, FirmLevels, LevelsId, Pool, Quote, QuoteId, StateId, SwapAmount, Symbol, Timestamp,
    TokenFlows, U256, Usd,
};
use firmquote_market::PoolState;

use super::pool_states::{PricingInputs, hash_pricing};
use crate::Condition;

/// Receives each request to quote or sign with its result, and the firm levels that are published.
pub trait RequestRecorder: Send + Sync {
    /// Records a request. Never blocks: the client waits.
    fn record(&self, request: RecordedRequest);

    /// Records firm levels that are published at `now`. Never blocks: subscribers wait.
    fn record_levels(&self, levels: FirmLevels, now: Timestamp);

    /// Returns whether what is recorded is kept. Never unready: quotes do not depend on it.
    fn condition(&self) -> Condition;
}

/// A request to quote or sign, with its result.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    /// What was requested.
    pub operation: Operation,
    /// The requesting client.
    pub client: Client,
    /// When the desk received it: the time at which it was priced.
    pub received_at: Timestamp,
    /// When the result was known.
    pub finished_at: Timestamp,
    /// The states of all pools that were considered; of [`Operation::Sign`] that of the last look.
    pub states: Vec<PricedState>,
    /// The use of firm levels, if the request was priced at some.
    pub levels: Option<LevelsUse>,
    /// The quote, or the [name](crate::DeskError::name) of the refusal.
    pub result: Result<Quote, &'static str>,
}

/// The firm levels that a request was priced at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelsUse {
    /// The levels.
    pub levels: Box<FirmLevels>,
    /// What other quotes of the client use of them, in base units of the input.
    pub used: U256,
}

/// What was requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A quote.
    Quote(Inquiry),
    /// A quote to replace one that conflicts with latest prices, made by the desk itself.
    Requote(Inquiry),
    /// A quote, signed at once.
    QuoteAndSign(Inquiry),
    /// The signature of a quote.
    Sign(QuoteId),
}

/// What a quote was requested for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// The chain to swap on.
    pub chain_id: ChainId,
    /// The input and the output; `None` for a symbol that no pool lists.
    pub symbols: [Option<Symbol>; 2],
    /// Which amount is fixed, and its size.
    pub amount: SwapAmount,
    /// Seconds between accepting and landing on chain, if the client named them.
    pub time_in_seconds: Option<u32>,
    /// The pool, if the client named one.
    pub pool_address: Option<Address>,
    /// The firm levels, if the client named some.
    pub levels_id: Option<LevelsId>,
}

/// The state of a pool on which a request was priced. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PricedState {
    pub(crate) inputs: PricingInputs,
    /// The pool value to which limits refer.
    pub pool_value: Usd,
}

impl PricedState {
    /// The pool.
    pub const fn pool(&self) -> &Arc<Pool> {
        &self.inputs.pool
    }

    /// Prices, reserves and volatilities.
    pub const fn market(&self) -> &Arc<PoolState> {
        &self.inputs.market
    }

    /// The flows of `token` that may move its reserve against a swap.
    pub fn flows(&self, token: Address) -> TokenFlows {
        self.inputs.flows(token)
    }

    /// The id of the state, as in quotes.
    pub fn id(&self) -> StateId {
        self.inputs.state_id(&hash_pricing(self.inputs.pool.spec()))
    }

    /// Whether both have the same inputs. Does not compare contents: equal inputs may differ.
    pub fn is_same(&self, other: &Self) -> bool {
        self.pool_value == other.pool_value && self.inputs.is_same(&other.inputs)
    }
}

/// What a request is priced on, if requests are recorded.
pub(crate) struct StateLog(Option<PricedOn>);

/// What a request is priced on.
#[derive(Default)]
pub(crate) struct PricedOn {
    pub(crate) states: Vec<PricedState>,
    pub(crate) levels: Option<LevelsUse>,
}

impl StateLog {
    /// A log without states.
    pub(crate) fn enabled() -> Self {
        Self(Some(PricedOn::default()))
    }

    /// A log that records nothing.
    pub(crate) const fn disabled() -> Self {
        Self(None)
    }

    /// Adds a state.
    pub(crate) fn push(&mut self, state: impl FnOnce() -> Option<PricedState>) {
        if let Some(priced_on) = &mut self.0 {
            priced_on.states.extend(state());
        }
    }

    /// Sets the firm levels.
    pub(crate) fn set_levels(&mut self, levels: impl FnOnce() -> LevelsUse) {
        if let Some(priced_on) = &mut self.0 {
            priced_on.levels = Some(levels());
        }
    }

    /// Returns what was logged.
    pub(crate) fn into_priced_on(self) -> PricedOn {
        self.0.unwrap_or_default()
    }

    /// Removes all states.
    pub(crate) fn clear(&mut self) {
        if let Some(priced_on) = &mut self.0 {
            priced_on.states.clear();
        }
    }
}
