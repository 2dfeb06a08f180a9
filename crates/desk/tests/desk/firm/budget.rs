//! How much is promised: what stays sound when all clients use theirs.

use firmquote_desk::{FirmLevelsPolicy, OutstandingPolicy, SigningPolicy};

use super::*;

/// What one of so many clients is promised.
async fn budget_of(clients: usize, budget_usd: u64, outstanding: OutstandingPolicy) -> Option<Amount> {
    let mut bench = firm_bench(GoodUntilKind::Verified);
    let firm = FirmLevelsPolicy { budget: Usd::new(budget_usd * 100_000_000), ..policy() };
    bench.desk.pools[0].policy =
        SigningPolicy { max_trade: tenth(), firm_levels: Some(firm), outstanding, ..SigningPolicy::default() };
    bench.desk.firm_levels.set_client_count(clients);
    let (book, validity) = published(&bench, "ETH-USDC").await;
    let hold = u64::from(firm.firm_ms) * 1_000;
    let is_short = validity.valid_until == validity.published_at.plus_micros(hold);
    assert_eq!(book.firm_budget.is_some(), is_short, "{validity:?}");
    book.firm_budget
}

#[tokio::test]
async fn the_budget_is_shared_by_all_clients_and_zero_without_clients() {
    let none = OutstandingPolicy::default();
    assert_eq!(budget_of(0, 500, none).await, None);
    let one = budget_of(1, 500, none).await.unwrap();
    // 500 USD at 2,080.527, rounded down.
    assert_eq!(one.to_string(), "240323725671428440");
    assert_eq!(budget_of(3, 500, none).await, Some(one));
    let shrunk = budget_of(300, 500, none).await.unwrap();
    assert!(shrunk < one, "{shrunk}");
    assert_eq!(budget_of(1_000_000, 500, none).await, None, "too little for the smallest trade");
    let tight = OutstandingPolicy { max_share: BasisPoints::from_hundredths(100), ..none };
    assert!(budget_of(3, 500, tight).await.unwrap() < one, "a limit of the pool");
    let tight = OutstandingPolicy { max_impact: BasisPoints::from_hundredths(1), ..none };
    assert!(budget_of(1, 500, tight).await.unwrap() < one, "a limit of the client");
}

#[tokio::test]
async fn a_lower_budget_takes_effect_while_prices_stand_still() {
    let mut bench = firm_bench(GoodUntilKind::Verified);
    let (book, _) = published(&bench, "ETH-USDC").await;
    let mut publication = LevelPublication::new(book.key.clone());
    let budget = async |publication: &mut LevelPublication, bench: &Bench| {
        bench.clock.advance_micros(1_000_000);
        publication.refresh(&bench.desk, bench.desk.clock.now()).await;
        let Some(LevelState::Live(book, _)) = publication.state() else { panic!("live levels") };
        (book.id, book.firm_budget)
    };
    let first = budget(&mut publication, &bench).await;
    assert_eq!(budget(&mut publication, &bench).await, first, "nothing moved");
    bench.desk.pools[0].policy.firm_levels = Some(FirmLevelsPolicy { budget: Usd::new(50_000_000_000), ..policy() });
    let lower = budget(&mut publication, &bench).await;
    assert!(lower.0 != first.0 && lower.1 < first.1, "{lower:?}");
    bench.desk.pools[0].policy.outstanding.max_share = BasisPoints::from_hundredths(10);
    assert!(budget(&mut publication, &bench).await.1 < lower.1);
}

#[tokio::test]
async fn all_clients_can_use_the_budget_concurrently_in_parts() {
    for kind in [GoodUntilKind::Plain, GoodUntilKind::Verified] {
        let bench = firm_bench(kind);
        let (book, _) = published(&bench, "ETH-USDC").await;
        let budget = book.firm_budget.unwrap().base_units();
        // Prices turn against the pool, which they do not excuse.
        at_price(&bench, "2000");
        for (client, number) in [("a", 10), ("b", 20), ("c", 30)] {
            let mut sum = U256::ZERO;
            for part in 1..=5_u8 {
                let end = budget * U256::from(part) / U256::from(5);
                let input = Amount::new(end - budget * U256::from(part - 1) / U256::from(5)).unwrap();
                let request = QuoteRequest {
                    client: Client::Named(client.into()),
                    ..acme_request(SwapAmount::ExactInput(input))
                };
                let signed = bench.desk.quote_and_sign(&at_levels(&request, book.id), terms(number + part)).await;
                let signed = signed.unwrap_or_else(|error| panic!("{client} {part} {error}"));
                sum += signed.quote.output.amount.base_units();
            }
            let whole = book.levels.output_for(book.firm_budget.unwrap()).unwrap();
            assert_eq!(sum, whole.base_units(), "exactly one trade");
        }
        assert_eq!(breaches(&bench), 0);
    }
}

#[tokio::test]
async fn all_clients_can_use_the_budget_concurrently_across_pairs_sharing_a_token() {
    let bps = |hundredths| BasisPoints::from_hundredths(hundredths);
    let none = OutstandingPolicy::default();
    for outstanding in [none, OutstandingPolicy { max_impact: bps(50), max_share_of_client: bps(1_000), ..none }] {
        let mut bench = firm_bench_of(spec(), GoodUntilKind::Verified);
        bench.desk.pools[0].policy.outstanding = outstanding;
        let mut promised = Vec::new();
        for pair in [["ETH", "USDC"], ["ETH", "DAI"], ["USDT", "USDC"]] {
            promised.push((pair, published(&bench, &pair.join("-")).await.0));
        }
        at_price(&bench, "2000");
        for (client, number) in [("a", 10), ("b", 50), ("c", 90)] {
            for part in 1..=5_u8 {
                for (([input, output], book), pair) in promised.iter().zip(1..) {
                    let part_of_budget = book.firm_budget.unwrap().base_units() / U256::from(5);
                    let amount = SwapAmount::ExactInput(Amount::new(part_of_budget).unwrap());
                    let client = Client::Named(client.into());
                    let request =
                        QuoteRequest { client, input: (*input).into(), output: (*output).into(), amount, ..one_eth() };
                    let signed =
                        bench.desk.quote_and_sign(&at_levels(&request, book.id), terms(number + 3 * part + pair)).await;
                    signed.unwrap_or_else(|error| panic!("{input}-{output}, part {part}: {error}"));
                }
            }
        }
        assert_eq!(breaches(&bench), 0);
    }
}
