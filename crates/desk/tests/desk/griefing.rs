//! How far a client that signs and never settles moves the price for others, with the limits that are the defaults of
//! the configuration. `cargo test -p firmquote-desk --test desk griefing -- --nocapture` prints the table.
#![expect(clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use firmquote_desk::{Desk, DeskError, Limit, OutstandingPolicy, QuoteRequest, SignRequest, SigningPolicy};
use firmquote_domain::{
    Address, Amount, BasisPoints, BookEntry, Client, PoolSpec, SourceNetwork, SwapAmount, Terms, Timestamp, U256,
    UnixSeconds,
};

use crate::pool::{Bench, bench, one_eth, spec, terms};

/// The largest swap that is tried, a slice, and the smallest, in base units of ETH: about 200,000, 200 and 2 US
/// dollars.
const LARGEST: u128 = 100_000_000_000_000_000_000;
const SLICE: u128 = 100_000_000_000_000_000;
const SMALLEST: u128 = 1_000_000_000_000_000;

/// Number of source networks: more than the limit of all clients without credentials admits.
const NETWORKS: u64 = 40;

fn policy() -> SigningPolicy {
    let bps = |text: &str| Some(text.parse::<BasisPoints>().unwrap());
    let share = |text: &str| Limit::Share(text.parse::<BasisPoints>().unwrap());
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

/// The client that signs and never settles.
#[derive(Clone, Copy, Debug)]
enum Griefer {
    Named,
    /// Without credentials, from one source network.
    OneNetwork,
    /// Without credentials, from as many source networks as sign anything.
    ManyNetworks,
}

impl Griefer {
    /// Signs as much as it can, and returns the number of swaps.
    async fn fill(self, desk: &Desk, first: u128) -> u64 {
        match self {
            Self::Named => fill(desk, &Client::Named("griefer".into()), None, first).await,
            Self::OneNetwork => fill(desk, &Client::Anonymous, Some(1), first).await,
            Self::ManyNetworks => {
                let mut signed = 0;
                for network in 1..=NETWORKS {
                    signed += fill(desk, &Client::Anonymous, Some(network), first).await;
                }
                signed
            }
        }
    }

    /// How far its outstanding swaps may move the price, in basis points.
    const fn limit(self) -> f64 {
        match self {
            Self::Named => 25.0,
            Self::OneNetwork | Self::ManyNetworks => 5.0,
        }
    }
}

/// How far one swap of `units` of ETH moves the price with an empty book, in basis points.
async fn impact(k: &str, units: u128) -> f64 {
    let desk = desk(k).desk;
    let before = price(&desk).await;
    let largest = Client::Named("largest".into());
    let mut units = units;
    let quote = loop {
        match desk.quote(&request(&largest, None, units)).await {
            Ok(quote) => break quote,
            Err(_) => units = units * 99 / 100,
        }
    };
    desk.sign(&SignRequest { client: largest, quote_id: quote.id, terms: terms(1) }).await.unwrap();
    (1.0 - price(&desk).await / before) * 10_000.0
}

/// A desk with the default limits.
fn desk(k: &str) -> Bench {
    let mut bench = bench(vec![PoolSpec { k: k.parse().unwrap(), ..spec() }]);
    bench.desk.pools[0].policy = policy();
    bench
}

#[tokio::test]
async fn unsettled_swaps_move_the_price_by_at_most_the_client_limit_and_one_swap() {
    println!("| client | swaps | k | limit, bp | moved, bp | signed |\n|---|---|---|---|---|---|");
    for k in ["0.02", "0.06", "0.2"] {
        let mut signed_by_networks = Vec::new();
        for (griefer, first) in [
            (Griefer::Named, LARGEST),
            (Griefer::Named, SLICE),
            (Griefer::OneNetwork, LARGEST),
            (Griefer::OneNetwork, SLICE),
            (Griefer::ManyNetworks, SLICE),
        ] {
            let Bench { desk, clock, .. } = desk(k);
            let before = price(&desk).await;
            let signed = griefer.fill(&desk, first).await;
            let moved = (1.0 - price(&desk).await / before) * 10_000.0;
            println!("| {griefer:?} | up to {first} wei | {k} | {} | {moved:.2} | {signed} |", griefer.limit());
            let bound = griefer.limit() + impact(k, first).await;
            assert!(signed > 0 && moved > 0.0 && moved <= bound, "{griefer:?}, k {k}: moved {moved} of {bound}");
            if first == SLICE {
                assert!(moved <= griefer.limit() * 1.02, "{griefer:?}, k {k}: moved {moved}");
                signed_by_networks.push(signed);
            }
            // Lapsed, and counted as long again for the client alone.
            clock.set(Timestamp::from_seconds(
                last_second(&desk, |booked| booked.swap.offer.good_until.expires_at()) + 61,
            ));
            desk.refresh_book(&desk.pools[0]).await.unwrap();
            assert_eq!(price(&desk).await.to_bits(), before.to_bits(), "the price comes back");
            assert_eq!(griefer.fill(&desk, first).await, 0, "{griefer:?}, k {k}: what lapsed still counts");
            assert!(fill(&desk, &Client::Named("other".into()), None, SLICE).await > 0, "it counts for others");
            clock.set(Timestamp::from_seconds(last_second(&desk, |booked| booked.swap.deadlines().release) + 1));
            desk.refresh_book(&desk.pools[0]).await.unwrap();
            assert_eq!(griefer.fill(&desk, first).await, signed, "{griefer:?}, k {k}: it counts no longer");
        }
        let [_, one, many] = signed_by_networks[..] else { panic!("three griefers with slices") };
        assert!(many > one, "k {k}: {many} swaps of many networks, {one} of one");
    }
}

/// The last second of anything that is booked.
fn last_second(desk: &Desk, second: impl Fn(&BookEntry) -> UnixSeconds) -> u32 {
    let swaps = desk.pools[0].book().swaps();
    swaps.iter().map(|booked| second(booked).get()).max().unwrap()
}
