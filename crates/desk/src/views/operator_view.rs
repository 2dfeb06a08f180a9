//! Data for the operator's page besides quotes: the last price of each source, and the most recent signatures. It
//! outlives a desk that is replaced; the full record is in the ledger.

use std::{collections::VecDeque, sync::Arc};

use alloy_primitives::map::HashMap;
use firmquote_domain::{
    Address, Client, PoolSpec, Price, Quote, SignedQuote, SignedSwap, SwapOutcome, Symbol, Timestamp,
};
use firmquote_market::{FeedStatus, MarketWriter, Rejection, Trusted};
use parking_lot::Mutex;

use crate::value_in_usd;

/// Data kept for the operator's page. The default has no signatures and no sources.
#[derive(Debug, Default)]
pub struct OperatorView {
    /// The most recent signatures.
    pub signatures: RecentSignatures,
    /// The market that the price sources write to, if there are any.
    pub market: Option<Arc<MarketWriter>>,
}

/// The last price of one asset from one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceView {
    /// The name of the source.
    pub name: String,
    /// The last price that the source reported, trusted or not.
    pub price: ObservedValue<Price>,
}

/// A last known value. Quotes use it only if `rejection` is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedValue<T> {
    /// The value; `None` if none was ever known.
    pub value: Option<T>,
    /// When the value was observed; `None` also for a value that never changes.
    pub since: Option<Timestamp>,
    /// Why quotes do not use the value; `None` if they do.
    pub rejection: Option<Rejection>,
}

impl<T: Copy> ObservedValue<T> {
    pub(crate) fn new(state: Result<Trusted<T>, Rejection>, now: Timestamp) -> Self {
        match state {
            Ok(report) => Self { value: Some(report.value), since: report.time(), rejection: report.at(now).err() },
            Err(rejection) => Self { value: None, since: None, rejection: Some(rejection) },
        }
    }
}

impl OperatorView {
    /// Returns the state of each asset's sources at `now`, in order of priority. Assets with a price from the
    /// configuration file are not included. Writers of the market wait during the copy; quotes do not.
    pub(crate) fn sources(&self, now: Timestamp) -> HashMap<Symbol, Vec<SourceView>> {
        let Some(market) = &self.market else { return HashMap::default() };
        let assets = market.status(now).assets.into_iter();
        let asset_views = assets.map(|asset| {
            let view = |feed: FeedStatus| SourceView {
                name: feed.source.to_string(),
                price: ObservedValue {
                    value: feed.last_price.map(|(price, _)| price),
                    since: feed.last_price.and_then(|(_, since)| since),
                    rejection: feed.rejection,
                },
            };
            (asset.symbol, asset.feeds.into_iter().map(view).collect())
        });
        asset_views.collect()
    }
}

/// The maximum number of recent signatures kept.
pub const MAX_RECENT_SIGNATURES: usize = 100;

/// A released signature. The signature itself is not kept, so a reader of this record cannot send the swap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentSignature {
    /// When its record was stored.
    pub signed_at: Timestamp,
    /// The quote that was signed.
    pub quote: Quote,
    /// The symbols of the input and the output; `None` for a token that the pool does not list.
    pub symbols: [Option<Symbol>; 2],
    /// The account that receives the output.
    pub destination: Address,
}

/// The volume signed for a client in one direction of a pair since the process started; each swap counts once.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedVolume {
    /// The client.
    pub client: Client,
    /// The symbols of the input and the output; `None` for a token that the pool does not list.
    pub symbols: [Option<Symbol>; 2],
    /// The number of swaps.
    pub signatures: u64,
    /// The total value of the inputs in US dollars. For display.
    pub value_in_usd: f64,
    /// The total value of the inputs less that of the outputs, at the prices of the quotes. For display.
    pub edge_in_usd: f64,
    /// The number of swaps, of all replicas, that this one saw settle.
    pub settled: u64,
    /// The number of swaps, of all replicas, that this one saw lapse.
    pub lapsed: u64,
}

/// The last [`MAX_RECENT_SIGNATURES`] signatures of this process, and the volume of all its signatures. Signatures of
/// other replicas and from before the start are not included. Only signing and reading take the lock, for the duration
/// of a copy.
#[derive(Debug, Default)]
pub struct RecentSignatures(Mutex<History>);

/// A client, with the symbols of the input and the output.
type ClientPair = (Client, [Option<Symbol>; 2]);

#[derive(Clone, Copy, Debug, Default)]
struct PairTotals {
    signatures: u64,
    value_in_usd: f64,
    edge_in_usd: f64,
    settled: u64,
    lapsed: u64,
}

#[derive(Debug, Default)]
struct History {
    newest_first: VecDeque<RecentSignature>,
    volumes: HashMap<ClientPair, PairTotals>,
}

impl RecentSignatures {
    /// Records a signature, once per quote, and drops the oldest one beyond [`MAX_RECENT_SIGNATURES`].
    pub(crate) fn record(&self, signed: &SignedQuote, pool: &PoolSpec, now: Timestamp) {
        let quote = &signed.quote;
        let symbols = symbols(pool, [quote.input.token, quote.output.token]);
        let destination = signed.terms.destination;
        let recent = RecentSignature { signed_at: now, quote: quote.clone(), symbols, destination };
        let mut history = self.0.lock();
        // Two requests for the same terms may race: both get the one recorded signature.
        if history.newest_first.iter().all(|earlier| earlier.quote.id != recent.quote.id) {
            let totals = history.volumes.entry((quote.client.clone(), recent.symbols.clone())).or_default();
            totals.signatures += 1;
            totals.value_in_usd += value_in_usd(&quote.input);
            totals.edge_in_usd += value_in_usd(&quote.input) - value_in_usd(&quote.output);
            history.newest_first.truncate(MAX_RECENT_SIGNATURES - 1);
            history.newest_first.push_front(recent);
        }
    }

    /// Counts the end of a signed swap.
    pub(crate) fn record_outcome(&self, swap: &SignedSwap, pool: &PoolSpec, outcome: &SwapOutcome) {
        let pair = (swap.client.clone(), symbols(pool, [swap.offer.input_token, swap.offer.output_token]));
        let mut history = self.0.lock();
        let totals = history.volumes.entry(pair).or_default();
        match outcome {
            SwapOutcome::Settled(_) => totals.settled += 1,
            SwapOutcome::Lapsed => totals.lapsed += 1,
        }
    }

    /// Returns all kept signatures, newest first.
    pub fn newest_first(&self) -> Vec<RecentSignature> {
        self.0.lock().newest_first.iter().cloned().collect()
    }

    /// Returns the volume signed for every client and pair, in no particular order.
    pub fn volumes(&self) -> Vec<SignedVolume> {
        let history = self.0.lock();
        let volume = |((client, symbols), totals): (&ClientPair, &PairTotals)| SignedVolume {
            client: client.clone(),
            symbols: Clone::clone(symbols),
            signatures: totals.signatures,
            value_in_usd: totals.value_in_usd,
            edge_in_usd: totals.edge_in_usd,
            settled: totals.settled,
            lapsed: totals.lapsed,
        };
        history.volumes.iter().map(volume).collect()
    }
}

/// The symbols of `tokens`; `None` for a token that the pool does not list.
fn symbols(pool: &PoolSpec, tokens: [Address; 2]) -> [Option<Symbol>; 2] {
    tokens.map(|token| pool.assets.iter().find(|asset| asset.address == token).map(|asset| asset.symbol.clone()))
}
