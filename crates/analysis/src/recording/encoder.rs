//! From the requests of a desk to rows of the tape. A state and a configuration stand in a segment once, before the first
//! request that names them.

use std::{collections::HashSet, sync::Arc};

use firmquote_desk::{Inquiry, LevelsUse, Operation, PricedState, RecordedRequest};
use firmquote_domain::{Asset, LevelsId, Pair, Quote, SwapAmount, Symbol, Timestamp};
use firmquote_market::{AssetState, Rule, Trusted};
use firmquote_pricing::value_rounded_down;
use firmquote_tape::{
    BlockRow, ChangeRow, ConfigurationRow, Encoder, LevelsRow, PriceRow, RecordedAsset, RecordedLevelsUse,
    RecordedPair, RecordedQuote, RequestOperation, RequestRow, Rows, StateRow, Table,
};
use sha2::{Digest as _, Sha256};

use super::RecordedConfiguration;

/// How many of the latest states are recognized without hashing them.
const MAX_RECENT: usize = 16;

/// What is recorded.
pub enum TapeRecord {
    /// Prices.
    Prices(Vec<PriceRow>),
    /// Changes of the service.
    Changes(Vec<ChangeRow>),
    /// Firm levels that are published.
    Levels(Box<LevelsRow>),
    /// A block.
    Block(Box<BlockRow>),
    /// A request, with the configuration of the desk.
    Request(Box<RecordedRequest>, Arc<RecordedConfiguration>),
}

/// Converts records into rows.
#[derive(Debug, Default)]
pub struct DeskEncoder {
    /// The configurations, states and firm levels of the segment.
    configurations: HashSet<String>,
    states: HashSet<String>,
    levels: HashSet<(LevelsId, Timestamp)>,
    /// The latest states with their ids, the newest last.
    recent: Vec<(PricedState, String)>,
}

impl Encoder for DeskEncoder {
    type Record = TapeRecord;

    fn count(record: &TapeRecord) -> (Table, u64) {
        match record {
            TapeRecord::Prices(prices) => (Table::Prices, u64::try_from(prices.len()).unwrap_or(u64::MAX)),
            TapeRecord::Changes(changes) => (Table::Changes, u64::try_from(changes.len()).unwrap_or(u64::MAX)),
            TapeRecord::Levels(_) => (Table::Levels, 1),
            TapeRecord::Block(_) => (Table::Blocks, 1),
            TapeRecord::Request(..) => (Table::Requests, 1),
        }
    }

    fn encode(&mut self, record: TapeRecord, rows: &mut Rows) {
        match record {
            TapeRecord::Prices(prices) => rows.prices.extend(prices),
            TapeRecord::Changes(changes) => rows.changes.extend(changes),
            TapeRecord::Levels(levels) => self.add_levels(*levels, rows),
            TapeRecord::Block(block) => rows.blocks.push(*block),
            TapeRecord::Request(request, configuration) => self.encode_request(*request, &configuration, rows),
        }
    }

    fn begin_segment(&mut self) {
        self.configurations.clear();
        self.states.clear();
        self.levels.clear();
        self.recent.clear();
    }
}

impl DeskEncoder {
    fn encode_request(&mut self, request: RecordedRequest, configuration: &RecordedConfiguration, rows: &mut Rows) {
        let time = request.received_at;
        if !self.configurations.contains(&configuration.hash) {
            let RecordedConfiguration { hash, json } = configuration.clone();
            self.configurations.insert(hash.clone());
            rows.configurations.push(ConfigurationRow { time, hash, json });
        }
        let states = request.states.iter().map(|state| self.state(state, time, rows)).collect();
        let configuration = configuration.hash.clone();
        let row = RequestRow { configuration, states, ..request_row(&request) };
        if let Some(LevelsUse { levels, .. }) = request.levels {
            self.add_levels(LevelsRow { time, levels: *levels }, rows);
        }
        rows.requests.push(row);
    }

    /// Adds firm levels, unless the segment has them.
    fn add_levels(&mut self, row: LevelsRow, rows: &mut Rows) {
        if self.levels.insert((row.levels.id, row.levels.valid_until)) {
            rows.levels.push(row);
        }
    }

    /// Returns the id of a state, whose row is added if the segment does not have it yet.
    fn state(&mut self, state: &PricedState, time: Timestamp, rows: &mut Rows) -> String {
        if let Some((_, id)) = self.recent.iter().rev().find(|(recent, _)| recent.is_same(state)) {
            return id.clone();
        }
        let row = state_row(state, time);
        let id = row.id.clone();
        if self.states.insert(id.clone()) {
            rows.states.push(row);
        }
        if self.recent.len() >= MAX_RECENT {
            self.recent.remove(0);
        }
        self.recent.push((state.clone(), id.clone()));
        id
    }
}

/// Returns the row of a request, without its configuration and states.
fn request_row(request: &RecordedRequest) -> RequestRow {
    let (operation, inquiry, signed) = match &request.operation {
        Operation::Quote(inquiry) => (RequestOperation::Quote, Some(inquiry), None),
        Operation::Requote(inquiry) => (RequestOperation::Requote, Some(inquiry), None),
        Operation::QuoteAndSign(inquiry) => (RequestOperation::QuoteSign, Some(inquiry), None),
        Operation::Sign(id) => (RequestOperation::Sign, None, Some(*id)),
    };
    let symbol = |index: usize| {
        let symbol = inquiry?.symbols.get(index)?.clone();
        symbol.or_else(|| Symbol::new(RequestRow::UNLISTED).ok())
    };
    let quote = request.result.as_ref().ok();
    RequestRow {
        time: request.received_at,
        duration_us: request.finished_at.micros_since(request.received_at),
        configuration: String::new(),
        client: request.client.name().map(str::to_owned),
        operation,
        chain_id: inquiry.map(|inquiry| inquiry.chain_id),
        input: symbol(0),
        output: symbol(1),
        amount: inquiry.map(|Inquiry { amount, .. }| -> SwapAmount { *amount }),
        time_in_seconds: inquiry.and_then(|inquiry| inquiry.time_in_seconds),
        pool_address: inquiry.and_then(|inquiry| inquiry.pool_address),
        levels_id: inquiry.and_then(|inquiry| inquiry.levels_id),
        states: Vec::new(),
        refusal: request.result.as_ref().err().map(|refusal| (*refusal).to_owned()),
        quote_id: quote.map(|quote| quote.id).or(signed),
        quote: quote.map(recorded_quote),
        levels: request
            .levels
            .as_ref()
            .map(|LevelsUse { levels, used }| RecordedLevelsUse { valid_until: levels.valid_until, used: *used }),
    }
}

/// Returns what is recorded of a quote.
pub(crate) fn recorded_quote(quote: &Quote) -> RecordedQuote {
    RecordedQuote {
        pool: quote.pool,
        state_id: quote.state_id,
        input_amount: quote.input.amount,
        output_amount: quote.output.amount,
        fee: quote.fee,
        time_in_seconds: quote.time_in_seconds,
        good_until: quote.good_until.to_word(),
        value: value_rounded_down(quote.input.amount, quote.input.price, quote.input.decimals),
        levels_output: quote.levels.as_ref().map(|levels| levels.output),
    }
}

fn state_row(state: &PricedState, time: Timestamp) -> StateRow {
    let (spec, market) = (state.pool().spec(), state.market());
    let asset = |(asset, market): (&Asset, &AssetState)| RecordedAsset {
        flows: state.flows(asset.address),
        ..recorded_asset(asset, market)
    };
    let pair = |(position, pair): (usize, &Pair)| {
        let estimated = market.volatilities.get(position).copied().flatten();
        RecordedPair {
            symbols: pair.assets.clone(),
            volatility: estimated.map(|estimated| estimated.quoted),
            estimate: estimated.map(|estimated| estimated.estimate),
        }
    };
    let mut row = StateRow {
        time,
        id: String::new(),
        pool: spec.id,
        state_id: state.id(),
        block: market.block,
        pool_tokens: market.pool_tokens,
        pool_value: state.pool_value,
        assets: spec.assets.iter().zip(&market.assets).map(asset).collect(),
        pairs: spec.pairs.iter().enumerate().map(pair).collect(),
        fee_increase: market.fee_increase,
        fee_adjustment: market.fee_adjustment,
    };
    row.id = id(&row);
    row
}

fn recorded_asset(asset: &Asset, state: &AssetState) -> RecordedAsset {
    let until = |until: Timestamp| (until != Timestamp::from_micros(u64::MAX)).then_some(until);
    let (price, reserve) = (state.price.as_ref().ok(), state.reserve.as_ref().ok());
    let rule = state.price.as_ref().err().or(state.reserve.as_ref().err()).map(|rejection| rejection.rule());
    RecordedAsset {
        symbol: asset.symbol.clone(),
        reserve: reserve.map(|reserve| reserve.value),
        reserve_time: reserve.and_then(Trusted::time),
        reserve_until: reserve.and_then(|reserve| until(reserve.until)),
        price: price.map(|price| price.value),
        price_time: price.and_then(Trusted::time),
        price_until: price.and_then(|price| until(price.until)),
        rejection: rule.map(Rule::name).map(str::to_owned),
        flows: firmquote_domain::TokenFlows::default(),
    }
}

/// Hashes everything but the time. Reserves, trusted prices, flows and volatilities are in [`StateRow::state_id`].
fn id(row: &StateRow) -> String {
    let mut hash = Sha256::new_with_prefix(row.state_id.as_bytes());
    let mut add = |number: Option<u64>| {
        hash.update([u8::from(number.is_some())]);
        hash.update(number.unwrap_or_default().to_be_bytes());
    };
    add(Some(row.pool_value.steps()));
    row.pool_tokens.into_limbs().into_iter().for_each(|limb| add(Some(limb)));
    for asset in &row.assets {
        let times = [asset.reserve_time, asset.reserve_until, asset.price_time, asset.price_until];
        times.into_iter().for_each(|time| add(time.map(Timestamp::as_micros)));
        add(asset.price.map(|price| price.steps()));
        add(asset.rejection.is_some().then_some(1));
    }
    row.pairs.iter().for_each(|pair| add(pair.estimate.map(|estimate| estimate.steps().into())));
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
