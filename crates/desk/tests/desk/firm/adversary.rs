//! A taker that slices, lets lapse, settles and comes back, under several live levels and through several replicas,
//! gets what one trade gets and no more.

use std::collections::HashMap;

use firmquote_desk::{Desk, ObservedBlock};
use firmquote_domain::{Address, QuoteId, SignedQuote, Terms, Timestamp};
use firmquote_market::{Market, PoolState};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::settlement::executed;

/// Quotes that are asked for.
const QUOTES: u32 = 100_000;

/// What the taker holds.
struct Taker {
    /// The input of each quote, and until when it counts.
    used: HashMap<QuoteId, (U256, Timestamp)>,
    quotes: Vec<QuoteId>,
    signed: Vec<SignedQuote>,
    books: Vec<(Arc<LevelBook>, Timestamp)>,
}

impl Taker {
    fn used(&self) -> U256 {
        self.used.values().map(|(input, _)| *input).fold(U256::ZERO, |sum, input| sum + input)
    }
}

/// What the levels give for a cumulative input.
fn line(book: &LevelBook, input: U256) -> U256 {
    let first = &book.levels.knots[0];
    match Amount::new(input) {
        None => U256::ZERO,
        Some(input) if input < first.input => input.base_units() * first.output.base_units() / first.input.base_units(),
        Some(input) => book.levels.output_for(input).unwrap().base_units(),
    }
}

fn replicas(bench: &Bench) -> Vec<Desk> {
    let replica = |_| Desk {
        pools: bench.desk.pools.clone(),
        pauses: Arc::clone(&bench.desk.pauses),
        market: Arc::clone(&bench.desk.market),
        store: Arc::clone(&bench.desk.store),
        firm_levels: Arc::clone(&bench.desk.firm_levels),
        clock: Arc::clone(&bench.clock) as _,
        operator_view: Arc::default(),
        recorder: None,
    };
    (0..3).map(replica).collect()
}

/// Terms with a destination that nobody else has: equal offers are signed once.
fn terms_to(rng: &mut ChaCha8Rng) -> Terms {
    let destination = Address::from(rng.random::<[u8; 20]>());
    Terms { destination, sender: destination, ..terms(1) }
}

fn publish_market(market: &Market, block: u64, price: u32) {
    let price = format!("{}.{:02}", price / 100, price % 100);
    market.replace(Snapshot::default().with(spec().id, PoolState { block: Some(block), ..state(&price) }));
}

#[tokio::test]
async fn splitting_against_live_levels_never_beats_one_trade() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    let bench = firm_bench(GoodUntilKind::Plain);
    let (mut block, mut price) = (100, 208_000_u32);
    publish_market(&bench.market, block, price);
    let desks = replicas(&bench);
    let mut taker = Taker { used: HashMap::new(), quotes: Vec::new(), signed: Vec::new(), books: Vec::new() };
    let [mut kept, mut refused, mut better, mut settled] = [0_u32; 4];
    for round in 0..QUOTES {
        let now = bench.desk.clock.now();
        taker.used.retain(|_, (_, until)| now < *until);
        taker.books.retain(|(_, until)| now < *until);
        if taker.books.is_empty() || rng.random_ratio(1, 20) {
            let (book, validity) = published(&bench, "ETH-USDC").await;
            if book.firm_budget.is_some() {
                taker.books.push((book, validity.valid_until));
            }
        }
        if rng.random_ratio(1, 10) {
            // Mostly against the pool.
            price = rng.random_range(200_000..=208_000);
            publish_market(&bench.market, block, price);
        }
        let desk = &desks[usize::try_from(round % 3).unwrap()];
        if let Some((book, _)) = taker.books.get(rng.random_range(0..taker.books.len().max(1))) {
            let budget = book.firm_budget.unwrap().base_units();
            let parts = U256::from(rng.random_range(1..200_u32));
            let input = Amount::new((budget / parts).max(book.levels.knots[0].input.base_units())).unwrap();
            let request = at_levels(&acme_request(SwapAmount::ExactInput(input)), book.id);
            let used = taker.used();
            let (book, signs) = (Arc::clone(book), rng.random_ratio(1, 4));
            let answer = if signs {
                let signed = desk.quote_and_sign(&request, terms_to(&mut rng)).await;
                signed.map(|signed| (signed.quote.clone(), Some(signed)))
            } else {
                desk.quote(&request).await.map(|quote| (quote, None))
            };
            match answer {
                Ok((quote, signed)) => {
                    let levels = promised(&quote);
                    let end = used + input.base_units();
                    assert!(end <= budget, "round {round}: {end} of {budget}");
                    let promised = line(&book, end) - line(&book, used);
                    assert_eq!(levels.output.base_units(), promised, "round {round}");
                    assert_eq!(levels.budget_left, budget - end);
                    assert!(quote.output.amount >= levels.output);
                    better += u32::from(quote.output.amount > levels.output);
                    kept += 1;
                    let until = match &signed {
                        None => quote.must_accept_by,
                        // Until it ends, or 60 seconds after its last second at the latest.
                        Some(_) => now.plus_seconds(1_000),
                    };
                    taker.used.insert(quote.id, (input.base_units(), until));
                    match signed {
                        None => taker.quotes.push(quote.id),
                        Some(signed) => taker.signed.push(signed),
                    }
                }
                Err(DeskError::Levels(LevelsRefusal::BudgetUsed)) => {
                    assert!(used + input.base_units() > budget, "round {round}");
                    refused += 1;
                }
                Err(DeskError::Levels(LevelsRefusal::BeyondSize)) => refused += 1,
                Err(error) => panic!("round {round}: {error}"),
            }
        }
        if rng.random_ratio(1, 6) && !taker.quotes.is_empty() {
            let id = taker.quotes.swap_remove(rng.random_range(0..taker.quotes.len()));
            let request = SignRequest { client: Client::Named("acme".into()), quote_id: id, terms: terms_to(&mut rng) };
            let is_live = taker.used.contains_key(&id);
            match desk.sign(&request).await {
                Ok(signed) => {
                    taker.used.get_mut(&id).unwrap().1 = now.plus_seconds(1_000);
                    taker.signed.push(signed);
                }
                Err(DeskError::UnknownQuote(_)) => assert!(!is_live, "round {round}"),
                Err(error) => panic!("round {round}: {error}"),
            }
        }
        if rng.random_ratio(1, 30) {
            block += 1;
            publish_market(&bench.market, block, price);
            let done: Vec<SignedQuote> = taker.signed.extract_if(.., |_| rng.random_ratio(1, 2)).collect();
            let swaps: Vec<_> = done.iter().map(|signed| executed(block, signed)).collect();
            let observed = ObservedBlock {
                max_age_seconds: 60,
                number: block,
                time: now,
                since: block,
                counted_until: block - 1,
                swaps,
                is_confirmed: true,
                is_deeply_reorganized: false,
            };
            desk.observe(spec().id, &observed).await.unwrap();
            for signed in done {
                settled += 1;
                taker.used.get_mut(&signed.quote.id).unwrap().1 = now.plus_micros(3_000_000);
            }
            let lapsed = taker.signed.extract_if(.., |signed| signed.quote.good_until.expires_at() < now.seconds());
            for signed in lapsed {
                taker.used.remove(&signed.quote.id);
            }
        }
        bench.clock.advance_micros(rng.random_range(0..100_000));
    }
    assert_eq!(breaches(&bench), 0);
    assert!(
        kept > 20_000 && refused > 5_000 && better > 1_000 && settled > 1_000,
        "{kept} {refused} {better} {settled}"
    );
}
