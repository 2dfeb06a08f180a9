//! Outstanding swaps: they make quotes worse, and bound what else is signed.

use std::sync::Arc;

use firmquote_desk::{ConflictReason, Desk, DeskError, OutstandingPolicy, QuoteRequest, SignRequest};
use firmquote_domain::{
    Amount, BasisPoints, Client, Clock, ClockJump, PoolSpec, Quote, SignedQuote, SourceNetwork, SwapAmount, SwapState,
    Timestamp, U256,
};

use firmquote_pricing::max_amount_worth;

use crate::pool::{Bench, NOW, bench, one_eth, sign, spec, terms};

pub(crate) fn amount(units: u64) -> SwapAmount {
    SwapAmount::ExactInput(Amount::new(U256::from(units)).unwrap())
}

/// Signs `count` quotes of a tenth of an ETH, each for another destination.
pub(crate) async fn sign_some(desk: &Desk, count: u8) -> Vec<SignedQuote> {
    let mut signed = Vec::new();
    for destination in 1..=count {
        let request = QuoteRequest { amount: amount(100_000_000_000_000_000), ..one_eth() };
        signed.push(desk.quote_and_sign(&request, terms(destination)).await.unwrap());
    }
    signed
}

/// A clock that was set forward.
struct JumpedClock(Timestamp);

impl Clock for JumpedClock {
    fn now(&self) -> Timestamp {
        self.0
    }

    fn check(&self) -> Result<(), ClockJump> {
        Err(ClockJump { ahead_ms: 3 * 86_400_000 })
    }
}

#[tokio::test]
async fn no_swap_lapses_by_a_clock_that_was_set_forward() {
    let Bench { mut desk, .. } = bench(vec![spec()]);
    let signed = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap();
    let clock = std::mem::replace(&mut desk.clock, Arc::new(JumpedClock(NOW.plus_seconds(3 * 86_400))));
    assert!(matches!(desk.refresh_book(&desk.pools[0]).await, Err(DeskError::Clock(_))));
    desk.clock = clock;
    desk.refresh_book(&desk.pools[0]).await.unwrap();
    let swaps = desk.pools[0].book().swaps();
    assert_eq!(
        swaps.iter().map(|entry| (entry.swap.quote_id, entry.state)).collect::<Vec<_>>(),
        [(signed.quote.id, SwapState::Outstanding)]
    );
}

#[tokio::test]
async fn quotes_assume_outstanding_swaps_settle_when_that_is_worse() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let first = desk.quote(&one_eth()).await.unwrap();
    desk.sign(&sign(first.id, 1)).await.unwrap();
    let view = desk.default_pool(spec().id.chain_id, None, &Client::Anonymous).unwrap();
    let [eth, usdc] = [view.assets[0], view.assets[1]];
    assert_eq!(
        (eth.outstanding_inflow, eth.outstanding_outflow),
        (U256::from(1_005_000_000_000_000_000_u64), U256::ZERO)
    );
    assert_eq!((usdc.outstanding_inflow, usdc.outstanding_outflow), (U256::ZERO, U256::from(2_088_932_111_u64)));
    let second = desk.quote(&one_eth()).await.unwrap();
    assert_eq!(second.output.amount.to_string(), "2077650719");
    let [gained, left] = [(&second.input, eth.outstanding_inflow), (&second.output, usdc.outstanding_outflow)];
    assert_eq!(gained.0.reserve.base_units(), eth.reserve.unwrap().base_units() + gained.1);
    assert_eq!(left.0.reserve.base_units(), usdc.reserve.unwrap().base_units() - left.1);
    let back = QuoteRequest { input: "USDC".into(), output: "ETH".into(), amount: amount(1_000_000_000), ..one_eth() };
    let other_way = desk.quote(&back).await.unwrap();
    assert_eq!(other_way.input.reserve, usdc.reserve.unwrap(), "what would help may never happen");
}

#[tokio::test]
async fn concurrent_quotes_are_signed_within_half_of_the_fee() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let half = QuoteRequest { amount: amount(500_000_000_000_000_000), ..one_eth() };
    let mut quotes: Vec<Quote> = Vec::new();
    for _ in 0..8 {
        quotes.push(desk.quote(&half).await.unwrap());
    }
    let mut outcomes = Vec::new();
    for (quote, destination) in quotes.iter().zip(1..) {
        outcomes.push(match desk.sign(&sign(quote.id, destination)).await {
            Ok(_) => None,
            Err(DeskError::Conflict(conflict)) => Some(conflict),
            Err(error) => panic!("{error}"),
        });
    }
    let signed = outcomes.iter().take_while(|refused| refused.is_none()).count();
    // About 2,100 US dollars beside each other: two of 1,040, and what the first finds nothing beside.
    assert_eq!(signed, 3, "{outcomes:?}");
    for refused in outcomes.split_off(signed) {
        let conflict = refused.unwrap();
        assert_eq!(conflict.reason, ConflictReason::Outstanding);
        let fresh = conflict.fresh_quote.unwrap();
        assert!(fresh.output.amount < quotes[0].output.amount, "what is signed is in its price");
    }
    let fresh = desk.quote(&half).await.unwrap();
    assert_eq!(desk.sign(&sign(fresh.id, 9)).await.unwrap().quote, fresh);
}

#[tokio::test]
async fn equal_offers_of_a_single_use_pool_are_signed_once() {
    for (single_use, expected) in [(true, false), (false, true)] {
        let Bench { desk, .. } = bench(vec![PoolSpec { single_use, ..spec() }]);
        let small = QuoteRequest { amount: amount(1_000_000_000_000_000), ..one_eth() };
        let [first, second] = [desk.quote(&small).await.unwrap(), desk.quote(&small).await.unwrap()];
        desk.sign(&sign(first.id, 1)).await.unwrap();
        assert_eq!(desk.sign(&sign(second.id, 1)).await.is_ok(), expected, "{single_use}");
        assert!(desk.sign(&sign(first.id, 1)).await.is_ok(), "the same quote again");
    }
}

#[tokio::test]
async fn a_client_that_never_settles_is_refused_until_its_swaps_expire() {
    let Bench { mut desk, clock, .. } = bench(vec![spec()]);
    let bps = |text: &str| Some(text.parse::<BasisPoints>().unwrap());
    desk.pools[0].policy.outstanding = OutstandingPolicy { max_impact: bps("2"), ..OutstandingPolicy::default() };
    let large = QuoteRequest { amount: amount(500_000_000_000_000_000), ..one_eth() };
    desk.quote_and_sign(&large, terms(1)).await.unwrap();
    let small = QuoteRequest { amount: amount(1_000_000_000_000_000), ..one_eth() };
    let refused = desk.quote_and_sign(&small, terms(2)).await.unwrap_err();
    let DeskError::OutstandingLimit { room: None, retry_after_seconds: Some(seconds), .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(seconds, 2 * (12 + 60 + 60), "until the swap has lapsed, and as long again");
    let other = QuoteRequest { client: Client::Named("acme".into()), ..small.clone() };
    assert!(desk.quote_and_sign(&other, terms(2)).await.is_ok(), "clients are counted apart");
    for (later, is_free) in [(132, false), (131, false), (1, true)] {
        clock.advance_micros(later * 1_000_000);
        assert_eq!(desk.quote_and_sign(&small, terms(3)).await.is_ok(), is_free, "an unused one counts as long again");
    }
}

#[tokio::test]
async fn retrying_after_the_advertised_delay_succeeds() {
    let bps = |text: &str| text.parse::<BasisPoints>().ok();
    let default = OutstandingPolicy::default;
    let (anonymous, named) = (Client::Anonymous, Client::Named("acme".into()));
    for (policy, client, reason) in [
        (OutstandingPolicy { max_share: bps("60"), ..default() }, &anonymous, "pool"),
        (OutstandingPolicy { max_share_of_client: bps("40"), ..default() }, &named, "output of a client"),
        (OutstandingPolicy { max_impact: bps("5"), ..default() }, &named, "both sides of a client"),
        (OutstandingPolicy { max_share_of_network: bps("40"), ..default() }, &anonymous, "output of a network"),
    ] {
        let trade = |eth_thousandths: u64, seconds| QuoteRequest {
            client: client.clone(),
            source_network: (*client == Client::Anonymous).then_some(SourceNetwork::new(1)),
            time_in_seconds: Some(seconds),
            amount: amount(eth_thousandths * 1_000_000_000_000_000),
            ..one_eth()
        };
        let large = trade(400, 60);
        let refused = async || {
            let Bench { mut desk, clock, .. } = bench(vec![spec()]);
            desk.pools[0].policy.outstanding = policy;
            // The first to be over is too small to make enough room.
            for (thousandths, seconds, destination) in [(10, 30, 1), (300, 60, 2), (300, 90, 3)] {
                desk.quote_and_sign(&trade(thousandths, seconds), terms(destination)).await.unwrap();
            }
            let refused = desk.quote_and_sign(&large, terms(4)).await.unwrap_err();
            let DeskError::OutstandingLimit { room: Some(room), retry_after_seconds: Some(seconds), .. } = refused
            else {
                panic!("{reason}: {refused:?}")
            };
            (desk, clock, room, u64::from(seconds))
        };
        let (desk, clock, room, seconds) = refused().await;
        clock.advance_micros((seconds - 1) * 1_000_000);
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        let early = desk.quote_and_sign(&large, terms(5)).await.unwrap_err();
        let DeskError::OutstandingLimit { retry_after_seconds: Some(1), room: Some(more), .. } = early else {
            panic!("{reason}: {early:?}")
        };
        assert!(more > room, "{reason}: one has left");
        let fitting = QuoteRequest { amount: SwapAmount::ExactOutput(more), ..large.clone() };
        assert!(desk.quote_and_sign(&fitting, terms(6)).await.is_ok(), "{reason}: the reported room is there");
        let (desk, clock, _, seconds) = refused().await;
        clock.advance_micros(seconds * 1_000_000);
        assert!(desk.quote_and_sign(&large, terms(5)).await.is_ok(), "{reason}: after {seconds} s");
    }
}

#[tokio::test]
async fn one_address_cannot_use_up_the_anonymous_outstanding_limit() {
    let Bench { mut desk, .. } = bench(vec![spec()]);
    // A quarter of an ETH of some 200 ETH of output reserve.
    desk.pools[0].policy.outstanding =
        OutstandingPolicy { max_share_of_network: "10".parse::<BasisPoints>().ok(), ..OutstandingPolicy::default() };
    let from = |source_network: u64| QuoteRequest {
        source_network: Some(SourceNetwork::new(source_network)),
        amount: amount(150_000_000_000_000_000),
        ..one_eth()
    };
    assert!(desk.quote_and_sign(&from(1), terms(1)).await.is_ok());
    let refused = desk.quote_and_sign(&from(1), terms(2)).await.unwrap_err();
    assert!(matches!(refused, DeskError::OutstandingLimit { .. }), "{refused:?}");
    assert!(desk.quote_and_sign(&from(2), terms(3)).await.is_ok(), "another address has its own");
}

#[tokio::test]
async fn swaps_lapsed_by_the_clock_no_longer_worsen_quotes() {
    let Bench { desk, clock, .. } = bench(vec![spec()]);
    let first = desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap().quote;
    let until = first.good_until.expires_at().get() + 60;
    for (now, is_whole) in [(until - 1, false), (until, true)] {
        clock.set(Timestamp::from_seconds(now));
        desk.refresh_book(&desk.pools[0]).await.unwrap();
        assert_eq!(desk.quote(&one_eth()).await.unwrap().output.amount == first.output.amount, is_whole, "{now}");
    }
}

#[tokio::test]
async fn an_intervening_small_swap_of_another_client_does_not_block_signing() {
    let Bench { desk, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    sign_some(&desk, 3).await;
    let request = SignRequest { client: Client::Anonymous, ..sign(quote.id, 9) };
    assert_eq!(desk.sign(&request).await.unwrap().quote, quote);
}

/// The demo's default limits on outstanding swaps.
pub(crate) fn default_limits() -> OutstandingPolicy {
    let bps = |text: &str| text.parse::<BasisPoints>().ok();
    OutstandingPolicy {
        max_share: bps("2000"),
        max_share_of_client: bps("1000"),
        max_share_of_anonymous: bps("20"),
        max_share_of_network: bps("5"),
        max_swaps_of_client: Some(10_000),
        max_impact: bps("25"),
        max_impact_of_anonymous: bps("5"),
        ..OutstandingPolicy::default()
    }
}

/// Signs the largest trades that `client` gets, one after the other, until nothing more is signed.
#[expect(clippy::panic, reason = "a test fails by panicking")]
async fn sign_all(desk: &Desk, client: &Client, source_network: Option<u64>) {
    for destination in 1..40 {
        let request = |amount| QuoteRequest {
            client: client.clone(),
            source_network: source_network.map(SourceNetwork::new),
            amount,
            ..one_eth()
        };
        let largest = match desk.quote(&request(SwapAmount::ExactOutput(Amount::MAX))).await {
            Err(DeskError::AmountAboveTradeLimit { limit, .. } | DeskError::TooLarge { limit, .. }) => limit,
            quoted => panic!("{quoted:?}"),
        };
        let mut amount = Some(largest);
        while let Some(output) = amount {
            match desk.quote_and_sign(&request(SwapAmount::ExactOutput(output)), terms(destination)).await {
                Ok(_) => break,
                Err(DeskError::OutstandingLimit { room, .. }) => amount = room.filter(|room| *room < output),
                Err(DeskError::TooSmall { .. } | DeskError::Conflict(_)) => amount = None,
                Err(error) => panic!("{error:?}"),
            }
        }
    }
}

/// The largest output in dollars that `client` can sign beside all that `holders` sign.
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
async fn room_beside(holders: &[(&Client, Option<u64>)], client: &Client, source_network: Option<u64>) -> u64 {
    for dollars in [40_000, 30_000, 20_000, 10_000, 5_000, 2_000, 1_000, 400, 200, 100, 50] {
        let Bench { mut desk, .. } = bench(vec![spec()]);
        desk.pools[0].policy.outstanding = default_limits();
        for (holder, network) in holders {
            sign_all(&desk, holder, *network).await;
        }
        let request = QuoteRequest {
            client: client.clone(),
            source_network: source_network.map(SourceNetwork::new),
            amount: SwapAmount::ExactOutput(Amount::new(U256::from(dollars * 1_000_000)).unwrap()),
            ..one_eth()
        };
        if desk.quote_and_sign(&request, terms(99)).await.is_ok() {
            return dollars;
        }
    }
    0
}

#[tokio::test]
async fn no_client_can_shut_out_the_others() {
    let [one, two, other] = ["one", "two", "other"].map(|name| Client::Named(name.into()));
    let anonymous = Client::Anonymous;
    assert_eq!(room_beside(&[], &other, None).await, 40_000);
    assert_eq!(room_beside(&[(&one, None)], &other, None).await, 20_000, "a quarter of the pool's limit");
    assert_eq!(room_beside(&[(&one, None), (&two, None)], &other, None).await, 10_000, "an eighth");
    assert_eq!(room_beside(&[], &anonymous, Some(1)).await, 400);
    assert_eq!(room_beside(&[(&anonymous, Some(1))], &anonymous, Some(2)).await, 200, "a quarter of theirs");
    assert_eq!(room_beside(&[(&anonymous, Some(1))], &other, None).await, 40_000);
}

/// Pools whose k and fees allow little: at half of the pool, and without limits, at nearly all of it.
fn steep_pools() -> Vec<PoolSpec> {
    let mut pools = Vec::new();
    for k in ["0", "0.06", "0.2", "0.5"] {
        for base in ["0", "5"] {
            let mut spec = PoolSpec { k: k.parse().unwrap(), ..spec() };
            spec.pairs.iter_mut().for_each(|pair| pair.fee.base = base.parse::<BasisPoints>().unwrap());
            pools.push(spec);
        }
    }
    pools
}

#[tokio::test]
async fn every_trade_up_to_the_largest_is_signed_in_an_empty_book() {
    let client = || Client::Named("a".into());
    for spec in steep_pools() {
        for (input, output) in [("ETH", "USDC"), ("USDC", "ETH")] {
            let mut largest_quoted = Amount::ONE;
            for share in 1..=20_u32 {
                let Bench { desk, .. } = bench(vec![spec.clone()]);
                let request =
                    QuoteRequest { client: client(), input: input.into(), output: output.into(), ..one_eth() };
                let most = QuoteRequest { amount: SwapAmount::ExactInput(Amount::MAX), ..request.clone() };
                let (DeskError::TooLarge { limit, .. } | DeskError::AmountAboveTradeLimit { limit, .. }) =
                    desk.quote(&most).await.unwrap_err()
                else {
                    unreachable!("the whole range is refused for its size")
                };
                // Above the reported limit, too, whatever is quoted is signed.
                let amount = Amount::new(limit.base_units() * U256::from(share) / U256::from(10)).unwrap();
                let Ok(quote) = desk.quote(&QuoteRequest { amount: SwapAmount::ExactInput(amount), ..request }).await
                else {
                    assert!(share > 10, "the reported limit is served");
                    continue;
                };
                desk.sign(&SignRequest { client: client(), quote_id: quote.id, terms: terms(1) }).await.unwrap();
                largest_quoted = largest_quoted.max(quote.input.amount);
            }
            assert!(largest_quoted > Amount::ONE);
        }
    }
}

#[tokio::test]
async fn what_is_stated_as_the_largest_trade_is_signed() {
    let client = Client::Named("a".into());
    for spec in steep_pools() {
        for (input, output, unit) in [("ETH", "USDC", 1_000_000_u64), ("USDC", "ETH", 1_000_000_000_000_000)] {
            let Bench { mut desk, .. } = bench(vec![spec.clone()]);
            let max_share = "9000".parse::<BasisPoints>().ok();
            desk.pools[0].policy.outstanding = OutstandingPolicy { max_share, ..OutstandingPolicy::default() };
            let request = |wanted| {
                let amount = SwapAmount::ExactOutput(wanted);
                QuoteRequest { client: client.clone(), input: input.into(), output: output.into(), amount, ..one_eth() }
            };
            let small = desk.quote(&request(Amount::new(U256::from(unit)).unwrap())).await.unwrap();
            let largest = desk.largest_trade(&small).unwrap();
            let output = max_amount_worth(small.output.price, small.output.decimals, largest).unwrap();
            let quote = desk.quote(&request(output)).await.unwrap();
            let of_pool = desk.default_pool(spec.id.chain_id, None, &client).unwrap().largest_trade.unwrap();
            assert!(of_pool >= largest, "the largest of any pair: {of_pool} {largest}");
            desk.sign(&SignRequest { client: client.clone(), quote_id: quote.id, terms: terms(1) }).await.unwrap();
        }
    }
}
