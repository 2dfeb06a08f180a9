//! The curve of a pair: what quotes would be, and nothing else.

use firmquote_desk::{CurveRequest, DeskError, Limit, QuoteRequest, SigningPolicy, UnsupportedInput};
use firmquote_domain::{Address, GoodUntilKind, PoolSpec, SwapAmount, Usd};
use firmquote_market::{Rejection, Snapshot};

use crate::pool::{Bench, bench, chain, one_eth, spec, state};

fn curve_request() -> CurveRequest<'static> {
    CurveRequest {
        pool_address: spec().id.address,
        chain_id: Some(chain()),
        input: "ETH".into(),
        output: "USDC".into(),
        time_in_seconds: None,
    }
}

#[tokio::test]
async fn every_size_matches_a_quote() {
    for (kind, input, output, time) in [
        (GoodUntilKind::Verified, "ETH", "USDC", None),
        (GoodUntilKind::Plain, "USDC", "ETH", Some(600)),
        (GoodUntilKind::Verified, "USDC", "USDT", Some(1)),
    ] {
        let desk = bench(vec![PoolSpec { good_until: kind, ..spec() }]).desk;
        let request =
            CurveRequest { input: input.into(), output: output.into(), time_in_seconds: time, ..curve_request() };
        let curve = desk.curve(&request).unwrap();
        assert!((20..=33).contains(&curve.sizes.len()), "{}", curve.sizes.len());
        assert!(curve.sizes.is_sorted_by(|one, next| one.swap.input < next.swap.input));
        for size in &curve.sizes {
            let amount = SwapAmount::ExactInput(size.swap.input);
            let request =
                QuoteRequest { input: input.into(), output: output.into(), amount, time_in_seconds: time, ..one_eth() };
            let quote = desk.quote(&request).await.unwrap();
            assert_eq!((quote.input.amount, quote.output.amount), (size.swap.input, size.swap.output));
            assert_eq!(quote.time_in_seconds, curve.time_in_seconds);
        }
    }
}

#[tokio::test]
async fn the_fee_of_every_time_matches_a_quote() {
    let desk = bench(vec![spec()]).desk;
    let curve = desk.curve(&curve_request()).unwrap();
    assert_eq!((curve.fees.len(), curve.fees[0].0, curve.fees[30].0), (31, 1, 600));
    for (time, fee) in curve.fees {
        let quote = desk.quote(&QuoteRequest { time_in_seconds: Some(time), ..one_eth() }).await.unwrap();
        assert_eq!(quote.fee, fee);
    }
}

#[test]
fn sizes_span_the_smallest_to_the_largest_servable_trade() {
    let Bench { mut desk, .. } = bench(vec![spec()]);
    let sizes = desk.curve(&curve_request()).unwrap().sizes;
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    assert_eq!(first.swap.input.to_string(), "48064745134286", "0.10 USD at 2080.527, rounded up");
    assert!(last.swap.output <= "208875627071".parse().unwrap(), "at most half of the reserve");
    assert!(last.swap.output > "160000000000".parse().unwrap(), "a third at least");
    assert!((first.cost_in_basis_points - first.price_impact_in_basis_points - 8.63).abs() < 0.01);
    assert!(sizes.is_sorted_by(|one, next| one.price_impact_in_basis_points < next.price_impact_in_basis_points + 0.2));
    assert!(last.price_impact_in_basis_points > 50.0);
    let limit = Limit::Usd("2080.527".parse::<Usd>().unwrap());
    desk.pools.iter_mut().for_each(|pool| pool.policy = SigningPolicy { max_trade: limit, ..SigningPolicy::default() });
    let sizes = desk.curve(&curve_request()).unwrap().sizes;
    assert_eq!(sizes[sizes.len() - 1].swap.input.to_string(), "1000000000000000000", "the policy's largest trade");
}

#[test]
fn an_unquotable_pair_has_no_curve_and_a_reason() {
    let Bench { desk, market, .. } = bench(vec![spec()]);
    for (request, message) in [
        (CurveRequest { output: "ETH".into(), ..curve_request() }, "pair: ETH/ETH is not supported"),
        (CurveRequest { output: "WBTC".into(), ..curve_request() }, "output_asset_symbol: WBTC is not supported"),
        (CurveRequest { input: "".into(), ..curve_request() }, "input_asset_symbol:  is not supported"),
        (CurveRequest { output: "USDT".into(), ..curve_request() }, "pair: ETH/USDT is not supported"),
        (
            CurveRequest { time_in_seconds: Some(601), ..curve_request() },
            "time_in_seconds: must be 1 to 600 seconds for this pool",
        ),
    ] {
        assert_eq!(desk.curve(&request).unwrap_err().to_string(), message);
    }
    let stranger = CurveRequest { pool_address: Address::repeat_byte(9), ..curve_request() };
    assert!(matches!(desk.curve(&stranger), Err(DeskError::Unsupported { input: UnsupportedInput::Pool, .. })));
    let mut doubted = state("2080.527");
    doubted.assets[0].price = Err(Rejection::Silent);
    market.replace(Snapshot::default().with(spec().id, doubted));
    assert!(matches!(desk.curve(&curve_request()), Err(DeskError::Untrusted { .. })));
    market.replace(Snapshot::default());
    assert!(matches!(desk.curve(&curve_request()), Err(DeskError::Market(_))));
    let disabled = bench(vec![PoolSpec { swaps_enabled: false, ..spec() }]).desk;
    assert!(matches!(disabled.curve(&curve_request()), Err(DeskError::SwapsDisabled)));
}

#[tokio::test]
async fn a_paused_pool_shows_its_curve_unchanged() {
    let desk = bench(vec![spec()]).desk;
    let open = desk.curve(&curve_request()).unwrap().sizes;
    desk.pauses.set(&[spec().id], true, None, desk.clock.now()).await.unwrap();
    assert_eq!(desk.curve(&curve_request()).unwrap().sizes, open);
}
