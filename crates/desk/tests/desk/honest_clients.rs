//! How often a client that executes what it signs is refused by the default limits, and how much one that executes
//! nothing can hold.

use firmquote_desk::{DeskError, ObservedBlock, QuoteRequest};
use firmquote_domain::{Amount, Client, PoolSpec, SignedQuote, SwapAmount, U256};
use firmquote_market::Snapshot;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::{
    outstanding::default_limits,
    pool::{Bench, NOW, one_eth, spec, terms},
    settlement::{at_block, block, executed, on_chain},
};

/// What came of the requests of a client.
#[derive(Debug, Default)]
struct Requests {
    made: u32,
    refused: u32,
    /// The largest outflow of US dollars that was outstanding at a time.
    max_outstanding_usd: u64,
}

/// Requests two signatures of 200 to 4,000 US dollars in each of `blocks` blocks of `block_seconds`, in random
/// directions, of which this share is executed in the next block.
#[expect(clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]
async fn requests(client: &Client, block_seconds: u32, blocks: u64, executed_share: f64) -> Requests {
    let Bench { mut desk, clock, market } = on_chain(PoolSpec { single_use: true, ..spec() });
    desk.pools[0].policy.outstanding = default_limits();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut requests = Requests::default();
    let (mut signed, mut executions): (Vec<SignedQuote>, Vec<_>) = (Vec::new(), Vec::new());
    for number in 101..101 + blocks {
        let seconds = u32::try_from(number - 100).unwrap() * block_seconds;
        clock.set(NOW.plus_seconds(seconds));
        for signed in signed.drain(..).filter(|_| rng.random_bool(executed_share)) {
            let mut swap = executed(number, &signed);
            swap.block_time = NOW.plus_seconds(seconds).seconds();
            swap.transaction_hash.0[..8].copy_from_slice(&number.to_be_bytes());
            executions.push(swap);
        }
        executions.retain(|swap| number - swap.block_number < 200);
        let observed = ObservedBlock { swaps: executions.clone(), ..block(number, seconds, &[]) };
        desk.observe(spec().id, &observed).await.unwrap();
        market.replace(Snapshot::default().with(spec().id, at_block(number)));
        for _ in 0..2 {
            let dollars = rng.random_range(200..=4_000_u64);
            let (input, output, units) = match rng.random_bool(0.5) {
                true => ("ETH", "USDC", dollars * (1_000_000_000_000_000_000 / 2_080)),
                false => ("USDC", "ETH", dollars * 1_000_000),
            };
            let amount = SwapAmount::ExactInput(Amount::new(U256::from(units)).unwrap());
            let request = QuoteRequest {
                client: client.clone(),
                input: input.into(),
                output: output.into(),
                amount,
                ..one_eth()
            };
            requests.made += 1;
            match desk.quote_and_sign(&request, terms(rng.random_range(1..=255))).await {
                Ok(quote) => signed.push(quote),
                Err(DeskError::OutstandingLimit { .. } | DeskError::Conflict(_)) => requests.refused += 1,
                Err(error) => panic!("{error:?}"),
            }
        }
        let swaps = desk.pools[0].book().swaps();
        let dollars = swaps.iter().filter(|entry| entry.state.counts_for_client()).map(|entry| {
            let offer = &entry.swap.offer;
            let usdc = spec().assets.iter().find(|asset| asset.symbol.as_str() == "USDC").unwrap().address;
            if offer.output_token == usdc { offer.output_amount.base_units().to::<u64>() / 1_000_000 } else { 0 }
        });
        requests.max_outstanding_usd = requests.max_outstanding_usd.max(dollars.sum());
    }
    requests
}

#[tokio::test]
async fn a_client_that_executes_is_hardly_refused_and_one_that_does_not_is_bounded() {
    let acme = Client::Named("acme".into());
    for block_seconds in [1, 12] {
        let honest = requests(&acme, block_seconds, 700, 0.95).await;
        assert!(honest.refused * 100 < honest.made, "{block_seconds} s: {honest:?}");
        let idle = requests(&acme, block_seconds, 200, 0.0).await;
        // 25 basis points of impact, half of it by the output: 2.08 % of the reserve of 417,751 USDC.
        assert!(idle.max_outstanding_usd <= 8_704, "{block_seconds} s: {idle:?}");
        assert!(idle.refused * 2 > idle.made, "{block_seconds} s: {idle:?}");
    }
}
