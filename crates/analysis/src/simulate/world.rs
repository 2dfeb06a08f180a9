//! One simulated second after the other: prices, a block when one is due, signatures that are due, requests.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use firmquote_desk::{Desk, FirmLevelsState, Pauses, QuoteRequest, ServedPool, SignRequest};
use firmquote_domain::{
    Amount, Asset, BasisPoints, Client, ManualClock, PoolId, Price, Quote, Settlement, SignedQuote, SignedSwap,
    SwapAmount, SwapOutcome, Symbol, Terms, Timestamp,
};
use firmquote_market::{
    Aggregation, CompositePrice, Deviation, Market, MarketWriter, Observation, PoolInputs, PriceInput, PriceRules,
    ReserveInput,
};
use firmquote_pricing::max_amount_worth;
use firmquote_store::{MemoryStore, ledger};
use firmquote_tape::PriceRow;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest as _, Sha256};

use super::{
    chain::Chain,
    error::SimulationError,
    prices::PricePaths,
    recording::Recording,
    result::{SimulatedDay, SimulationResult},
    simulation::{SimulatedPool, Simulation},
    takers::{Taker, account},
};
use crate::{Money, PriceHistory};

const SECONDS_PER_DAY: usize = 86_400;
/// Quotes and signed swaps that the store has room for.
const STORE_CAPACITY: usize = 100_000;

impl Simulation {
    /// Runs the simulation to the end of its prices.
    ///
    /// # Errors
    /// [`SimulationError`]
    pub async fn run(self) -> Result<SimulationResult, SimulationError> {
        World::new(self)?.run().await
    }
}

struct World {
    desk: Desk,
    clock: Arc<ManualClock>,
    market: MarketWriter,
    prices: PricePaths,
    /// The assets of all pools, each symbol once.
    symbols: BTreeSet<Symbol>,
    takers: Vec<Taker>,
    block_seconds: usize,
    random: ChaCha8Rng,
    chain: Chain,
    /// Quotes that are signed in a second, with the number of their taker.
    decisions: BTreeMap<usize, Vec<(usize, Quote)>>,
    /// Signed swaps that have not ended.
    open: Vec<SignedQuote>,
    recording: Recording,
    history: PriceHistory,
    digest: Sha256,
    day: SimulatedDay,
    /// The balances at the start of the day.
    morning: Vec<(PoolId, Vec<Amount>)>,
}

impl World {
    fn new(simulation: Simulation) -> Result<Self, SimulationError> {
        let Simulation { pools, prices, takers, block_seconds, seed, output } = simulation;
        let (start, market) = (prices.start, Arc::new(Market::default()));
        let symbols: BTreeSet<_> =
            pools.iter().flat_map(|pool| assets(&pool.pool)).map(|asset| asset.symbol.clone()).collect();
        if let Some(missing) = symbols.iter().find(|symbol| prices.at(symbol, 0).is_none()) {
            return Err(SimulationError::Price(missing.clone()));
        }
        let composite = symbols.iter().map(|symbol| (symbol.clone(), CompositePrice::new(rules(), 1))).collect();
        let writer = MarketWriter::new(Arc::clone(&market), composite, pools.iter().map(inputs).collect(), start);
        let balances = |pool: &SimulatedPool| {
            let tokens = assets(&pool.pool).zip(&pool.reserves);
            (pool.pool.id(), tokens.map(|(asset, reserve)| (asset.address, reserve.base_units())).collect())
        };
        let chain = Chain::new(pools.iter().map(balances));
        let (clock, store) = (Arc::new(ManualClock::at(start)), Arc::new(MemoryStore::new(STORE_CAPACITY)));
        let mut desk = Desk {
            pools: pools.into_iter().map(|pool| pool.pool).collect(),
            pauses: Arc::new(Pauses::with_paused(Arc::clone(&store) as _, BTreeSet::new())),
            market,
            firm_levels: Arc::new(FirmLevelsState::new(start)),
            store,
            clock: Arc::clone(&clock) as _,
            operator_view: Arc::default(),
            recorder: None,
        };
        let mut recording = Recording::create(output.as_deref())?;
        recording.attach(&mut desk);
        Ok(Self {
            desk,
            clock,
            market: writer,
            prices,
            symbols,
            takers,
            block_seconds: usize::try_from(block_seconds.max(1)).unwrap_or(1),
            random: ChaCha8Rng::seed_from_u64(seed),
            chain,
            decisions: BTreeMap::new(),
            open: Vec::new(),
            recording,
            history: PriceHistory::default(),
            digest: Sha256::new(),
            day: SimulatedDay::beginning(start),
            morning: Vec::new(),
        })
    }

    async fn run(mut self) -> Result<SimulationResult, SimulationError> {
        let mut days = Vec::new();
        self.morning = self.reserves();
        for second in 0..self.prices.seconds() {
            let now = self.time(second);
            self.clock.set(now);
            self.publish_prices(second, now);
            if second % self.block_seconds == 0 {
                self.mine(now).await?;
            }
            for (taker, quote) in self.decisions.remove(&second).unwrap_or_default() {
                self.sign(taker, &quote, now).await?;
            }
            for taker in 0..self.takers.len() {
                self.consider(taker, second, now).await;
            }
            let prices = || price_rows(&self.symbols, &self.prices, second, now);
            self.recording.second(prices, now)?;
            if (second + 1) % SECONDS_PER_DAY == 0 || second + 1 == self.prices.seconds() {
                days.push(self.end_day(second));
            }
        }
        let end = self.time(self.prices.seconds());
        Ok(SimulationResult {
            days,
            names: self.desk.pools.iter().map(|pool| pool.signer().pool().spec()).collect(),
            swaps: self.recording.close(end)?,
            prices: self.history,
            digest: self.digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    fn time(&self, second: usize) -> Timestamp {
        self.prices.start.plus_micros(u64::try_from(second).unwrap_or(u64::MAX).saturating_mul(1_000_000))
    }

    fn publish_prices(&mut self, second: usize, now: Timestamp) {
        let observed: Vec<_> =
            self.symbols.iter().filter_map(|symbol| Some((symbol, self.prices.at(symbol, second)?))).collect();
        let observation = |price| Ok(Observation { price, confidence_steps: 0, observed_at: now });
        self.market.receive(observed.iter().map(|(symbol, price)| (*symbol, 0, observation(*price))), now);
        for (symbol, price) in observed {
            self.history.push(symbol, now, price);
        }
    }

    /// Mines a block: the book follows it, then the reserves.
    async fn mine(&mut self, now: Timestamp) -> Result<(), SimulationError> {
        let (blocks, executed) = self.chain.mine(now);
        for block in blocks {
            self.desk.observe(block.pool, &block.block).await?;
            if let Some(served) = self.desk.pool(block.pool) {
                self.recording.block(served.signer().pool().spec(), &block, now);
            }
            self.market.set_reserves(block.pool, Ok(block.reserves), now);
        }
        for (signed, swap) in executed {
            let settlement = Settlement::from(&swap);
            self.day.executed += 1;
            self.day.volume += value_at_quote(&signed.quote);
            self.add_to_digest(&format!("executed {} {}", settlement.input_amount, settlement.output_amount), now);
            self.end(&signed, SwapOutcome::Settled(settlement), now)?;
            self.open.retain(|open| open.quote.id != signed.quote.id);
        }
        let is_over = |signed: &SignedQuote| firmquote_domain::is_lapsed(signed.quote.good_until.expires_at(), now);
        let lapsed: Vec<_> = self.open.extract_if(.., |signed| is_over(signed)).collect();
        lapsed.iter().try_for_each(|signed| self.end(signed, SwapOutcome::Lapsed, now))
    }

    fn end(&mut self, signed: &SignedQuote, outcome: SwapOutcome, now: Timestamp) -> Result<(), SimulationError> {
        let line = ledger::outcome_line(&SignedSwap::from(signed), Some(outcome), now).map_err(ledger_error)?;
        self.recording.ledger_line(&line)
    }

    async fn sign(&mut self, taker: usize, quote: &Quote, now: Timestamp) -> Result<(), SimulationError> {
        let request =
            SignRequest { client: quote.client.clone(), quote_id: quote.id, terms: Terms::new(account(taker)) };
        match self.desk.sign(&request).await {
            Err(refusal) => self.add_to_digest(&format!("{taker} not signed {}", refusal.name()), now),
            Ok(signed) => {
                self.day.signed += 1;
                self.add_to_digest(&format!("{taker} signed {}", quote.output.amount), now);
                self.recording.ledger_line(&ledger::line(&signed).map_err(ledger_error)?)?;
                self.open.push(signed.clone());
                let gives_up = self.takers.get(taker).is_some_and(|taker| taker.gives_up(&mut self.random));
                if !gives_up {
                    self.chain.send(signed);
                }
            }
        }
        Ok(())
    }

    /// Lets a taker request a quote, and decide on it.
    async fn consider(&mut self, number: usize, second: usize, now: Timestamp) {
        let Some(taker) = self.takers.get(number).cloned() else { return };
        if !taker.is_active(&mut self.random) {
            return;
        }
        let Some((id, [input, output])) = self.random_direction() else { return };
        let lead = usize::try_from(taker.lead_seconds()).unwrap_or(0);
        let price = |asset: &Asset, second| self.prices.at(&asset.symbol, second);
        let Some(amount) = price(&input, second)
            .and_then(|price| max_amount_worth(price, input.decimals, taker.trade_value(&mut self.random)))
        else {
            return;
        };
        let request = QuoteRequest {
            client: Client::Named(taker.name.as_str().into()),
            source_network: None,
            chain_id: id.chain_id,
            input: input.symbol.as_str().into(),
            output: output.symbol.as_str().into(),
            amount: SwapAmount::ExactInput(amount),
            time_in_seconds: None,
            pool_address: Some(id.address),
            levels_id: None,
            quote_id: None,
        };
        self.day.requested += 1;
        let quote = match self.desk.quote(&request).await {
            Ok(quote) => quote,
            Err(refusal) => return self.add_to_digest(&format!("{number} not quoted {}", refusal.name()), now),
        };
        let worth = |second| {
            let paid = value(quote.input.amount, &input, price(&input, second)?);
            Some([paid, value(quote.output.amount, &output, price(&output, second)?)])
        };
        let (worth_now, worth_later) = (worth(second), worth(second + lead));
        self.day.quoted += 1;
        self.add_to_digest(&format!("{number} quoted {} {}", quote.input.amount, quote.output.amount), now);
        let (Some([paid, received]), Some([paid_later, received_later])) = (worth_now, worth_later) else { return };
        if taker.accepts([&paid, &received], [&paid_later, &received_later], &mut self.random) {
            let at = second + taker.decision_seconds(&mut self.random);
            // Within the second, after those that were due.
            self.decisions.entry(at.max(second + 1)).or_default().push((number, quote));
        }
    }

    /// Returns a random pair of a random pool, in a random direction.
    fn random_direction(&mut self) -> Option<(PoolId, [Asset; 2])> {
        let pool = self.desk.pools.get(self.random.random_range(0..self.desk.pools.len().max(1)))?.signer().pool();
        let pairs = &pool.spec().pairs;
        let pair = pairs.get(self.random.random_range(0..pairs.len().max(1)))?;
        let [one, other] =
            pair.assets.clone().map(|symbol| pool.asset(symbol.as_str()).map(|(_, asset)| asset.clone()));
        let (one, other) = (one?, other?);
        let assets = if self.random.random_range(0..2) == 0 { [one, other] } else { [other, one] };
        Some((pool.spec().id, assets))
    }

    fn add_to_digest(&mut self, event: &str, now: Timestamp) {
        self.digest.update(now.as_micros().to_be_bytes());
        self.digest.update(event);
        self.digest.update([0]);
    }

    /// Returns the reserves of each pool, in the order of its assets.
    fn reserves(&self) -> Vec<(PoolId, Vec<Amount>)> {
        let reserves = |pool: &ServedPool| {
            let balances = self.chain.balances(pool.id());
            let reserve = |asset: &Asset| {
                let balance = balances.iter().find(|(token, _)| *token == asset.address);
                balance.and_then(|(_, balance)| Amount::new(*balance)).unwrap_or(Amount::ONE)
            };
            (pool.id(), assets(pool).map(reserve).collect())
        };
        self.desk.pools.iter().map(reserves).collect()
    }

    /// Returns the figures of the day that ends with `second`, and begins the next.
    fn end_day(&mut self, second: usize) -> SimulatedDay {
        let evening = self.reserves();
        let worth = |reserves: &[(PoolId, Vec<Amount>)]| -> Vec<Money> {
            let pools = self.desk.pools.iter().zip(reserves);
            let values = pools.flat_map(|(pool, (_, reserves))| {
                assets(pool)
                    .zip(reserves)
                    .filter_map(|(asset, reserve)| Some(value(*reserve, asset, self.prices.at(&asset.symbol, second)?)))
            });
            values.collect()
        };
        let (held, values) = (worth(&self.morning), worth(&evening));
        let pool_value: Money = values.iter().cloned().sum();
        let share = |value: &Money| {
            let share = value.hundredths_of_basis_points_of(&pool_value);
            share.and_then(|share| u32::try_from(share / 100).ok()).unwrap_or_default()
        };
        let day = SimulatedDay {
            end: self.time(second + 1),
            trading: &pool_value - &held.into_iter().sum(),
            inventory: values.iter().map(share).collect(),
            pool_value,
            ..self.day.clone()
        };
        self.day = SimulatedDay::beginning(day.end);
        self.morning = evening;
        day
    }
}

fn assets(pool: &ServedPool) -> impl Iterator<Item = &Asset> {
    pool.signer().pool().spec().assets.iter()
}

fn value_at_quote(quote: &Quote) -> Money {
    Money::of(quote.input.amount.base_units(), quote.input.decimals, quote.input.price)
}

fn ledger_error(source: serde_json::Error) -> SimulationError {
    SimulationError::Ledger { path: "ledger".into(), source: source.into() }
}

/// Returns the prices of a second as the tape of a service has them.
fn price_rows(symbols: &BTreeSet<Symbol>, prices: &PricePaths, second: usize, now: Timestamp) -> Vec<PriceRow> {
    let row = |symbol: &Symbol, price: Price| PriceRow {
        time: now,
        symbol: symbol.clone(),
        source: None,
        price: Some(price),
        observed_at: Some(now),
        rejection: None,
    };
    symbols.iter().filter_map(|symbol| Some(row(symbol, prices.at(symbol, second)?))).collect()
}

/// Rules that every simulated price satisfies.
fn rules() -> PriceRules {
    let wide = BasisPoints::from_hundredths(BasisPoints::SCALE - 1).unwrap_or_default();
    PriceRules {
        max_age_ms: 10_000,
        max_jump_per_second: wide,
        max_move_per_minute: wide,
        max_deviation: Deviation::from_basis_points(wide),
        max_confidence: Deviation::from_basis_points(wide),
        aggregation: Aggregation::Priority,
    }
}

fn inputs(simulated: &SimulatedPool) -> PoolInputs {
    let spec = simulated.pool.signer().pool().spec();
    let position = |symbol: &Symbol| spec.assets.iter().position(|asset| asset.symbol == *symbol).unwrap_or_default();
    let pair = |(index, pair): (usize, &firmquote_domain::Pair)| {
        ([position(&pair.assets[0]), position(&pair.assets[1])], simulated.volatilities.get(index).copied().flatten())
    };
    PoolInputs {
        id: spec.id,
        assets: spec.assets.iter().map(|asset| (asset.address, PriceInput::Live(asset.symbol.clone()))).collect(),
        reserves: ReserveInput::Live,
        pairs: spec.pairs.iter().enumerate().map(pair).collect(),
    }
}

/// The value of an amount of an asset.
fn value(amount: Amount, asset: &Asset, price: Price) -> Money {
    Money::of(amount.base_units(), asset.decimals, price)
}
