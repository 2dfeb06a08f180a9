//! What the operator is shown: pools at one glance, and what was signed last.

use std::sync::Arc;

use async_trait::async_trait;
use firmquote_desk::{Desk, DeskError, MAX_RECENT_SIGNATURES, OperatorView, SignRequest};
use firmquote_domain::{Address, Amount, BasisPoints, Client, Pool, QuoteId, Signature, Symbol, Timestamp};
use firmquote_market::{
    Aggregation, AssetState, Deviation, FeedInput, LivePrice, MarketWriter, Observation, PriceRules, Rejection,
    Snapshot, Trusted,
};
use firmquote_signer::{PoolSigner, Signer, SignerError, TypedMessage};
use firmquote_store::{LayeredStore, MemoryStore, StoreCall, StoreError};

use crate::pool::{Bench, NOW, bench, one_eth, sign, spec, state, terms};

/// Ids of the quotes that are remembered, the newest first.
fn remembered(desk: &Desk) -> Vec<QuoteId> {
    desk.operator_view.signatures.newest_first().into_iter().map(|signature| signature.quote.id).collect()
}

#[tokio::test]
async fn recent_signatures_are_listed_newest_first() {
    let Bench { desk, clock, .. } = bench(vec![spec()]);
    let first = desk.quote(&one_eth()).await.unwrap();
    desk.sign(&sign(first.id, 1)).await.unwrap();
    clock.advance_micros(7);
    let second = desk.quote_and_sign(&one_eth(), terms(2)).await.unwrap();
    desk.sign(&sign(first.id, 1)).await.expect("the same signature again");
    assert_eq!(remembered(&desk), [second.quote.id, first.id]);
    let newest = desk.operator_view.signatures.newest_first().remove(0);
    assert_eq!((newest.signed_at.as_micros(), newest.destination), (NOW.as_micros() + 7, terms(2).destination));
    assert_eq!(newest.symbols.map(|symbol| symbol.unwrap().to_string()), ["ETH", "USDC"]);
    assert_eq!(newest.quote, second.quote);
}

#[tokio::test]
async fn recent_signatures_are_bounded() {
    let desk = bench(vec![spec()]).desk;
    let mut signed = Vec::new();
    for _ in 0..MAX_RECENT_SIGNATURES + 3 {
        signed.insert(0, desk.quote_and_sign(&one_eth(), terms(1)).await.unwrap().quote.id);
    }
    signed.truncate(MAX_RECENT_SIGNATURES);
    assert_eq!(remembered(&desk), signed);
}

/// A key service that is away.
struct UnavailableSigner;

#[async_trait]
impl Signer for UnavailableSigner {
    fn address(&self) -> Address {
        Address::repeat_byte(7)
    }

    async fn sign(&self, _: &TypedMessage) -> Result<Signature, SignerError> {
        Err(SignerError::Unavailable { source: "away".into() })
    }
}

#[tokio::test]
async fn rejected_and_failed_signatures_are_not_recorded() {
    let Bench { desk, market, .. } = bench(vec![spec()]);
    let quote = desk.quote(&one_eth()).await.unwrap();
    market.replace(Snapshot::default().with(spec().id, state("1000")));
    assert!(matches!(desk.sign(&sign(quote.id, 1)).await, Err(DeskError::Conflict(_))));
    let stranger = SignRequest { client: Client::Named("apex".into()), ..sign(quote.id, 1) };
    assert!(matches!(desk.sign(&stranger).await, Err(DeskError::OtherClient)));
    let away = PoolSigner::new(Arc::new(Pool::new(spec()).unwrap()), Arc::new(UnavailableSigner));
    let desk = Desk { pools: vec![away.into()], ..desk };
    assert!(matches!(desk.quote_and_sign(&one_eth(), terms(1)).await, Err(DeskError::Signer(_))));
    let layer = |call| match call {
        StoreCall::Commit => Err(StoreError::Unavailable("the disk is full".into())),
        _ => Ok(()),
    };
    let store = LayeredStore { layer, store: Arc::new(MemoryStore::new(10)) };
    let forgetful = Desk { store: Arc::new(store), ..bench(vec![spec()]).desk };
    assert!(matches!(forgetful.quote_and_sign(&one_eth(), terms(1)).await, Err(DeskError::Store(_))));
    assert_eq!((remembered(&desk), remembered(&forgetful)), (vec![], vec![]));
}

#[tokio::test]
async fn the_overview_shows_state_whether_trusted_or_not() {
    let Bench { desk, market, clock } = bench(vec![spec()]);
    let mut known = state("2080.527");
    let until = Timestamp::from_micros(NOW.as_micros() + 5_000_000);
    known.assets[0] = AssetState {
        price: Ok(Trusted { value: "2080.527".parse().unwrap(), since: NOW, until }),
        ..known.assets[0].clone()
    };
    market.replace(Snapshot::default().with(spec().id, known.clone()));
    let whole = desk.overview().pools.remove(0);
    assert_eq!((whole.is_paused, whole.pairs[0].fee.to_string().as_str()), (Some(false), "8.63"));
    assert!((whole.value_in_usd.unwrap() - 1_978_682.496_424_432).abs() < 1e-6);
    let eth = &whole.assets[0];
    assert_eq!((eth.price.since, &eth.price.rejection, eth.reserve.since), (Some(NOW), &None, None));
    assert!((eth.target_value_in_usd.unwrap() - 991_706.885_949_575_2).abs() < 1e-6);
    clock.advance_micros(5_000_000);
    desk.pauses.set(&[spec().id], true, None, desk.clock.now()).await.unwrap();
    let old = desk.overview().pools.remove(0);
    assert_eq!((old.is_paused, old.value_in_usd), (Some(true), whole.value_in_usd), "an old price is shown");
    let reason = old.assets[0].price.rejection.as_ref().unwrap().to_string();
    assert_eq!(reason, "the last update is 5000 ms old, at most 5000 ms is allowed");
    known.assets[1].reserve = Err(Rejection::Reserves("the reserve is zero".into()));
    market.replace(Snapshot::default().with(spec().id, known));
    let partial = desk.overview().pools.remove(0);
    assert_eq!((partial.value_in_usd, partial.assets[0].target_value_in_usd), (None, None));
    assert!(partial.assets[0].value_in_usd.is_some() && partial.assets[1].value_in_usd.is_none());
    market.replace(Snapshot::default());
    assert!(desk.overview().pools[0].assets.iter().all(|asset| asset.price.rejection == Some(Rejection::Silent)));
}

#[test]
fn the_last_observation_is_shown_with_its_rejection_reason() {
    let rules = PriceRules {
        max_age_ms: 5_000,
        max_jump_per_second: "50".parse().unwrap(),
        max_move_per_minute: "3000".parse().unwrap(),
        max_deviation: Deviation::from_basis_points("30".parse::<BasisPoints>().unwrap()),
        max_confidence: Deviation::from_basis_points("30".parse::<BasisPoints>().unwrap()),
        aggregation: Aggregation::Median { min_sources: 2 },
    };
    let eth = Symbol::new("ETH").unwrap();
    let live = Arc::new(MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), NOW));
    let feeds = ["one", "two"].map(|name| (name.into(), FeedInput::New)).into();
    live.replace(Arc::default(), &[LivePrice { symbol: eth.clone(), rules, feeds }], Vec::new(), NOW);
    let said = Observation { price: "2080".parse().unwrap(), confidence_steps: 0, observed_at: NOW };
    live.receive([(&eth, 1, Ok(said))], NOW);
    let operator_view = OperatorView { market: Some(live), ..OperatorView::default() };
    let Bench { desk, market, .. } = bench(vec![spec()]);
    let mut doubted = state("1");
    doubted.assets[0].price = Err(Rejection::TooFew { trusted: 1, min_sources: 2 });
    market.replace(Snapshot::default().with(spec().id, doubted));
    let shown = Desk { operator_view: Arc::new(operator_view), ..desk }.overview().pools.remove(0).assets.remove(0);
    assert_eq!((shown.price.value, shown.price.since), (Some(said.price), Some(NOW)));
    assert_eq!(shown.price.rejection.unwrap().to_string(), "1 sources are trusted, 2 are required");
    let sources: Vec<_> =
        shown.sources.iter().map(|source| (source.name.as_str(), source.price.rejection.clone())).collect();
    assert_eq!(sources, [("one", Some(Rejection::Silent)), ("two", None)]);
    assert_eq!(shown.reserve.value, Some("476877882758190421102".parse::<Amount>().unwrap()));
}
