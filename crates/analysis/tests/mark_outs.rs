//! Mark-outs of takers whose knowledge of the price is known: they are ranked right, and intervals cover the true figure
//! as often as they say.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, f64::consts::TAU};

use firmquote_analysis::{Figures, Grouping, HORIZONS, LedgerSwaps, MarkOut, PriceHistory, Report, TokenNames};
use firmquote_domain::{
    Address, Amount, ChainId, Client, Decimals, Price, QuoteId, Settlement, SwapOutcome, Symbol, Timestamp, U256,
    UnixSeconds,
};
use firmquote_store::{
    conformance::{sample_quote, sample_settlement, sample_signed, sample_terms},
    ledger::LedgerEvent,
};
use firmquote_tape::PriceRow;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const START: u32 = 1_795_219_200;
/// The standard deviation of the price in a second, in basis points.
const VOLATILITY: f64 = 1.0;
/// The edge of every swap in basis points.
const EDGE: f64 = 5.0;

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (TAU * angle).cos()
}

/// Prices of ETH, one a second.
fn walk(seconds: u32, random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut price = 2_000.0_f64;
    let mut next = || {
        price *= (VOLATILITY * normal(random) / 10_000.0).exp();
        price
    };
    (0..seconds).map(|_| next()).collect()
}

fn eth() -> Symbol {
    Symbol::new("ETH").unwrap()
}

fn price(usd: f64) -> Price {
    format!("{usd:.8}").parse::<Price>().unwrap()
}

/// The prices at these seconds, and at the horizons of the tests after them.
fn history(prices: &[f64], seconds: &BTreeSet<u32>) -> PriceHistory {
    let needed: BTreeSet<u32> = seconds.iter().flat_map(|second| [*second, second + 10, second + 60]).collect();
    let rows = needed.into_iter().filter_map(|second| Some((second, prices.get(usize::try_from(second).ok()?)?)));
    let rows = rows.flat_map(|(second, usd)| {
        let time = Timestamp::from_seconds(START + second);
        [(eth(), *usd), (Symbol::new("USDC").unwrap(), 1.0)].map(|(symbol, usd)| PriceRow {
            time,
            symbol,
            source: None,
            price: Some(price(usd)),
            observed_at: Some(time),
            rejection: None,
        })
    });
    rows.collect()
}

fn names() -> TokenNames {
    let chain_id = ChainId::new(1).unwrap();
    let tokens = [(1, eth()), (2, Symbol::new("USDC").unwrap())];
    tokens.into_iter().map(|(byte, symbol)| ((chain_id, Address::repeat_byte(byte)), symbol)).collect()
}

/// Adds a swap of a client that sells or buys one ETH at `second`, with an edge of [`EDGE`].
fn add(swaps: &mut LedgerSwaps, client: &str, number: u64, second: u32, is_sale: bool, prices: &[f64]) {
    let usd = prices[usize::try_from(second).unwrap()];
    let time = Timestamp::from_seconds(START + second);
    let mut quote = sample_quote(1, time);
    let mut id = [0; 16];
    id[..8].copy_from_slice(&number.to_be_bytes());
    quote.id = QuoteId::from_bytes(id);
    quote.client = Client::Named(client.into());
    let micros = |usd: f64| format!("{:.0}", usd * 1_000_000.0).parse::<Amount>().unwrap();
    let [eth, usdc] = [
        (1, 18, "1000000000000000000".parse().unwrap(), price(usd)),
        (2, 6, micros(usd * if is_sale { 1.0 - EDGE / 10_000.0 } else { 1.0 + EDGE / 10_000.0 }), price(1.0)),
    ];
    let legs = if is_sale { [eth, usdc] } else { [usdc, eth] };
    for ((byte, decimals, amount, price), leg) in legs.into_iter().zip([&mut quote.input, &mut quote.output]) {
        (leg.token, leg.decimals) = (Address::repeat_byte(byte), Decimals::new(decimals).unwrap());
        (leg.amount, leg.price) = (amount, price);
    }
    let signed = sample_signed(&quote, sample_terms(7), 1);
    let units = |amount: Amount| -> U256 { amount.base_units() };
    let settlement = Settlement {
        block_time: UnixSeconds::new(START + second),
        input_amount: units(quote.input.amount),
        output_amount: units(quote.output.amount),
        ..sample_settlement(&signed)
    };
    let outcome = Some(SwapOutcome::Settled(settlement));
    let quote_id = quote.id;
    swaps.add(LedgerEvent::Signed(Box::new(signed)));
    swaps.add(LedgerEvent::Outcome { quote_id, outcome, recorded_at: time });
}

fn report(swaps: &LedgerSwaps, prices: &[f64], seconds: &BTreeSet<u32>) -> Report {
    let always = (Timestamp::from_micros(0), Timestamp::from_micros(u64::MAX));
    Report::new(swaps, &history(prices, seconds), &names(), &[Grouping::Client], always)
}

fn at(figures: &Figures, horizon: u32) -> &MarkOut {
    let position = HORIZONS.iter().position(|other| *other == horizon).unwrap();
    &figures.mark_outs[position]
}

fn bps(text: &str) -> f64 {
    text.parse().unwrap()
}

#[test]
fn takers_who_know_the_price_earlier_are_ranked_by_it() {
    let mut informed = 0;
    for seed in 0..20 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let prices = walk(10_000, &mut random);
        let mut swaps = LedgerSwaps::default();
        let (mut number, mut seconds) = (0, BTreeSet::new());
        for (client, lead) in [("knows nothing", 0), ("knows 1 s", 1), ("knows 5 s", 5), ("knows a minute", 60)] {
            for _ in 0..600 {
                let second = random.random_range(0..9_800_u32);
                let now = usize::try_from(second).unwrap();
                let is_sale = match lead {
                    0 => random.random(),
                    lead => prices[now + lead] < prices[now],
                };
                // Who knows enough only trades to gain.
                let gain = (prices[now + lead] / prices[now] - 1.0).abs() * 10_000.0;
                if lead == 60 && gain < EDGE {
                    continue;
                }
                number += 1;
                seconds.insert(second);
                add(&mut swaps, client, number, second, is_sale, &prices);
            }
        }
        let report = report(&swaps, &prices, &seconds);
        let found: Vec<_> =
            report.rows.iter().map(|row| bps(&at(&row.figures, 10).in_basis_points().unwrap())).collect();
        let [one, five, _, nothing] = found[..] else { unreachable!("{report:?}") };
        assert!(nothing > one && one > five, "seed {seed}: {found:?}");
        // The others earn less than the edge that they pay.
        let clients = report.informed_clients();
        assert!(clients.iter().all(|client| *client == "knows a minute"), "seed {seed}: {clients:?}");
        informed += clients.len();
    }
    assert!(informed >= 15, "{informed} of 20");
}

#[test]
fn intervals_cover_the_true_figure_as_often_as_they_say() {
    let (mut covered, mut informed) = (0, 0);
    for seed in 0..400 {
        let mut random = ChaCha8Rng::seed_from_u64(1_000 + seed);
        // Four hours: 24 blocks.
        let prices = walk(14_400, &mut random);
        let (mut swaps, mut seconds) = (LedgerSwaps::default(), BTreeSet::new());
        for number in 0..150 {
            // Takers come in groups, which share the moves that follow.
            let group = random.random_range(0..60_u32) * 239;
            let second = group + random.random_range(0..5_u32);
            seconds.insert(second);
            add(&mut swaps, "uninformed", number, second, random.random(), &prices);
        }
        let report = report(&swaps, &prices, &seconds);
        let mark_out = at(&report.total, 60);
        let [low, high] = mark_out.interval_in_basis_points().unwrap().map(|bound| bps(&bound));
        covered += u32::from(low <= EDGE && EDGE <= high);
        informed += u32::from(!report.informed_clients().is_empty());
    }
    assert!((368..=392).contains(&covered), "{covered} of 400");
    assert!(informed <= 20, "{informed} of 400");
}
