//! What an attacker can take from a pool whose contract executes each signature once: many quotes at once, slices,
//! round trips over three assets, signatures that lapse or are pushed, quotes of a replica that is a block behind and
//! whose copy of the book lags. A pool that starts at its target never ends with less value, one that starts elsewhere
//! never with less of a token and more of none, and its invariant is after no swap below where it stood when nothing
//! was outstanding.
//!
//! `FIRMQUOTE_STRATEGIES=100000 cargo test --release -p firmquote-desk --test desk strategies` tries more of them.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

mod world;

use std::env;

use firmquote_domain::{Amount, SwapAmount, U256};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use world::{Start, World, value};

/// Strategies that are tried unless the environment says otherwise.
const STRATEGIES: u64 = 2_000;

/// How a strategy ended.
struct Played {
    before: [U256; 3],
    after: [U256; 3],
    signed: usize,
    moved: usize,
    retried: usize,
}

/// Plays one strategy.
async fn play(seed: u64, start: Start) -> Played {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut world = World::new(&mut rng, start);
    let before = world.reserves;
    for desk in &world.desks {
        desk.refresh_book(&desk.pools[0]).await.unwrap();
    }
    for _ in 0..rng.random_range(4..40) {
        match rng.random_range(0..20) {
            0..8 => world.quote(&mut rng).await,
            8..14 => world.sign(&mut rng).await,
            14..19 => world.settle(&mut rng).await,
            _ => world.lapse(&mut rng).await,
        }
        world.follow(&mut rng).await;
    }
    for _ in 0..rng.random_range(0..=world.outstanding.len()) {
        world.settle(&mut rng).await;
    }
    Played { before, after: world.reserves, signed: world.signed, moved: world.moved(), retried: world.retried }
}

/// Signs a hundred swaps that were quoted at one price, executes all that are signed, and buys back this part of what
/// they took out, in so many slices. Returns the number of signatures, and the reserves before and after.
async fn attack(seed: u64, percent: u32, slices: u32) -> (usize, [[U256; 3]; 2]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut world = World::new(&mut rng, Start::AtTarget);
    let before = world.reserves;
    for desk in &world.desks {
        desk.refresh_book(&desk.pools[0]).await.unwrap();
    }
    let pair @ [input, output] = [[0, 1], [1, 2], [2, 0]][rng.random_range(0..3)];
    let amount = Amount::new(before[input] / U256::from(200)).unwrap();
    for number in 0..100 {
        let quote = world.request(number % 2, pair, SwapAmount::ExactInput(amount)).await;
        world.made.extend(quote);
    }
    while !world.made.is_empty() {
        world.sign(&mut rng).await;
    }
    // Those that were refused at the old price are requested anew, and signed on top.
    for number in 0..20 {
        let quote = world.request(number % 2, pair, SwapAmount::ExactInput(amount)).await;
        world.made.extend(quote);
        world.sign(&mut rng).await;
    }
    for signed in std::mem::take(&mut world.outstanding) {
        world.execute(&signed, 1_000, &mut rng).await;
    }
    let slice = (before[output] - world.reserves[output]) * U256::from(percent) / U256::from(100 * slices);
    for _ in 0..slices {
        world.follow(&mut rng).await;
        let Some(slice) = Amount::new(slice) else { break };
        let quote = world.request(0, [output, input], SwapAmount::ExactInput(slice)).await;
        world.made.extend(quote);
        world.sign(&mut rng).await;
        for signed in std::mem::take(&mut world.outstanding) {
            world.execute(&signed, 1_000, &mut rng).await;
        }
    }
    (world.signed, [before, world.reserves])
}

#[tokio::test]
async fn parallel_signatures_at_one_price_that_are_bought_back_take_nothing() {
    let mut most_signed = 0;
    for seed in 0..12 {
        for percent in [0, 25, 50, 75, 90, 100, 110, 150] {
            for slices in [1, 8] {
                let (signed, [before, after]) = attack(seed, percent, slices).await;
                assert!(
                    value(&after) + U256::from(10).pow(U256::from(21)) >= value(&before),
                    "seed {seed}, {percent} % in {slices}: {before:?}, {after:?}"
                );
                most_signed = most_signed.max(signed);
            }
        }
    }
    assert!(most_signed > 20, "{most_signed}");
}

fn strategies() -> u64 {
    env::var("FIRMQUOTE_STRATEGIES").ok().and_then(|count| count.parse().ok()).unwrap_or(STRATEGIES)
}

#[tokio::test]
async fn no_strategy_extracts_value_from_a_pool_at_its_target() {
    let (mut signatures, mut refusals, mut retries) = (0, 0, 0);
    for seed in 0..strategies() {
        let Played { before, after, signed, moved, retried } = play(seed, Start::AtTarget).await;
        // A thousandth of a US cent, for the rounding of the target.
        assert!(
            value(&after) + U256::from(10).pow(U256::from(21)) >= value(&before),
            "seed {seed}: {before:?}, {after:?}"
        );
        signatures += signed;
        refusals += moved;
        retries += retried;
    }
    println!("{signatures} signed, {retries} of them after a change of the book, {refusals} refused bookings");
    assert!(signatures > usize::try_from(strategies()).unwrap(), "{signatures}");
    assert!(retries > 0 && refusals > retries, "the copy of the book was never behind");
}

#[tokio::test]
async fn no_strategy_obtains_one_token_without_paying_another() {
    for seed in 0..strategies() {
        let Played { before, after, .. } = play(seed, Start::OffTarget).await;
        let gives_none = before.iter().zip(&after).all(|(before, after)| after <= before);
        assert!(!gives_none || before == after, "seed {seed}: {before:?}, {after:?}");
    }
}
