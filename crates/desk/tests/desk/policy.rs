//! What an operator lets a pool sign: limits and lists, and what becomes of a late signature.

use std::{
    collections::BTreeSet,
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
};

use async_trait::async_trait;
use firmquote_desk::{
    AccountRule, Desk, DeskError, Limit, OutstandingPolicy, QuoteRequest, SignRequest, SigningPolicy,
};
use firmquote_domain::{Address, BasisPoints, Client, Pool, PoolSpec, Quote, Signature, SwapAmount, Terms, U256, Usd};
use firmquote_market::Snapshot;
use firmquote_signer::{LocalSigner, PoolSigner, Signer, SignerError, TypedMessage};
use firmquote_store::MemoryStore;

use crate::{
    outstanding::amount,
    pool::{Bench, NOW, bench, one_eth, sign, spec, state, terms},
};

fn usd(text: &str) -> Usd {
    text.parse::<Usd>().unwrap()
}

/// A desk whose one pool has this policy.
fn desk_with(policy: SigningPolicy) -> Bench {
    let mut bench = bench(vec![spec()]);
    bench.desk.pools.iter_mut().for_each(|pool| pool.policy = policy.clone());
    bench
}

async fn quoted(desk: &Desk) -> Quote {
    desk.quote(&one_eth()).await.unwrap()
}

#[tokio::test]
async fn trades_beyond_what_may_be_outstanding_are_rejected_with_a_servable_bound() {
    let outstanding =
        OutstandingPolicy { max_share: "2000".parse::<BasisPoints>().ok(), ..OutstandingPolicy::default() };
    let desk = desk_with(SigningPolicy { outstanding, ..SigningPolicy::default() }).desk;
    for beyond in ["1".repeat(21), U256::MAX.to_string()].map(|amount| amount.parse().unwrap()) {
        for side in [SwapAmount::ExactInput, SwapAmount::ExactOutput] {
            let request = QuoteRequest { amount: side(beyond), ..one_eth() };
            let refused = desk.quote(&request).await;
            let Err(DeskError::AmountAboveTradeLimit { limit, .. }) = refused else { panic!("{refused:?}") };
            let largest = desk.quote(&QuoteRequest { amount: side(limit), ..one_eth() }).await.unwrap();
            let value = largest.output.amount.base_units() / U256::from(1_000_000);
            let told = desk.largest_trade(&largest).unwrap().steps() / 100_000_000;
            assert!(value.abs_diff(U256::from(told)) <= U256::ONE, "{value} {told}");
            let Bench { desk, .. } = desk_with(SigningPolicy { outstanding, ..SigningPolicy::default() });
            desk.quote_and_sign(&QuoteRequest { amount: side(limit), ..one_eth() }, terms(1)).await.expect("room");
        }
    }
}

#[tokio::test]
async fn trades_above_the_limit_are_rejected_with_a_servable_bound() {
    let limited = |max_trade: &str| {
        desk_with(SigningPolicy { max_trade: Limit::Usd(usd(max_trade)), ..SigningPolicy::default() }).desk
    };
    assert!(limited("2080.527").quote(&one_eth()).await.is_ok(), "exactly the limit");
    let desk = limited("2080.52699999");
    let (one_eth_out, usdc_out) = (
        SwapAmount::ExactOutput("1".repeat(19).parse().unwrap()),
        SwapAmount::ExactOutput("2081000000".parse().unwrap()),
    );
    let requests = [
        one_eth(),
        QuoteRequest { amount: usdc_out, ..one_eth() },
        QuoteRequest { input: "USDC".into(), output: "ETH".into(), amount: one_eth_out, ..one_eth() },
    ];
    for request in requests {
        let refused = desk.quote(&request).await;
        let Err(DeskError::AmountAboveTradeLimit { limit, .. }) = refused else { panic!("{refused:?}") };
        let amount = request.amount.with_amount(limit);
        let quote = desk.quote(&QuoteRequest { amount, ..request }).await.unwrap();
        assert!(desk.sign(&sign(quote.id, 1)).await.is_ok());
    }
    let generous = desk_with(SigningPolicy::default()).desk;
    let quote = quoted(&generous).await;
    let reloaded = Desk { pools: limited("2000").pools, ..generous };
    let refused = reloaded.sign(&sign(quote.id, 1)).await;
    assert!(
        matches!(refused, Err(DeskError::TradeValueAboveLimit { value, limit }) if (value, limit) == (usd("2080.527"), usd("2000")))
    );
}

#[tokio::test]
async fn the_signing_total_of_a_minute_is_enforced_and_then_resets() {
    let policy = SigningPolicy { max_per_minute: Limit::Usd(usd("5000")), ..SigningPolicy::default() };
    let Bench { desk, clock, market } = desk_with(policy);
    for _ in 0..2 {
        let quote = quoted(&desk).await;
        desk.sign(&sign(quote.id, 1)).await.unwrap();
        desk.sign(&sign(quote.id, 1)).await.expect("the same signature again counts for nothing");
    }
    let third = quoted(&desk).await;
    let refused = desk.sign(&sign(third.id, 1)).await;
    let Err(DeskError::PoolLimit { retry_after_seconds: Some(seconds) }) = refused else { panic!("{refused:?}") };
    let other = Client::Named("acme".into());
    let other_quote = desk.quote(&QuoteRequest { client: other.clone(), ..one_eth() }).await.unwrap();
    let other_quote = SignRequest { client: other, ..sign(other_quote.id, 1) };
    assert!(matches!(desk.sign(&other_quote).await, Err(DeskError::PoolLimit { .. })), "the total is of all clients");
    let at_once = desk.quote_and_sign(&one_eth(), terms(1)).await;
    assert!(matches!(at_once, Err(DeskError::PoolLimit { .. })));
    clock.advance_micros(u64::from(seconds) * 1_000_000);
    market.replace(Snapshot::default().with(spec().id, state("2080.527")));
    let later = quoted(&desk).await;
    assert!(desk.sign(&sign(later.id, 1)).await.is_ok());
}

#[tokio::test]
async fn swaps_rejected_by_the_book_do_not_count() {
    let policy = SigningPolicy { max_per_minute: Limit::Usd(usd("3000")), ..SigningPolicy::default() };
    let mut desk = desk_with(policy).desk;
    let max_impact = "2".parse::<BasisPoints>().ok();
    desk.pools[0].policy.outstanding = OutstandingPolicy { max_impact, ..OutstandingPolicy::default() };
    let of = |client: &str| QuoteRequest {
        client: Client::Named(client.into()),
        amount: amount(500_000_000_000_000_000),
        ..one_eth()
    };
    desk.quote_and_sign(&of("acme"), terms(1)).await.unwrap();
    for _ in 0..5 {
        let refused = desk.quote_and_sign(&of("acme"), terms(1)).await;
        assert!(matches!(refused, Err(DeskError::OutstandingLimit { .. })), "{refused:?}");
    }
    assert!(desk.quote_and_sign(&of("apex"), terms(1)).await.is_ok());
}

#[tokio::test]
async fn trades_the_store_cannot_hold_do_not_count() {
    let policy = SigningPolicy { max_per_minute: Limit::Usd(usd("3000")), ..SigningPolicy::default() };
    let Bench { desk, clock, market } = desk_with(policy);
    let desk = Desk { store: Arc::new(MemoryStore::new(1)), ..desk };
    let kept = quoted(&desk).await;
    for _ in 0..3 {
        let refused = desk.quote_and_sign(&one_eth(), terms(1)).await;
        assert!(matches!(refused, Err(DeskError::TooManyQuotes { .. } | DeskError::Store(_))), "{refused:?}");
    }
    let rest = kept.must_accept_by.as_micros() - NOW.as_micros();
    assert!(rest < 30_000_000, "the same minute of totals");
    clock.advance_micros(rest + 1);
    market.replace(Snapshot::default().with(spec().id, state("2080.527")));
    assert!(desk.quote_and_sign(&one_eth(), terms(1)).await.is_ok());
}

#[tokio::test]
async fn each_client_has_its_own_total() {
    let policy = SigningPolicy { max_per_minute_of_client: Limit::Usd(usd("3000")), ..SigningPolicy::default() };
    let desk = desk_with(policy).desk;
    for (client, is_signed) in [("acme", true), ("acme", false), ("apex", true)] {
        let client = Client::Named(client.into());
        let quote = desk.quote(&QuoteRequest { client: client.clone(), ..one_eth() }).await.unwrap();
        let signed = desk.sign(&SignRequest { client, ..sign(quote.id, 1) }).await;
        match signed {
            Ok(_) => assert!(is_signed),
            Err(DeskError::ClientLimit { retry_after_seconds }) => assert!(!is_signed && retry_after_seconds.is_some()),
            Err(error) => panic!("{error}"),
        }
    }
    let alone =
        desk_with(SigningPolicy { max_per_minute_of_client: Limit::Usd(usd("2000")), ..SigningPolicy::default() }).desk;
    let refused = alone.quote_and_sign(&one_eth(), terms(1)).await.unwrap_err();
    assert!(
        matches!(refused, DeskError::AmountAboveTradeLimit { field: "input_amount", .. }),
        "it would never fit: {refused}"
    );
}

#[tokio::test]
async fn only_permitted_accounts_are_signed_for_and_a_rejection_binds_nothing() {
    let only = |account: u8| AccountRule {
        allowed: Some(BTreeSet::from([Address::repeat_byte(account)])),
        ..AccountRule::default()
    };
    let not =
        |account: u8| AccountRule { denied: BTreeSet::from([Address::repeat_byte(account)]), ..AccountRule::default() };
    let from = |sender: u8| Terms { sender: Address::repeat_byte(sender), ..terms(1) };
    let none = SigningPolicy::default;
    for (policy, terms, is_signed) in [
        (SigningPolicy { destinations: not(2), ..none() }, terms(1), true),
        (SigningPolicy { destinations: not(1), ..none() }, terms(1), false),
        (SigningPolicy { destinations: only(1), ..none() }, terms(1), true),
        (SigningPolicy { destinations: only(2), ..none() }, terms(1), false),
        (SigningPolicy { senders: not(7), ..none() }, from(8), true),
        (SigningPolicy { senders: not(7), ..none() }, from(7), false),
        (SigningPolicy { senders: only(7), ..none() }, from(7), true),
        (SigningPolicy { senders: only(7), ..none() }, terms(1), false),
    ] {
        let desk = desk_with(policy).desk;
        let quote = quoted(&desk).await;
        let signed = desk.sign(&SignRequest { terms, ..sign(quote.id, 1) }).await;
        match signed {
            Ok(_) => assert!(is_signed),
            Err(DeskError::DestinationDenied | DeskError::SenderDenied) => {
                assert!(!is_signed);
                let others = desk.sign(&sign(quote.id, 99)).await;
                assert!(!matches!(others, Err(DeskError::SignedForOtherTerms)), "{others:?}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn unsignable_terms_do_not_count() {
    let policy = SigningPolicy { max_per_minute: Limit::Usd(usd("3000")), ..SigningPolicy::default() };
    let desk = desk_with(policy).desk;
    let quote = quoted(&desk).await;
    let lost = Terms { destination: spec().id.address, ..terms(1) };
    for _ in 0..3 {
        let refused = desk.sign(&SignRequest { terms: lost, ..sign(quote.id, 1) }).await;
        assert!(matches!(refused, Err(DeskError::NotAllowed { field: "destination_address", .. })));
    }
    assert!(desk.sign(&sign(quote.id, 1)).await.is_ok());
}

/// A signing service that takes its time, in which something happens.
struct Slow<F>(LocalSigner, F);

#[async_trait]
impl<F: Fn() + Send + Sync> Signer for Slow<F> {
    fn address(&self) -> Address {
        self.0.address()
    }

    async fn sign(&self, message: &TypedMessage) -> Result<Signature, SignerError> {
        (self.1)();
        self.0.sign(message).await
    }
}

/// A desk that shares everything with `desk` but its pools, of which it has none.
fn shared(desk: &Desk) -> Desk {
    let Desk { pauses, market, store, firm_levels, clock, operator_view, .. } = desk;
    let (pauses, market, store) = (Arc::clone(pauses), Arc::clone(market), Arc::clone(store));
    Desk {
        pools: Vec::new(),
        pauses,
        market,
        store,
        firm_levels: Arc::clone(firm_levels),
        clock: Arc::clone(clock),
        operator_view: Arc::clone(operator_view),
        recorder: None,
    }
}

/// What becomes of a quote while whose signature is on its way this happens.
async fn signed_while(happens: impl Fn(&Bench) + Send + Sync + 'static) -> Result<(), DeskError> {
    signed_by(spec(), happens).await
}

/// The same in this pool.
async fn signed_by(spec: PoolSpec, happens: impl Fn(&Bench) + Send + Sync + 'static) -> Result<(), DeskError> {
    let bench = Arc::new(bench(vec![spec.clone()]));
    let quote = bench.desk.quote(&one_eth()).await?;
    with_slow_signer(&bench, spec, happens).sign(&sign(quote.id, 1)).await.map(drop)
}

/// A desk for this pool that shares everything else with that of `bench`, while each of whose signatures this happens.
pub(crate) fn with_slow_signer(
    bench: &Arc<Bench>,
    spec: PoolSpec,
    happens: impl Fn(&Bench) + Send + Sync + 'static,
) -> Desk {
    let meanwhile = Arc::clone(bench);
    let key = Slow(LocalSigner::random().unwrap(), move || happens(&meanwhile));
    let slow = PoolSigner::new(Arc::new(Pool::new(spec).unwrap()), Arc::new(key));
    Desk { pools: vec![slow.into()], ..shared(&bench.desk) }
}

#[tokio::test]
async fn a_late_signature_is_withheld_if_the_state_has_changed() {
    assert!(signed_while(|bench| bench.clock.advance_micros(5_000_000)).await.is_ok());
    let expired = signed_while(|bench| bench.clock.advance_micros(12_000_000)).await;
    assert!(matches!(expired, Err(DeskError::UnknownQuote(_))));
    let moved = signed_while(|bench| {
        bench.clock.advance_micros(5_000_000);
        bench.market.replace(Snapshot::default().with(spec().id, state("1000")));
    });
    assert!(matches!(moved.await, Err(DeskError::Conflict(_))));
    // Half of the fee must remain, whatever the tolerance.
    for (eth_price, is_released) in [("2080.3", true), ("2078", false)] {
        let tolerant = PoolSpec { last_look_tolerance: "20".parse().unwrap(), ..spec() };
        let moved = signed_by(tolerant, move |bench| {
            bench.clock.advance_micros(5_000_000);
            bench.market.replace(Snapshot::default().with(spec().id, state(eth_price)));
        });
        let outcome = moved.await;
        assert_eq!(outcome.is_ok(), is_released, "{eth_price}: {outcome:?}");
        assert!(is_released || matches!(outcome, Err(DeskError::Conflict(_))), "{outcome:?}");
    }
    let paused = signed_while(|bench| {
        let pools = [spec().id];
        let pause = bench.desk.pauses.set(&pools, true, None, bench.desk.clock.now());
        pin!(pause).poll(&mut Context::from_waker(Waker::noop())).is_ready().then_some(()).unwrap();
    });
    assert!(matches!(paused.await, Err(DeskError::Paused)));
}
