//! What the operator's page shows beside quotes: what each source says, and the signatures that left last. It outlives
//! a desk that is replaced; the full record is the ledger's.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use firmquote_domain::{Address, Client, PoolSpec, Price, Quote, SignedQuote, Symbol, Timestamp};
use firmquote_market::{FeedStatus, MarketWriter, Rejection, Trusted};

use crate::value_in_usd;

/// What is kept for the operator to look at. The default has seen nothing and knows of no sources.
#[derive(Debug, Default)]
pub struct OperatorView {
    /// What was signed last.
    pub signatures: RecentSignatures,
    /// The sources of prices, where there are any.
    pub sources: Option<PriceSources>,
}

/// The sources of live prices, by name.
#[derive(Debug)]
pub struct PriceSources {
    /// The market that they write.
    pub live: Arc<MarketWriter>,
    /// What the source at each place of each asset calls itself.
    pub names: HashMap<(Symbol, usize), String>,
}

/// What one source says of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceView {
    /// What it calls itself.
    pub name: String,
    /// The last price it told, trusted or not.
    pub price: ObservedValue<Price>,
}

/// The last that is known of something. It is quoted on only while there is no reason against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedValue<T> {
    /// The value; `None` before anything was known.
    pub value: Option<T>,
    /// When it was so; `None` also for what never changes.
    pub since: Option<Timestamp>,
    /// Why it is not quoted on, if it is not.
    pub rejection: Option<Rejection>,
}

impl<T: Copy> ObservedValue<T> {
    pub(crate) fn new(state: Result<Trusted<T>, Rejection>, now: Timestamp) -> Self {
        match state {
            Ok(known) => Self { value: Some(known.value), since: known.time(), rejection: known.at(now).err() },
            Err(rejection) => Self { value: None, since: None, rejection: Some(rejection) },
        }
    }
}

impl OperatorView {
    /// What the sources of each asset say at `now`, in the order of their priority. Assets whose price is the file's are
    /// not among them. Writers of the market wait while it is copied; quotes do not.
    pub(crate) fn sources(&self, now: Timestamp) -> HashMap<Symbol, Vec<SourceView>> {
        let Some(sources) = &self.sources else { return HashMap::new() };
        let assets = sources.live.status(now).assets.into_iter();
        let of_asset = assets.map(|asset| {
            let view = |(position, feed): (usize, FeedStatus)| SourceView {
                name: sources.names.get(&(asset.symbol.clone(), position)).cloned().unwrap_or_default(),
                price: ObservedValue {
                    value: feed.last_price.map(|(price, _)| price),
                    since: feed.last_price.and_then(|(_, since)| since),
                    rejection: feed.rejection,
                },
            };
            (asset.symbol.clone(), asset.feeds.into_iter().enumerate().map(view).collect())
        });
        of_asset.collect()
    }
}

/// How many signatures are remembered.
pub const MAX_RECENT_SIGNATURES: usize = 100;

/// A signature that left. The signature itself is not kept: who reads this can send nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentSignature {
    /// When its record was stored.
    pub signed_at: Timestamp,
    /// The quote that was signed.
    pub quote: Quote,
    /// What the input and the output were called; `None` for a token that the pool does not list.
    pub symbols: [Option<Symbol>; 2],
    /// Who receives the output.
    pub destination: Address,
}

/// What a client had signed of a pair since the process started, each swap once.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedVolume {
    /// The client.
    pub client: Client,
    /// What the input and the output were called; `None` for a token that the pool does not list.
    pub symbols: [Option<Symbol>; 2],
    /// How many swaps.
    pub signatures: u64,
    /// What their inputs were worth together, in US dollars. For display.
    pub value_in_usd: f64,
}

/// The last [`MAX_RECENT_SIGNATURES`] signatures of this process and the volume of all of them, those of other replicas and of the time
/// before its start not among them. Only signing and reading take its lock, for as long as a copy takes.
#[derive(Debug, Default)]
pub struct RecentSignatures(Mutex<History>);

/// A client with what it swaps for what.
type ClientPair = (Client, [Option<Symbol>; 2]);

#[derive(Debug, Default)]
struct History {
    newest_first: VecDeque<RecentSignature>,
    volumes: HashMap<ClientPair, (u64, f64)>,
}

impl RecentSignatures {
    /// Remembers what was signed for a pool, once for each quote, and forgets the oldest beyond [`MAX_RECENT_SIGNATURES`].
    pub(crate) fn note(&self, signed: &SignedQuote, pool: &PoolSpec, now: Timestamp) {
        let quote = &signed.quote;
        let symbol = |token| pool.assets.iter().find(|asset| asset.address == token).map(|asset| asset.symbol.clone());
        let symbols = [quote.input.token, quote.output.token].map(symbol);
        let destination = signed.terms.destination;
        let noted = RecentSignature { signed_at: now, quote: quote.clone(), symbols, destination };
        let mut kept = self.kept();
        // Two requests for the same terms may have met: both got the one signature that is on record.
        if kept.newest_first.iter().all(|known| known.quote.id != noted.quote.id) {
            let (signatures, value) = kept.volumes.entry((quote.client.clone(), noted.symbols.clone())).or_default();
            *signatures += 1;
            *value += value_in_usd(&quote.input);
            kept.newest_first.truncate(MAX_RECENT_SIGNATURES - 1);
            kept.newest_first.push_front(noted);
        }
    }

    /// All that are remembered, the newest first.
    pub fn newest_first(&self) -> Vec<RecentSignature> {
        self.kept().newest_first.iter().cloned().collect()
    }

    /// What every client had signed of every pair, in no order.
    pub fn volumes(&self) -> Vec<SignedVolume> {
        let kept = self.kept();
        let volume = |((client, symbols), (signatures, value_in_usd)): (&ClientPair, &(u64, f64))| SignedVolume {
            client: client.clone(),
            symbols: Clone::clone(symbols),
            signatures: *signatures,
            value_in_usd: *value_in_usd,
        };
        kept.volumes.iter().map(volume).collect()
    }

    /// A writer that panicked left the list whole: every change is one call.
    fn kept(&self) -> MutexGuard<'_, History> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
