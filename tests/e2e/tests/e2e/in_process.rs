//! Signed swaps of every form, executed by the contracts: none reverts, and each pays exactly the signed amount.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic anywhere")]

use std::collections::HashMap;

use firmquote_calldata::{SwapFunction, SwappedEvent, decode_swapped};
use firmquote_domain::{
    Address, Amount, B256, BasisPoints, GoodUntilKind, NativeSide, Price, SwapAmount, Terms, U256, Usd,
};
use firmquote_e2e::{
    draw::{self, DOLLAR},
    evm::Outcome,
    exchange::PoolHarness,
    swapping::{SignedSwap, TRADER},
};
use firmquote_pricing::{
    PairState, PricingError, Swap, input_for, is_worth_at_least, min_amount_worth, output_for, price,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const POOLS: u64 = 120;
const SWAPS_PER_POOL: usize = 24;

/// The default minimum value of a quoted input.
const MIN_TRADE: Usd = Usd::new(DOLLAR / 10);

/// The categories in which swaps are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Case {
    is_verified: bool,
    function: SwapFunction,
    is_input_fixed: bool,
}

/// Number of executed swaps, and of those worth less than twenty cents.
#[derive(Default)]
struct Tally {
    executed: HashMap<Case, u32>,
    smallest: u32,
}

#[tokio::test]
async fn every_signed_swap_executes_and_pays_to_the_unit() {
    let mut tally = Tally::default();
    for seed in 0..POOLS {
        let mut rng = draw::generator(seed);
        let kind = if seed % 2 == 0 { GoodUntilKind::Plain } else { GoodUntilKind::Verified };
        let mut exchange = PoolHarness::open(draw::opening(&mut rng, kind));
        for _ in 0..SWAPS_PER_POOL {
            trade(&mut rng, &mut exchange, &mut tally).await;
        }
    }
    let executed: u32 = tally.executed.values().sum();
    eprintln!("{executed} swaps executed, {} near ten cents: {:?}", tally.smallest, tally.executed);
    assert!(executed >= 2_000, "{executed} swaps executed");
    assert_eq!(tally.executed.len(), 2 * 2 * SwapFunction::ALL.len(), "a function, kind or fixed side did not occur");
    assert!(tally.executed.values().all(|count| *count >= 20), "{:?}", tally.executed);
    assert!(tally.smallest >= 500, "{}", tally.smallest);
}

/// Executes one random swap, from its price to its payout.
async fn trade(rng: &mut ChaCha8Rng, exchange: &mut PoolHarness, tally: &mut Tally) {
    move_prices(rng, exchange);
    let positions = positions(rng, exchange.contracts.tokens.len());
    let kind = exchange.spec().good_until;
    let is_free = kind == GoodUntilKind::Plain && rng.random_ratio(1, 4);
    let fee = if is_free { BasisPoints::default() } else { draw::fee(rng) };
    let pair = exchange.pair(positions, fee);
    let fixed = size(rng, &pair);
    let Some(swap) = quoted_price(&pair, kind, fixed) else { return };
    let destination = draw::address(rng);
    let terms = Terms {
        destination,
        sender: TRADER,
        aux_data: B256::from(rng.random::<[u8; 32]>()),
        native: native_side(rng, positions),
        transmit: rng.random(),
        guarantee: false,
    };
    let offer = exchange.offer(positions, &pair, swap, destination);
    let signed = exchange.sign(offer, terms).await.unwrap();
    execute(exchange, &signed, &format!("{pair:?} {fixed:?}"));

    let case = Case {
        is_verified: kind == GoodUntilKind::Verified,
        function: SwapFunction::new(terms.native, terms.transmit),
        is_input_fixed: matches!(fixed, SwapAmount::ExactInput(_)),
    };
    *tally.executed.entry(case).or_default() += 1;
    let twice = Usd::new(2 * MIN_TRADE.steps());
    tally.smallest += u32::from(!is_worth_at_least(swap.input, pair.input.price, pair.input.decimals, twice));
}

/// Moves prices slightly between swaps.
fn move_prices(rng: &mut ChaCha8Rng, exchange: &mut PoolHarness) {
    for listing in &mut exchange.listings {
        let steps = u128::from(listing.price.steps()) * rng.random_range(9_900..=10_100) / 10_000;
        listing.price = Price::new(u64::try_from(steps).unwrap()).unwrap_or(listing.price);
    }
}

/// Draws two different tokens; in half of the cases one of them is wrapped native.
fn positions(rng: &mut ChaCha8Rng, tokens: usize) -> (usize, usize) {
    let first = if rng.random() { 0 } else { rng.random_range(0..tokens) };
    let second = (first + rng.random_range(1..tokens)) % tokens;
    if rng.random() { (first, second) } else { (second, first) }
}

fn native_side(rng: &mut ChaCha8Rng, positions: (usize, usize)) -> NativeSide {
    match positions {
        (0, _) if rng.random_ratio(3, 4) => NativeSide::Input,
        (_, 0) if rng.random_ratio(3, 4) => NativeSide::Output,
        _ => NativeSide::Neither,
    }
}

/// Draws a size from ten cents to 30 % of a reserve, often close to ten cents; either side is fixed.
fn size(rng: &mut ChaCha8Rng, pair: &PairState) -> SwapAmount {
    let smallest = min_amount_worth(pair.input.price, pair.input.decimals, MIN_TRADE);
    let largest = |rng: &mut ChaCha8Rng, smallest, reserve| match rng.random_range(0..5) {
        0 => smallest,
        1 => share(smallest, 150),
        _ => share(reserve, 30),
    };
    if rng.random() {
        let largest = largest(rng, smallest, pair.input.reserve);
        return SwapAmount::ExactInput(draw::amount(rng, smallest, largest));
    }
    // One unit more than the output of the minimum input costs at least the minimum input.
    let smallest =
        output_for(pair, smallest).ok().and_then(|output| output.checked_add(Amount::ONE)).unwrap_or(Amount::ONE);
    let largest = largest(rng, smallest, pair.output.reserve);
    SwapAmount::ExactOutput(draw::amount(rng, smallest, largest))
}

fn share(amount: Amount, percent: u32) -> Amount {
    Amount::new(amount.base_units() * U256::from(percent) / U256::from(100)).unwrap_or(Amount::ONE)
}

/// Returns the price of a swap, or of the nearest size that the pool serves. `None` where ten cents buy nothing.
fn quoted_price(pair: &PairState, kind: GoodUntilKind, fixed: SwapAmount) -> Option<Swap> {
    let swap = match price(pair, kind, fixed) {
        Err(PricingError::TooLarge { limit }) => price(pair, kind, with_amount(fixed, share(limit, 30))),
        Err(PricingError::TooSmall { limit }) => {
            assert!(buys_less_than_a_unit(pair, fixed), "the contract would refuse {pair:?} {fixed:?}");
            price(pair, kind, with_amount(fixed, limit))
        }
        priced => priced,
    };
    let swap = swap.unwrap_or_else(|error| panic!("{error:?} for {pair:?} {fixed:?}"));
    let is_served = is_worth_at_least(swap.input, pair.input.price, pair.input.decimals, MIN_TRADE);
    if is_served {
        assert_correctly_rounded(pair, fixed, swap);
    }
    is_served.then_some(swap)
}

fn buys_less_than_a_unit(pair: &PairState, fixed: SwapAmount) -> bool {
    let SwapAmount::ExactInput(input) = fixed else { return false };
    matches!(output_for(pair, input), Err(PricingError::TooSmall { .. }))
}

const fn with_amount(fixed: SwapAmount, amount: Amount) -> SwapAmount {
    match fixed {
        SwapAmount::ExactInput(_) => SwapAmount::ExactInput(amount),
        SwapAmount::ExactOutput(_) => SwapAmount::ExactOutput(amount),
    }
}

/// Asserts that the contract's check leaves the rounded amounts unchanged, from ten cents upward with a fee of one
/// basis point.
fn assert_correctly_rounded(pair: &PairState, fixed: SwapAmount, swap: Swap) {
    match fixed {
        SwapAmount::ExactInput(_) => assert_eq!(Ok(swap.output), output_for(pair, swap.input), "{pair:?} {fixed:?}"),
        SwapAmount::ExactOutput(_) => assert_eq!(Ok(swap.input), input_for(pair, swap.output), "{pair:?} {fixed:?}"),
    }
}

/// Sends the swap, and compares balances, books and event with the signed amounts.
fn execute(exchange: &mut PoolHarness, swap: &SignedSwap, context: &str) {
    let (input, output) = (swap.offer.input_amount.base_units(), swap.offer.output_amount.base_units());
    exchange.fund(swap);
    let before = Holdings::new(exchange, swap);
    exchange.prepare(swap);
    let outcome = exchange.chain.send(&swap.transaction());
    assert!(outcome.is_executed(), "{outcome:?} for {swap:?} {context}");
    let after = Holdings::new(exchange, swap);
    assert_eq!(before.trader - after.trader, input, "the exact input is taken: {context}");
    assert_eq!(after.destination - before.destination, output, "the exact output is paid: {context}");
    assert_eq!(after.reserves, expected_books(exchange, &before.reserves, swap), "{context}");
    assert_eq!(event_of(swap.offer.pool.address, outcome), expected_event(swap), "{context}");
}

/// The balances that a swap changes.
struct Holdings {
    trader: U256,
    destination: U256,
    reserves: Vec<U256>,
}

impl Holdings {
    fn new(exchange: &mut PoolHarness, swap: &SignedSwap) -> Self {
        let (offer, native) = (&swap.offer, swap.terms.native);
        let trader = match native {
            NativeSide::Input => exchange.chain.native_balance(TRADER),
            NativeSide::Neither | NativeSide::Output => exchange.balance(offer.input_token, TRADER),
        };
        let destination = match native {
            NativeSide::Output => exchange.chain.native_balance(offer.destination),
            NativeSide::Neither | NativeSide::Input => exchange.balance(offer.output_token, offer.destination),
        };
        let reserves = exchange.reserves();
        let pool = offer.pool.address;
        for (token, book) in exchange.contracts.tokens.clone().into_iter().zip(&reserves) {
            assert_eq!(exchange.balance(token, pool), *book, "the books differ from the balance");
        }
        Self { trader, destination, reserves }
    }
}

/// Returns the books after a swap.
fn expected_books(exchange: &PoolHarness, reserves: &[U256], swap: &SignedSwap) -> Vec<U256> {
    let after = |(token, book): (&Address, &U256)| match *token {
        token if token == swap.offer.input_token => *book + swap.offer.input_amount.base_units(),
        token if token == swap.offer.output_token => *book - swap.offer.output_amount.base_units(),
        _ => *book,
    };
    exchange.contracts.tokens.iter().zip(reserves).map(after).collect()
}

/// Returns the only event of the pool itself.
fn event_of(pool: Address, outcome: Outcome) -> SwappedEvent {
    let (_, logs) = outcome.executed();
    let pool_logs: Vec<_> = logs.iter().filter(|log| log.address == pool).collect();
    assert_eq!(pool_logs.len(), 1);
    decode_swapped(pool_logs[0].data.topics(), &pool_logs[0].data.data).unwrap()
}

fn expected_event(swap: &SignedSwap) -> SwappedEvent {
    SwappedEvent {
        input_token: swap.offer.input_token,
        output_token: swap.offer.output_token,
        recipient: swap.offer.destination,
        input_amount: swap.offer.input_amount.base_units(),
        output_amount: swap.offer.output_amount.base_units(),
        aux_data: swap.terms.aux_data.into(),
    }
}
