//! Price levels on a contract that checks the curve: certain levels execute at any size, and swaps signed for firm
//! levels execute at any later price.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::sync::Arc;

use firmquote_desk::{
    DeskError, FirmLevelsPolicy, LevelBook, LevelPublication, LevelState, LevelsRequest, Limit, QuoteRequest,
    SigningPolicy,
};
use firmquote_domain::{
    Amount, B256, BasisPoints, Client, GoodUntilKind, NativeSide, Price, SwapAmount, Terms, U256, Usd,
};
use firmquote_e2e::{
    demo,
    desk::{DeskHarness, publish, single_use},
    draw,
    evm::chain_id,
    exchange::PoolHarness,
    swapping::{SignedSwap, TRADER},
};
use firmquote_pricing::{PreparedPair, Swap, min_amount_worth};
use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// Number of random pools in each test.
const POOLS: u64 = 60;
/// Number of sizes tried in each book.
const SIZES: usize = 12;

/// Returns the terms of a trader whose wallet sends the swap.
fn terms(rng: &mut ChaCha8Rng) -> Terms {
    Terms {
        destination: draw::address(rng),
        sender: TRADER,
        aux_data: B256::ZERO,
        native: NativeSide::Neither,
        transmit: true,
        guarantee: false,
    }
}

#[tokio::test]
async fn certain_levels_execute_at_every_size() {
    let (mut executed, mut uncertain) = (0, 0);
    for seed in 0..POOLS {
        let mut rng = draw::generator(seed);
        let mut exchange = PoolHarness::open(draw::opening(&mut rng, GoodUntilKind::Verified));
        for positions in [(0, 1), (1, 0), (2, 3), (4, 1)] {
            let pair = exchange.pair(positions, draw::fee(&mut rng));
            let smallest = min_amount_worth(pair.input.price, pair.input.decimals, Usd::new(draw::DOLLAR / 10));
            let Some(largest) = Amount::new(pair.input.reserve.base_units() / U256::from(10)) else { continue };
            let Ok(levels) = PreparedPair::new(pair).levels(GoodUntilKind::Verified, [smallest, largest], 16) else {
                continue;
            };
            if !levels.is_certain {
                uncertain += 1;
                continue;
            }
            let [first, last] = [levels.knots[0].input, levels.knots.last().unwrap().input];
            for _ in 0..SIZES {
                let input = draw::amount(&mut rng, first, last);
                let swap = Swap { input, output: levels.output_for(input).unwrap() };
                let terms = terms(&mut rng);
                let offer = exchange.offer(positions, &pair, swap, terms.destination);
                let signed = exchange.sign(offer, terms).await.unwrap();
                let before = exchange.chain.state();
                exchange.fund(&signed);
                exchange.prepare(&signed);
                let outcome = exchange.chain.send(&signed.transaction());
                assert!(outcome.is_executed(), "{outcome:?}: {swap:?} of {levels:?} on {pair:?}");
                exchange.chain.reorganize(before);
                executed += 1;
            }
        }
    }
    eprintln!("{executed} swaps executed, {uncertain} books not certain");
    assert!(executed > 1_000, "{executed} executed, {uncertain} books not certain");
}

/// Opens a pool whose levels are firm for three seconds, for one client.
fn firm_pool(rng: &mut ChaCha8Rng) -> DeskHarness {
    let mut opening = demo::opening(GoodUntilKind::Verified);
    opening.k = draw::pool_constant(rng);
    let exchange = PoolHarness::open(opening);
    let spec = single_use(&exchange, draw::fee(rng));
    let margin = BasisPoints::from_hundredths(rng.random_range(0..=100)).unwrap();
    let policy = SigningPolicy {
        max_trade: Limit::Share(BasisPoints::from_hundredths(100_000).unwrap()),
        firm_levels: Some(FirmLevelsPolicy { firm_ms: 3_000, margin, budget: Usd::new(20_000 * draw::DOLLAR) }),
        ..SigningPolicy::default()
    };
    let world = DeskHarness::new(exchange, spec, policy, 100);
    world.desk.firm_levels.set_client_count(1);
    world
}

/// Publishes the levels of a pair; `None` if they are not firm.
async fn firm_book(world: &DeskHarness, pair: &str) -> Option<Arc<LevelBook>> {
    let pairs = [pair.to_owned()];
    let request = LevelsRequest {
        client: &Client::Anonymous,
        chain_id: chain_id(),
        pool_address: None,
        pairs: &pairs,
        time_in_seconds: None,
        max_knots: None,
    };
    let mut publication = LevelPublication::new(world.desk.level_books(&request).unwrap().remove(0));
    publication.refresh(&world.desk, world.desk.clock.now()).await;
    match publication.state() {
        Some(LevelState::Live(book, _)) => book.firm_budget.is_some().then(|| Arc::clone(book)),
        state => panic!("{state:?}"),
    }
}

/// Moves every price by up to five percent.
fn move_prices(world: &mut DeskHarness, rng: &mut ChaCha8Rng, block: u64) {
    for listing in &mut world.exchange.listings {
        let steps = u128::from(listing.price.steps()) * rng.random_range(9_500..=10_500) / 10_000;
        listing.price = Price::new(u64::try_from(steps).unwrap()).unwrap();
    }
    publish(&world.market, &mut world.exchange, block);
}

#[derive(Debug, Default)]
struct Tally {
    executed: u32,
    at_levels: u32,
    refused: u32,
}

/// Signs a part of the budget of the levels, and executes it at once.
async fn sign_and_execute(
    world: &mut DeskHarness,
    rng: &mut ChaCha8Rng,
    [input, output]: [&str; 2],
    book: &LevelBook,
    tally: &mut Tally,
) {
    let budget = book.firm_budget.unwrap();
    let request = QuoteRequest {
        client: Client::Named("acme".into()),
        source_network: None,
        chain_id: chain_id(),
        input: input.into(),
        output: output.into(),
        amount: SwapAmount::ExactInput(draw::amount(rng, book.levels.knots[0].input, budget)),
        time_in_seconds: None,
        pool_address: None,
        levels_id: Some(book.id),
        quote_id: None,
    };
    match world.desk.quote_and_sign(&request, terms(rng)).await {
        Ok(signed) => {
            let promised = signed.quote.levels.as_deref().unwrap().output;
            assert!(signed.quote.output.amount >= promised);
            tally.at_levels += u32::from(signed.quote.output.amount == promised);
            let swap = SignedSwap { offer: signed.offer(), terms: signed.terms, signature: signed.signature };
            world.exchange.fund(&swap);
            world.exchange.prepare(&swap);
            let outcome = world.exchange.chain.send(&swap.transaction());
            assert!(outcome.is_executed(), "{outcome:?} of {signed:?}");
            tally.executed += 1;
        }
        Err(DeskError::Levels(_)) => tally.refused += 1,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn swaps_signed_for_firm_levels_execute_at_any_price() {
    let mut tally = Tally::default();
    for seed in 0..POOLS {
        let mut rng = draw::generator(seed);
        let mut world = firm_pool(&mut rng);
        let mut block = 100;
        for _ in 0..6 {
            let pair = *[["T0", "T1"], ["T1", "T0"], ["T2", "T0"], ["T1", "T2"]].choose(&mut rng).unwrap();
            let Some(book) = firm_book(&world, &pair.join("-")).await else { continue };
            for _ in 0..4 {
                block += 1;
                move_prices(&mut world, &mut rng, block);
                sign_and_execute(&mut world, &mut rng, pair, &book, &mut tally).await;
            }
            // By now everything has settled or expired, and no levels are live.
            world.clock.advance_micros(800_000_000);
            world.exchange.chain.set_time(world.desk.clock.now().seconds().get());
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.executed > 300 && tally.at_levels > 100, "{tally:?}");
}
