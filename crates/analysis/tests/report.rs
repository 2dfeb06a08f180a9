//! A report is recomputed from the entries of its ledger with exact fractions, in another way.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::{collections::HashMap, str::FromStr as _};

use firmquote_analysis::{Figures, Grouping, HedgeReport, LedgerSwaps, PriceHistory, Report, TokenNames};
use firmquote_domain::{
    Address, Amount, BasisPoints, ChainId, Client, Decimals, Hedge, Price, Quote, QuoteId, Settlement, SwapOutcome,
    Symbol, Timestamp, U256, UnixSeconds,
};
use firmquote_store::{
    conformance::{sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms},
    ledger::{line, outcome_line},
};
use firmquote_tape::PriceRow;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

/// Midnight of 2026-11-21.
const DAY: u32 = 1_795_219_200;
const ALL: (Timestamp, Timestamp) = (Timestamp::from_micros(0), Timestamp::from_micros(u64::MAX));

/// A swap of a test.
#[derive(Clone, Debug)]
struct TestSwap {
    client: Option<&'static str>,
    amounts: [u64; 2],
    decimals: [u8; 2],
    prices: [u64; 2],
    fee_hundredths: u32,
    /// Seconds after [`DAY`].
    quoted_at: u32,
    end: TestEnd,
}

#[derive(Clone, Copy, Debug)]
enum TestEnd {
    Open,
    Unobserved,
    Lapsed,
    /// Seconds after the quote, and the amounts that were paid.
    Settled(u32, [u64; 2]),
}

impl TestSwap {
    fn quote(&self, number: u8) -> Quote {
        let mut quote = sample_quote(number, Timestamp::from_seconds(DAY + self.quoted_at));
        quote.id = QuoteId::from_bytes([number; 16]);
        quote.client = self.client.map_or(Client::Anonymous, |name| Client::Named(name.into()));
        for (side, leg) in [&mut quote.input, &mut quote.output].into_iter().enumerate() {
            leg.amount = Amount::new(U256::from(self.amounts[side])).unwrap();
            leg.decimals = Decimals::new(self.decimals[side]).unwrap();
            leg.price = Price::new(self.prices[side]).unwrap();
        }
        quote.fee = BasisPoints::from_hundredths(self.fee_hundredths).unwrap();
        quote.block = (!matches!(self.end, TestEnd::Unobserved)).then_some(7);
        quote
    }

    /// The entries of the swap, oldest first.
    fn lines(&self, number: u8) -> Vec<String> {
        let signed = sample_signed(&self.quote(number), sample_terms(7), 1);
        let swap = sample_swap(&signed);
        let mut lines = vec![line(&signed).unwrap()];
        let outcome = match self.end {
            TestEnd::Open | TestEnd::Unobserved => return lines,
            TestEnd::Lapsed => SwapOutcome::Lapsed,
            TestEnd::Settled(after, [input, output]) => SwapOutcome::Settled(Settlement {
                block_time: UnixSeconds::new(DAY + self.quoted_at + after),
                input_amount: U256::from(input),
                output_amount: U256::from(output),
                ..sample_settlement(&signed)
            }),
        };
        let recorded = |seconds| Timestamp::from_seconds(DAY + self.quoted_at + seconds);
        // Settled otherwise first, and undone by a reorganization.
        let first = SwapOutcome::Settled(sample_settlement(&signed));
        for (outcome, seconds) in [(Some(first), 100), (None, 200), (Some(outcome), 300)] {
            lines.push(outcome_line(&swap, outcome, recorded(seconds)).unwrap());
        }
        lines
    }

    /// The value of an amount of a side in US dollars.
    fn value(&self, side: usize, amount: u64) -> BigRational {
        let scale = BigInt::from(10).pow(u32::from(self.decimals[side]) + 8);
        BigRational::new(BigInt::from(amount) * self.prices[side], scale)
    }
}

/// Parses an exact decimal.
fn exact(text: &str) -> BigRational {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let number = BigInt::from_str(&format!("{whole}{fraction}")).unwrap();
    BigRational::new(number, BigInt::from(10).pow(u32::try_from(fraction.len()).unwrap()))
}

fn swap() -> impl Strategy<Value = TestSwap> {
    let amount = || prop_oneof![1..=10_u64, 1..=u64::MAX];
    let end = prop_oneof![
        Just(TestEnd::Open),
        Just(TestEnd::Unobserved),
        Just(TestEnd::Lapsed),
        (0..72_u32, [amount(), amount()]).prop_map(|(after, paid)| TestEnd::Settled(after, paid)),
    ];
    let client = prop_oneof![Just(None), Just(Some("acme")), Just(Some("=evil"))];
    let legs = ([amount(), amount()], [0..=24_u8, 0..=24_u8], [amount(), amount()]);
    (client, legs, 0..1_000_000_u32, 0..172_800_u32, end).prop_map(
        |(client, (amounts, decimals, prices), fee_hundredths, quoted_at, end)| TestSwap {
            client,
            amounts,
            decimals,
            prices,
            fee_hundredths,
            quoted_at,
            end,
        },
    )
}

fn report(lines: &[String], by: &[Grouping], period: (Timestamp, Timestamp)) -> Report {
    let mut swaps = LedgerSwaps::default();
    lines.iter().for_each(|line| swaps.add_line(line.as_bytes()));
    assert_eq!(swaps.invalid_lines(), 0);
    Report::new(&swaps, &PriceHistory::default(), &TokenNames::default(), by, period)
}

proptest! {
    #[test]
    fn reports_equal_fractions_in_any_order_of_entries_and_with_repetitions(
        swaps in prop::collection::vec(swap(), 0..12),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        hour in 0..48_u32,
    ) {
        let written: Vec<_> = (1..).zip(&swaps).flat_map(|(number, swap)| swap.lines(number)).collect();
        let mut lines = written.clone();
        if !written.is_empty() {
            // Some lines again, anywhere.
            for index in order {
                let line = index.get(&written).clone();
                lines.insert(index.index(lines.len() + 1), line);
            }
            lines.rotate_left(hour as usize % written.len());
        }
        let period = (DAY + hour * 3_600, DAY + (hour + 12) * 3_600);
        let is_in = |time: u32| (period.0..period.1).contains(&time);
        let report = report(&lines, &[Grouping::Client], (Timestamp::from_seconds(period.0), Timestamp::from_seconds(period.1)));
        let mut expected: HashMap<&str, (u64, [BigRational; 4])> = HashMap::new();
        for swap in &swaps {
            let zero = || BigRational::from(BigInt::ZERO);
            let mut add = |signed, sums: [BigRational; 4]| {
                let entry = expected.entry(swap.client.unwrap_or_default());
                let (count, totals) = entry.or_insert_with(|| (0, [zero(), zero(), zero(), zero()]));
                *count += signed;
                totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
            };
            if is_in(DAY + swap.quoted_at) {
                let edge = swap.value(0, swap.amounts[0]) - swap.value(1, swap.amounts[1]);
                let unobserved = if matches!(swap.end, TestEnd::Unobserved) { edge } else { zero() };
                add(1, [swap.value(0, swap.amounts[0]), zero(), zero(), unobserved]);
            }
            if let TestEnd::Settled(after, [input, output]) = swap.end
                && is_in(DAY + swap.quoted_at + after)
            {
                let fee = BigRational::new(swap.fee_hundredths.into(), 1_000_000.into()) * swap.value(0, input);
                add(0, [zero(), swap.value(0, input) - swap.value(1, output), fee, zero()]);
            }
        }
        prop_assert_eq!(report.rows.len(), expected.len());
        for row in &report.rows {
            let Figures { signed, signed_value, edge, fee, unobserved_edge, .. } = &row.figures;
            let found = [signed_value, edge, fee, unobserved_edge].map(|money| exact(&money.to_string()));
            prop_assert_eq!(&(*signed, found), &expected[row.group[0].as_str()]);
            prop_assert_eq!(exact(&row.figures.curve().to_string()), exact(&edge.to_string()) - exact(&fee.to_string()));
        }
    }
}

/// A swap of 1 ETH at 2,000 USD for 1,998.6 USDC, with a fee of 5 basis points.
fn eth(quoted_at: u32, end: TestEnd) -> TestSwap {
    TestSwap {
        client: Some("acme"),
        amounts: [1_000_000_000_000_000_000, 1_998_600_000],
        decimals: [18, 6],
        prices: [200_000_000_000, 100_000_000],
        fee_hundredths: 500,
        quoted_at,
        end,
    }
}

#[test]
fn numbers_count_by_the_quote_and_money_by_the_block() {
    let paid = [1_000_000_000_000_000_000, 1_998_600_000];
    let swaps = [
        eth(86_390, TestEnd::Settled(20, paid)),
        eth(10, TestEnd::Settled(5, paid)),
        eth(20, TestEnd::Lapsed),
        eth(30, TestEnd::Open),
        eth(40, TestEnd::Unobserved),
    ];
    let lines: Vec<_> = (1..).zip(&swaps).flat_map(|(number, swap)| swap.lines(number)).collect();
    let report = report(&lines, &[Grouping::Day], ALL);
    let [first, second] = report.rows.as_slice() else { panic!("{report:?}") };
    assert_eq!(
        (first.group.as_slice(), second.group.as_slice()),
        (&["2026-11-21".into()][..], &["2026-11-22".into()][..])
    );
    let counts = |figures: &Figures| {
        [figures.signed, figures.settled, figures.lapsed, figures.open, figures.unobserved, figures.executed]
    };
    assert_eq!(counts(&first.figures), [5, 2, 1, 1, 1, 1]);
    assert_eq!(counts(&second.figures), [0, 0, 0, 0, 0, 1]);
    let money = |figures: &Figures| {
        [&figures.executed_value, &figures.edge, &figures.fee, &figures.curve()].map(ToString::to_string)
    };
    assert_eq!(money(&second.figures), ["2000", "1.4", "1", "0.4"]);
    assert_eq!(money(&report.total), ["4000", "2.8", "2", "0.8"]);
    assert_eq!(report.total.edge_in_basis_points().as_deref(), Some("7.00"));
    assert_eq!(report.total.fill_rate_in_percent().as_deref(), Some("50.00"));
    assert_eq!((second.figures.fill_rate_in_percent(), Figures::default().edge_in_basis_points()), (None, None));
}

#[test]
fn groups_are_named_by_what_an_operator_knows() {
    let lines = eth(3_700, TestEnd::Open).lines(1);
    let mut swaps = LedgerSwaps::default();
    lines.iter().for_each(|line| swaps.add_line(line.as_bytes()));
    swaps.add_line(b"torn");
    assert_eq!(swaps.invalid_lines(), 1);
    assert_eq!(
        (swaps.begins_at(), swaps.executions_without_signature()),
        (Some(Timestamp::from_seconds(DAY + 3_701)), 0)
    );
    let mut outcomes = LedgerSwaps::default();
    let settled = eth(0, TestEnd::Settled(1, [1, 1])).lines(2);
    settled.iter().skip(1).for_each(|line| outcomes.add_line(line.as_bytes()));
    assert_eq!(
        (outcomes.executions_without_signature(), outcomes.begins_at()),
        (1, Some(Timestamp::from_seconds(DAY + 100)))
    );
    let token = Address::repeat_byte(1);
    let names = [((ChainId::new(1).unwrap(), token), Symbol::new("ETH").unwrap())].into_iter().collect();
    let report = Report::new(&swaps, &PriceHistory::default(), &names, &Grouping::ALL, ALL);
    let other = Address::repeat_byte(2);
    let expected = [
        "acme".to_owned(),
        "1:0x0909090909090909090909090909090909090909".into(),
        format!("ETH/{other}"),
        "2026-11-21".into(),
        "2026-11-21T01:00Z".into(),
        "1e3 to 1e4".into(),
    ];
    assert_eq!(report.rows[0].group, expected);
    assert!("month".parse::<Grouping>().is_err());
}

fn hedge(id: &str, sold: (&str, &str), bought: (&str, &str), seconds: u32) -> Hedge {
    let amount = |(symbol, text): (&str, &str)| (Symbol::new(symbol).unwrap(), text.parse().unwrap());
    Hedge {
        id: id.parse().unwrap(),
        venue: "binance".parse().unwrap(),
        sold: amount(sold),
        bought: amount(bought),
        price: None,
        fee: "0.31".parse().unwrap(),
        executed_at: Timestamp::from_seconds(DAY + seconds),
    }
}

#[test]
fn hedges_and_executed_swaps_of_a_period_are_netted_once_each() {
    let swap = TestSwap {
        client: None,
        amounts: [2_500_000_000_000_000_000, 5_205_487_511],
        decimals: [18, 6],
        prices: [208_052_700_000, 100_000_000],
        fee_hundredths: 500,
        quoted_at: 10,
        end: TestEnd::Settled(5, [2_500_000_000_000_000_000, 5_205_487_511]),
    };
    let quote = swap.quote(1);
    let mut swaps = LedgerSwaps::default();
    for line in swap.lines(1).iter().chain(&TestSwap { end: TestEnd::Lapsed, ..swap.clone() }.lines(2)) {
        swaps.add_line(line.as_bytes());
    }
    let chain = quote.pool.chain_id;
    let named = |leg: &firmquote_domain::Leg, name: &str| ((chain, leg.token), Symbol::new(name).unwrap());
    let names: TokenNames = [named(&quote.input, "ETH"), named(&quote.output, "USDC")].into_iter().collect();
    let sell = hedge("1", ("ETH", "1.5"), ("USDC", "3121.5"), 20);
    let hedges = [
        sell.clone(),
        // Told twice, as events are.
        sell,
        hedge("2", ("ETH", "0.9"), ("USDC", "1873.2"), 30),
        hedge("3", ("ETH", "50"), ("USDC", "100000"), 5_000),
    ];
    let period = (Timestamp::from_seconds(DAY), Timestamp::from_seconds(DAY + 3_600));
    let report = |prices: &PriceHistory| HedgeReport::new(&hedges, &swaps, prices, &names, period);
    let unpriced = report(&PriceHistory::default());
    assert_eq!((unpriced.hedges, unpriced.net_value), (2, None));
    let price = |symbol: &str, usd: &str, seconds| PriceRow {
        time: Timestamp::from_seconds(DAY + seconds),
        symbol: Symbol::new(symbol).unwrap(),
        source: None,
        price: Some(usd.parse().unwrap()),
        observed_at: None,
        rejection: None,
    };
    let mut prices = PriceHistory::default();
    prices.extend([price("USDC", "1", 1), price("ETH", "2090", 40), price("ETH", "9999", 3_700)]);
    let report = report(&prices);
    let flows = |asset: &str| report.assets[asset].clone();
    assert_eq!([flows("ETH").swapped(), flows("ETH").hedged(), flows("ETH").net()], ["2.5", "-2.4", "0.1"]);
    assert_eq!(
        [flows("USDC").swapped(), flows("USDC").hedged(), flows("USDC").net()],
        ["-5205.487511", "4994.7", "-210.787511"]
    );
    // 0.1 ETH at 2090, less what is missing of USDC and two fees.
    assert_eq!(report.net_value.unwrap().to_string(), "-2.407511");
}
