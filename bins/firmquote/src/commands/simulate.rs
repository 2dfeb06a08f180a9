//! `firmquote simulate`: days of trading with a configuration.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use anyhow::Context as _;
use firmquote_analysis::{
    Grouping, HedgeReport, PricePaths, Report, SimulatedPool, Simulation, SimulationResult, Taker, TakerStrategy,
};
use firmquote_config::{PoolConfig, ReservesConfig};
use firmquote_desk::ServedPool;
use firmquote_domain::{Amount, PoolSpec, Price, Symbol, Timestamp, Usd, Volatility};
use firmquote_pricing::max_amount_worth;
use firmquote_server::{environment, system_environment};
use firmquote_signer::PoolSigner;

use super::{output, report, runtime::runtime};
use crate::cli::{ReportFormat, SimulateArguments};

const SECONDS_PER_DAY: usize = 86_400;
/// When a simulation with random prices begins: 2026-01-01.
const START: Timestamp = Timestamp::from_seconds(1_767_225_600);
/// What a transaction costs who rebalances the pool.
const TRANSACTION_COST: &str = "0.5";
/// The least value of a trade, in US dollars.
const MIN_TRADE: &str = "20";

/// Simulates, and prints a line for each day, and a report.
///
/// # Errors
/// When the configuration or the prices cannot be read, and when files cannot be written.
pub(super) fn run(arguments: SimulateArguments) -> anyhow::Result<()> {
    let pools = PoolConfig::from_file(&arguments.config, &environment::overrides()?, &system_environment())?;
    let prices = match &arguments.prices {
        Some(path) => {
            let name = || path.display().to_string();
            PricePaths::from_csv(&fs::read_to_string(path).with_context(name)?).with_context(name)?
        }
        None => {
            let seconds = usize::from(arguments.days) * SECONDS_PER_DAY;
            PricePaths::random(&volatile_assets(&pools), START, seconds, arguments.seed)
        }
    };
    let simulation = Simulation {
        pools: pools.iter().map(|pool| simulated(pool, arguments.pool_value_usd)).collect::<anyhow::Result<_>>()?,
        prices,
        takers: takers(&arguments)?,
        block_seconds: arguments.block_seconds,
        seed: arguments.seed,
        output: arguments.output,
    };
    let result = runtime()?.block_on(simulation.run())?;
    output::print(text(&pools, &result)?)
}

/// Returns the price and the volatility of each asset: the largest configured volatility of its pairs, and none for an
/// asset of about one US dollar.
fn volatile_assets(pools: &[PoolConfig]) -> BTreeMap<Symbol, (Price, Volatility)> {
    let dollar = 95_000_000..105_000_000;
    let mut assets = BTreeMap::new();
    for pool in pools {
        let spec = pool.pool.spec();
        for (asset, price) in spec.assets.iter().zip(&pool.prices) {
            let of_asset = spec.pairs.iter().filter(|pair| pair.assets.contains(&asset.symbol));
            let largest = of_asset.map(|pair| pair.fee.annual_volatility).max().unwrap_or_default();
            let volatility = if dollar.contains(&price.steps()) { Volatility::default() } else { largest };
            assets.entry(asset.symbol.clone()).or_insert((*price, volatility));
        }
    }
    assets
}

fn simulated(pool: &PoolConfig, value: Usd) -> anyhow::Result<SimulatedPool> {
    let signer = PoolSigner::new(pool.pool.clone(), pool.signer.signer.clone());
    let reserves = match &pool.reserves {
        ReservesConfig::Static(reserves, _) => reserves.clone(),
        ReservesConfig::Chain => target_reserves(pool.pool.spec(), &pool.prices, value)?,
    };
    Ok(SimulatedPool {
        pool: ServedPool::new(signer, pool.policy.clone()),
        reserves,
        volatilities: pool.volatilities.clone(),
    })
}

/// Returns reserves of this value, in proportion to one over the weight of each asset.
fn target_reserves(spec: &PoolSpec, prices: &[Price], value: Usd) -> anyhow::Result<Vec<Amount>> {
    // Parts of 65,535 for each weight of one.
    let parts = |weight: u16| u128::from(u32::MAX) / u128::from(weight);
    let whole: u128 = spec.assets.iter().map(|asset| parts(asset.weight.get())).sum();
    let reserve = |(asset, price): (&firmquote_domain::Asset, &Price)| {
        let steps = u128::from(value.steps()) * parts(asset.weight.get()) / whole;
        let worth = Usd::new(u64::try_from(steps).unwrap_or(u64::MAX));
        max_amount_worth(*price, asset.decimals, worth)
            .with_context(|| format!("--pool-value-usd gives no {}", asset.symbol))
    };
    spec.assets.iter().zip(prices).map(reserve).collect()
}

fn takers(arguments: &SimulateArguments) -> anyhow::Result<Vec<Taker>> {
    let size = [MIN_TRADE.parse::<Usd>()?, arguments.max_trade_usd];
    let taker = |name: &str, strategy, trades_per_day| Taker { name: name.to_owned(), strategy, trades_per_day, size };
    let rebalancing = TakerStrategy::Rebalancing { cost: TRANSACTION_COST.parse()? };
    Ok(vec![
        taker("uninformed", TakerStrategy::Uninformed { mean_cost_bps: arguments.patience_bps }, arguments.uninformed),
        taker("informed", TakerStrategy::Informed { lead_seconds: arguments.lead_seconds }, arguments.informed),
        taker("rebalancing", rebalancing, arguments.rebalancing),
    ])
}

/// Returns a line for each day, the report by client, and the digest.
fn text(pools: &[PoolConfig], result: &SimulationResult) -> anyhow::Result<String> {
    let assets: Vec<_> = pools.iter().flat_map(|pool| &pool.pool.spec().assets).collect();
    let mut text = String::new();
    for day in &result.days {
        let last = jiff::Timestamp::from_microsecond(i64::try_from(day.end.as_micros())? - 1)?;
        let inventory = assets.iter().zip(&day.inventory);
        let inventory: Vec<_> = inventory.map(|(asset, share)| format!("{} {} %", asset.symbol, share / 100)).collect();
        writeln!(
            text,
            "{}  {} requested, {} quoted, {} signed, {} executed for {} USD; trading {} USD, pool {} USD: {}",
            last.strftime("%Y-%m-%d"),
            day.requested,
            day.quoted,
            day.signed,
            day.executed,
            day.volume.to_cents(),
            day.trading.to_cents(),
            day.pool_value.to_cents(),
            inventory.join(", "),
        )?;
    }
    let period = (Timestamp::from_micros(0), Timestamp::from_micros(u64::MAX));
    let report = Report::new(&result.swaps, &result.prices, &result.names, &[Grouping::Client], period);
    write!(
        text,
        "\n{}\ndigest {}\n",
        report::render(&report, &[], &HedgeReport::default(), ReportFormat::Table, true),
        result.digest
    )?;
    Ok(text)
}
