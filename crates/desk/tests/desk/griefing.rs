//! How far a client that signs and never settles moves the price for others, with the limits that are the defaults of
//! the configuration. `cargo test -p firmquote-desk --test desk griefing -- --nocapture` prints the table.
#![expect(clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use firmquote_desk::{Desk, DeskError, Limit, OutstandingPolicy, QuoteRequest, SignRequest, SigningPolicy, SwapAmount};
use firmquote_domain::{
    Address, Amount, BasisPoints, Client, PoolConstant, PoolSpec, SourceNetwork, Terms, Timestamp, U256,
};

use crate::pool::{Bench, bench, one_eth, spec, terms};

/// The largest swap that is tried, a slice, and the smallest, in base units of ETH: about 200,000, 200 and 2 US
/// dollars.
const LARGEST: u128 = 100_000_000_000_000_000_000;
const SLICE: u128 = 100_000_000_000_000_000;
const SMALLEST: u128 = 1_000_000_000_000_000;

fn policy() -> SigningPolicy {
    let bps = |text| Some(BasisPoints::from_decimal(text).unwrap());
    let share = |text| Limit::Share(BasisPoints::from_decimal(text).unwrap());
    let outstanding = OutstandingPolicy {
        max_share: bps("2000"),
        max_share_of_client: bps("1000"),
        max_share_of_anonymous: bps("20"),
        max_share_of_network: bps("5"),
        max_impact: bps("25"),
        max_impact_of_anonymous: bps("5"),
        ..OutstandingPolicy::default()
    };
    SigningPolicy {
        max_trade: share("1000"),
        max_per_minute: share("5000"),
        max_per_minute_of_client: share("2000"),
        max_per_minute_of_anonymous: share("100"),
        outstanding,
        ..SigningPolicy::default()
    }
}

fn request(client: &Client, source_network: Option<u64>, units: u128) -> QuoteRequest<'static> {
    let amount = SwapAmount::ExactInput(Amount::new(U256::from(units)).unwrap());
    QuoteRequest { client: client.clone(), source_network: source_network.map(SourceNetwork::new), amount, ..one_eth() }
}

/// What another client gets for a hundredth of an ETH, in units of 1e-6 US dollars.
async fn price(desk: &Desk) -> f64 {
    let quote = desk.quote(&request(&Client::Named("other".into()), None, 10_000_000_000_000_000)).await.unwrap();
    quote.output.amount.to_string().parse().unwrap()
}

/// Signs swaps of this size and, once that is refused, smaller ones, until not even the smallest is signed. Returns how
/// many.
async fn fill(desk: &Desk, client: &Client, source_network: Option<u64>, first: u128) -> u64 {
    let (mut size, mut signed) = (first, 0);
    while size >= SMALLEST {
        let Ok(quote) = desk.quote(&request(client, source_network, size)).await else {
            size /= 2;
            continue;
        };
        let terms = Terms { destination: Address::left_padding_from(&(signed + 1_u64).to_be_bytes()), ..terms(1) };
        let signing = desk.sign(&SignRequest { client: client.clone(), quote_id: quote.id, terms }).await;
        match signing {
            Ok(_) => signed += 1,
            Err(DeskError::OutstandingLimit { .. } | DeskError::ClientLimit { .. }) => size /= 2,
            Err(error) => panic!("{error:?}"),
        }
    }
    signed
}

#[tokio::test]
async fn unsettled_swaps_move_the_price_by_at_most_the_client_limit_and_one_swap() {
    println!("| client | swaps | k | limit, bp | moved, bp | signed |\n|---|---|---|---|---|---|");
    let named = Client::Named("griefer".into());
    for k in ["0.02", "0.06", "0.2"] {
        for (client, source_network, first, limit) in [
            (&named, None, LARGEST, None),
            (&named, None, SLICE, Some(25.0)),
            (&Client::Anonymous, Some(1), LARGEST, None),
            (&Client::Anonymous, Some(1), SLICE, Some(5.0)),
        ] {
            let Bench { mut desk, clock, .. } =
                bench(vec![PoolSpec { k: PoolConstant::from_decimal(k).unwrap(), ..spec() }]);
            desk.pools[0].policy = policy();
            let before = price(&desk).await;
            let signed = fill(&desk, client, source_network, first).await;
            let moved = (1.0 - price(&desk).await / before) * 10_000.0;
            let name = if *client == named { "named" } else { "one address" };
            let (kind, limit_text) = match limit {
                None => ("as large as it may", "-".to_owned()),
                Some(limit) => ("slices of 200 US dollars", limit.to_string()),
            };
            println!("| {name} | {kind} | {k} | {limit_text} | {moved:.2} | {signed} |");
            assert!(signed > 0 && moved >= 0.0, "{name}, {kind}, k {k}: {signed} signed, moved {moved}");
            if let Some(limit) = limit {
                assert!(moved <= limit * 1.02, "{name}, k {k}: moved {moved} of {limit}");
            }
            // Lapsed, and counted as long again for the client alone.
            clock.set(Timestamp::from_seconds(clock_end(&desk)));
            desk.refresh_book(&desk.pools[0]).await.unwrap();
            assert_eq!(price(&desk).await.to_bits(), before.to_bits(), "the price comes back");
        }
    }
}

/// A second in which everything that is outstanding has lapsed.
fn clock_end(desk: &Desk) -> u32 {
    let swaps = desk.pools[0].book().swaps();
    swaps.iter().map(|booked| booked.swap.offer.good_until.expires_at().get()).max().unwrap() + 61
}
