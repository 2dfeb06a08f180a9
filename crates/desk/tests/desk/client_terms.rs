//! Clients with a fee, limits and pairs of their own.

use std::{collections::HashMap, sync::Arc};

use firmquote_desk::{
    ClientTerms, DeskError, LevelPublication, LevelState, LevelsRequest, QuoteGridRequest, QuoteRequest, SignRequest,
};
use firmquote_domain::{
    Address, BasisPoints, Client, Clock as _, FeeAdjustment, GoodUntilKind, PoolId, PoolSpec, SwapAmount, Symbol,
};
use firmquote_market::Snapshot;

use crate::{
    firm::firm_bench,
    pool::{Bench, bench, chain, one_eth, spec, state, terms},
};

fn client(name: &str) -> Client {
    Client::Named(Arc::from(name))
}

fn adjusted(adjustment: &str) -> ClientTerms {
    ClientTerms { fee_adjustment: adjustment.parse().unwrap(), ..ClientTerms::default() }
}

/// A bench whose clients have these terms.
fn bench_with(spec: PoolSpec, clients: &[(&str, ClientTerms)]) -> Bench {
    let bench = bench(vec![spec]);
    let terms: HashMap<Arc<str>, ClientTerms> =
        clients.iter().map(|(client, terms)| (Arc::from(*client), terms.clone())).collect();
    bench.desk.set_client_terms(&terms);
    bench
}

fn request(name: &str) -> QuoteRequest<'static> {
    QuoteRequest { client: client(name), ..one_eth() }
}

fn levels_request<'a>(client: &'a Client, pairs: &'a [String]) -> LevelsRequest<'a> {
    LevelsRequest { client, chain_id: chain(), pool_address: None, pairs, time_in_seconds: None, max_knots: None }
}

fn fee(text: &str) -> BasisPoints {
    text.parse().unwrap()
}

#[tokio::test]
async fn quotes_grids_pool_data_and_levels_have_the_fee_of_the_client() {
    for (kind, adjustment, expected) in [
        (GoodUntilKind::Verified, "2.5", "11.13"),
        (GoodUntilKind::Verified, "-2.5", "6.13"),
        (GoodUntilKind::Verified, "-100", "1"),
        (GoodUntilKind::Plain, "-5", "3.63"),
    ] {
        let spec = PoolSpec { good_until: kind, ..spec() };
        let Bench { desk, clock, .. } = bench_with(spec, &[("acme", adjusted(adjustment))]);
        let (standard, own) =
            (desk.quote(&request("other")).await.unwrap(), desk.quote(&request("acme")).await.unwrap());
        assert_eq!((standard.fee, own.fee), (fee("8.63"), fee(expected)), "{adjustment}");
        assert_eq!(own.output.amount > standard.output.amount, own.fee < standard.fee);
        assert_ne!(own.state_id, standard.state_id);

        let grid = QuoteGridRequest {
            client: client("acme"),
            chain_id: chain(),
            input: "ETH".into(),
            output: "USDC".into(),
            inputs: &[own.input.amount],
            times: &[],
            pool_address: None,
        };
        let grid = desk.quote_grid(&grid).unwrap();
        assert_eq!((grid.state_id, grid.rows[0].outputs[0]), (own.state_id, Some(own.output.amount)));

        let view = desk.default_pool(chain(), None, &client("acme")).unwrap();
        assert_eq!((view.state_id, view.fees[0]), (own.state_id, Some(own.fee)));
        let again = |id, name| desk.pool_in_state(chain(), None, id, None, &client(name));
        assert_eq!(again(own.state_id, "acme").unwrap().fees, view.fees);
        assert_eq!(again(standard.state_id, "acme").unwrap().fees[0], Some(standard.fee));
        assert!(again(own.state_id, "other").is_err(), "the fee of a client is not for others");

        let (acme, pairs) = (client("acme"), ["ETH-USDC".to_owned()]);
        let mut publication =
            LevelPublication::new(desk.level_books(&levels_request(&acme, &pairs)).unwrap().remove(0));
        publication.refresh(&desk, clock.now()).await;
        let Some(LevelState::Live(book, _)) = publication.state() else { panic!("{:?}", publication.state()) };
        assert_eq!((book.fee, book.state_id), (own.fee, own.state_id));
        let signed = SignRequest { client: client("acme"), quote_id: own.id, terms: terms(1) };
        assert_eq!(desk.sign(&signed).await.unwrap().quote, own);
    }
}

#[test]
fn plain_pools_have_the_lowest_least_fee() {
    let plain = PoolSpec { good_until: GoodUntilKind::Plain, ..spec() };
    let Bench { desk, .. } = bench_with(plain, &[("acme", adjusted("-100"))]);
    let view = desk.default_pool(chain(), None, &client("acme")).unwrap();
    assert_eq!(view.fees, [Some(fee("0.01")); 3]);
}

#[tokio::test]
async fn a_discount_that_ends_before_the_signature_is_a_fee_that_rose() {
    let Bench { desk, .. } = bench_with(spec(), &[("acme", adjusted("-5"))]);
    let quote = desk.quote(&request("acme")).await.unwrap();
    desk.set_client_terms(&HashMap::new());
    let sign = SignRequest { client: client("acme"), quote_id: quote.id, terms: terms(1) };
    let refused = desk.sign(&sign).await.unwrap_err();
    assert!(matches!(refused, DeskError::Conflict(_)), "{refused:?}");
}

#[tokio::test]
async fn slicing_gains_nothing_with_a_discount() {
    let Bench { desk, market, .. } = bench_with(spec(), &[("acme", adjusted("-7"))]);
    let whole = desk.quote(&request("acme")).await.unwrap();
    let half =
        |amount: &str| QuoteRequest { amount: SwapAmount::ExactInput(amount.parse().unwrap()), ..request("acme") };
    let first = desk.quote(&half("500000000000000000")).await.unwrap();
    // Executed: the pool has the input, less the output.
    let mut after = state("2080.527");
    for (leg, is_input) in [(&first.input, true), (&first.output, false)] {
        let position = desk.pools[0].signer().pool().spec().assets.iter().position(|one| one.address == leg.token);
        let reserve = &mut after.assets[position.unwrap()].reserve.as_mut().unwrap().value;
        *reserve = if is_input { reserve.checked_add(leg.amount) } else { reserve.checked_sub(leg.amount) }.unwrap();
    }
    market.replace(Snapshot::default().with(spec().id, after));
    let second = desk.quote(&half("500000000000000000")).await.unwrap();
    let slices = first.output.amount.checked_add(second.output.amount).unwrap();
    assert!(slices <= whole.output.amount, "{slices} of {}", whole.output.amount);
}

#[tokio::test]
async fn levels_of_own_terms_are_never_firm_and_those_of_others_do_not_apply() {
    let limited = ClientTerms { max_trade: Some("1000".parse().unwrap()), ..ClientTerms::default() };
    let Bench { desk, clock, .. } = firm_bench(GoodUntilKind::Verified);
    desk.set_client_terms(&HashMap::from([("acme".into(), adjusted("-1")), ("small".into(), limited)]));
    let pairs = ["ETH-USDC".to_owned()];
    let mut books = Vec::new();
    for name in ["other", "acme", "small"] {
        let client = client(name);
        let key = desk.level_books(&levels_request(&client, &pairs)).unwrap().remove(0);
        assert_eq!(key.terms.is_standard(), name == "other");
        let mut publication = LevelPublication::new(key);
        publication.refresh(&desk, clock.now()).await;
        let Some(LevelState::Live(book, _)) = publication.state() else { panic!("{:?}", publication.state()) };
        books.push(Arc::clone(book));
    }
    assert_eq!([0, 1, 2].map(|number: usize| books[number].firm_budget.is_some()), [true, false, false]);
    let largest = |number: usize| books[number].levels.knots.last().unwrap().output;
    assert!(largest(2) < largest(0));
    for name in ["acme", "small"] {
        let named = QuoteRequest { levels_id: Some(books[0].id), ..request(name) };
        let refused = desk.quote(&named).await.unwrap_err();
        assert!(matches!(refused, DeskError::NotAllowed { field: "levels_id", .. }), "{refused:?}");
    }
    let amount = SwapAmount::ExactInput(books[0].firm_budget.unwrap());
    let named = QuoteRequest { levels_id: Some(books[0].id), amount, ..request("other") };
    assert_eq!(desk.quote(&named).await.unwrap().levels.unwrap().id, books[0].id);
}

#[test]
fn only_the_pairs_of_the_client_have_levels() {
    let pair = ["USDC", "USDT"].map(|symbol| Symbol::new(symbol).unwrap());
    let own = ClientTerms { pairs: Some([pair].into()), ..ClientTerms::default() };
    let none = ClientTerms { chains: Some([].into()), ..ClientTerms::default() };
    let Bench { desk, .. } = bench_with(spec(), &[("acme", own), ("none", none)]);
    let books = |name: &str, pairs: &[&str]| {
        let pairs: Vec<String> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        desk.level_books(&levels_request(&client(name), &pairs))
    };
    let listed = books("acme", &[]).unwrap();
    assert_eq!(listed.iter().map(|key| key.input.as_str()).collect::<Vec<_>>(), ["USDC", "USDT"]);
    assert!(listed.iter().all(|key| key.terms.is_standard()));
    assert_eq!(books("acme", &["USDT-USDC"]).unwrap().len(), 1);
    assert!(matches!(books("acme", &["USDT-USDC", "ETH-USDC"]), Err(DeskError::ClientTerms)));
    assert!(matches!(books("none", &[]), Err(DeskError::ClientTerms)));
    assert_eq!(books("other", &[]).unwrap().len(), 6);
    assert_eq!(FeeAdjustment::default().to_string(), "0");
}

#[test]
fn a_pair_of_two_pools_has_the_levels_of_the_one_that_is_allowed() {
    let second = PoolSpec { id: PoolId { address: Address::repeat_byte(7), ..spec().id }, ..spec() };
    let own = ClientTerms { pools: Some([second.id.address].into()), ..ClientTerms::default() };
    let Bench { desk, .. } = bench(vec![spec(), second.clone()]);
    desk.set_client_terms(&HashMap::from([("acme".into(), own)]));
    let (acme, pairs) = (client("acme"), ["ETH-USDC".to_owned()]);
    let books = desk.level_books(&levels_request(&acme, &pairs)).unwrap();
    assert_eq!(books.iter().map(|key| key.pool).collect::<Vec<_>>(), [second.id]);
    let first = LevelsRequest { pool_address: Some(spec().id.address), ..levels_request(&acme, &pairs) };
    assert!(matches!(desk.level_books(&first), Err(DeskError::ClientTerms)));
}

#[tokio::test]
async fn a_pool_outside_the_terms_does_not_hide_why_another_refuses() {
    let second = PoolSpec { id: PoolId { address: Address::repeat_byte(7), ..spec().id }, ..spec() };
    for allowed in [spec().id.address, second.id.address] {
        let own = ClientTerms { pools: Some([allowed].into()), ..ClientTerms::default() };
        let Bench { desk, .. } = bench(vec![spec(), second.clone()]);
        desk.set_client_terms(&HashMap::from([("acme".into(), own)]));
        let amount = SwapAmount::ExactInput("1000000000000000000000000".parse().unwrap());
        let refused = desk.quote(&QuoteRequest { client: client("acme"), amount, ..one_eth() }).await.unwrap_err();
        assert!(matches!(refused, DeskError::TooLarge { .. } | DeskError::AmountAboveTradeLimit { .. }), "{refused}");
    }
}
