//! A request to quote and sign that is repeated with its id gets the first answer.

use firmquote_desk::{DeskError, QuoteRequest, quote_id_of_key};
use firmquote_domain::{Amount, Client, LevelsId, SwapAmount, Timestamp, U256};
use firmquote_market::Snapshot;
use futures_util::future::join_all;

use crate::pool::{bench, one_eth, spec, state, terms};

fn request(key: &str) -> QuoteRequest<'static> {
    let client = Client::Named("acme".into());
    QuoteRequest { quote_id: Some(quote_id_of_key(&client, key)), client, ..one_eth() }
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_answer_whatever_prices_did() {
    let bench = bench(vec![spec()]);
    let first = bench.desk.quote_and_sign(&request("a"), terms(1)).await.unwrap();
    bench.market.replace(Snapshot::default().with(spec().id, state("1500")));
    assert_eq!(bench.desk.quote_and_sign(&request("a"), terms(1)).await.unwrap(), first);
    assert_eq!(bench.desk.operator_view.signatures.newest_first().len(), 1, "signed once");
    let second = bench.desk.quote_and_sign(&request("b"), terms(1)).await.unwrap();
    assert_ne!((second.quote.id, second.quote.output.amount), (first.quote.id, first.quote.output.amount));
}

#[tokio::test]
async fn a_key_is_for_one_request() {
    let bench = bench(vec![spec()]);
    bench.desk.quote_and_sign(&request("a"), terms(1)).await.unwrap();
    let half = SwapAmount::ExactInput(Amount::new(U256::from(500_000_000_000_000_000_u64)).unwrap());
    for other in [
        QuoteRequest { amount: half, ..request("a") },
        QuoteRequest { output: "DAI".into(), ..request("a") },
        QuoteRequest { time_in_seconds: Some(90), ..request("a") },
    ] {
        let refused = bench.desk.quote_and_sign(&other, terms(1)).await;
        assert!(matches!(refused, Err(DeskError::KeyReused)), "{refused:?}");
    }
    let refused = bench.desk.quote_and_sign(&request("a"), terms(2)).await;
    assert!(matches!(refused, Err(DeskError::KeyReused)), "{refused:?}");
}

#[tokio::test]
async fn a_key_whose_signature_has_expired_signs_nothing_more() {
    let bench = bench(vec![spec()]);
    let first = bench.desk.quote_and_sign(&request("a"), terms(1)).await.unwrap();
    bench.clock.set(Timestamp::from_seconds(first.quote.good_until.expires_at().get()).plus_seconds(1));
    bench.market.replace(Snapshot::default().with(spec().id, state("2080.527")));
    let refused = bench.desk.quote_and_sign(&request("a"), terms(1)).await;
    assert!(matches!(refused, Err(DeskError::KeyReused)), "{refused:?}");
    bench.desk.quote_and_sign(&request("b"), terms(1)).await.unwrap();
}

#[tokio::test]
async fn a_key_names_no_firm_levels() {
    let bench = bench(vec![spec()]);
    let at_levels = QuoteRequest { levels_id: Some(LevelsId::from_bytes([1; 16])), ..request("a") };
    let refused = bench.desk.quote_and_sign(&at_levels, terms(1)).await;
    assert!(matches!(refused, Err(DeskError::NotAllowed { field: "levels_id", .. })), "{refused:?}");
}

#[tokio::test]
async fn concurrent_requests_get_one_answer() {
    let bench = bench(vec![spec()]);
    let request = request("a");
    let signed = join_all((0..8).map(|_| bench.desk.quote_and_sign(&request, terms(1)))).await;
    let signed: Vec<_> = signed.into_iter().map(Result::unwrap).collect();
    assert!(signed.iter().all(|one| one.quote.id == signed[0].quote.id && one.signature == signed[0].signature));
}
